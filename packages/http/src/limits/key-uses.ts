import { DAY_MS } from "@intents/domain/durations.ts";

/** Notes that a key is used; nobody waits for it. */
export type NoteUse = (clientId: string, nowMs: number) => void;

/** The number of keys that a container remembers; past that it forgets them all and notes anew. */
const KEYS_MAX = 10_000;

/** Notes the day of each key's use by `write`, at most once per key, day and container. */
export function openKeyUses(write: (clientId: string, day: string) => Promise<void>): NoteUse {
  const noted = new Map<string, number>();
  return (clientId, nowMs) => {
    const day = Math.floor(nowMs / DAY_MS);
    if (noted.get(clientId) === day) return;
    if (noted.size >= KEYS_MAX) noted.clear();
    noted.set(clientId, day);
    // A write that fails is not repeated, so that an outage costs no more: other containers and days write it (H54).
    write(clientId, new Date(nowMs).toISOString().slice(0, 10)).catch(() => undefined);
  };
}
