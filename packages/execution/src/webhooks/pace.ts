import { setTimeout as pause } from "node:timers/promises";

/** How much one host is sent by one container. */
export type PaceSettings = Readonly<{ atOnce: number; perSecond: number }>;
/** Does the work when its host has a turn for it. Work that is over by then is left out, and delays no other work. */
export type Pace = <Done>(host: string, work: () => Promise<Done>, isOver?: () => boolean) => Promise<Done | undefined>;

/** Keeps what is sent to one host within bounds, whoever it belongs to; other hosts wait for nothing. */
export function openPace({ atOnce, perSecond }: PaceSettings): Pace {
  const hosts = new Map<string, { running: number; freeAtMs: number; waiting: (() => void)[] }>();
  return async (host, work, isOver) => {
    const at = hosts.get(host) ?? { running: 0, freeAtMs: 0, waiting: [] };
    hosts.set(host, at);
    while (at.running >= atOnce) await new Promise<void>((resolve) => at.waiting.push(resolve));
    at.running += 1;
    try {
      if (isOver?.()) return undefined;
      const nowMs = performance.now();
      const startMs = Math.max(nowMs, at.freeAtMs);
      at.freeAtMs = startMs + 1000 / perSecond;
      if (startMs > nowMs) await pause(startMs - nowMs);
      return await work();
    } finally {
      at.running -= 1;
      at.waiting.shift()?.();
      if (at.running === 0 && at.waiting.length === 0 && at.freeAtMs < performance.now()) hosts.delete(host);
    }
  };
}
