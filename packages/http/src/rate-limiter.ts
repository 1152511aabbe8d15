import { type RateLimitName, rateLimits } from "@intents/contract/rate-limits.ts";
import type { Table } from "@intents/storage/table.ts";
import { takeFromWindow } from "@intents/storage/windows.ts";

/** How a request fared against its limit, and what the `X-RateLimit-*` headers say of it. */
export type Taken = Readonly<{
  allowed: boolean;
  limit: number;
  remaining: number;
  /** When the window resets, seconds since 1970. */
  resetS: number;
}>;

/** Counts requests; undefined when the count could not be had in time. */
export type RateLimiter = (name: RateLimitName, subject: string, nowMs: number) => Promise<Taken | undefined>;

/** What a container knows of one caller's current window. */
type Known = { startS: number; used: number; leased: number; refused: boolean; asked: number; askedBefore: number };

/** A count that takes longer is given up: limiting must not cost more than what it protects (H54). */
const BUDGET_MS = 50;
/** Callers that a container remembers; past that it forgets them all and counts on. */
const CALLERS_MAX = 10_000;

/**
 * A limiter whose counts are shared by all containers. A container that is asked often takes several requests from the
 * window at once, fewer the nearer the limit is, so that most requests need no write; what it takes is never more than
 * is left. 60-second windows are counted one by one (H53).
 */
export function openRateLimiter(table: Table, limits: Readonly<Partial<Record<RateLimitName, number>>> = {}): RateLimiter {
  const callers = new Map<string, Known>();
  return async (name, subject, nowMs) => {
    const { windowSeconds: lengthS } = rateLimits[name];
    const limit = limits[name] ?? rateLimits[name].limit;
    const startS = Math.floor(nowMs / 1000 / lengthS) * lengthS;
    const known = callerOf(callers, `${name}#${subject}`, startS, lengthS);
    known.asked += 1;
    const taken = (allowed: boolean): Taken => {
      const remaining = allowed ? Math.max(0, limit - known.used + known.leased) : 0;
      return { allowed, limit, remaining, resetS: startS + lengthS };
    };
    if (known.leased > 0) {
      known.leased -= 1;
      return taken(true);
    }
    if (known.refused) return taken(false);
    const count = lengthS > 1 ? 1 : leaseSize(known, limit);
    const used = await inTime(take(table, { name, subject, startS, lengthS, limit }, count));
    if (used === "late") return undefined;
    if (known.startS !== startS) return taken(used !== undefined);
    if (used === undefined) {
      known.refused = true;
      return taken(false);
    }
    known.used = Math.max(known.used, used.used);
    known.leased += used.count - 1;
    return taken(true);
  };
}

function callerOf(callers: Map<string, Known>, key: string, startS: number, lengthS: number): Known {
  const before = callers.get(key);
  if (before?.startS === startS) return before;
  if (callers.size >= CALLERS_MAX) callers.clear();
  const askedBefore = before?.startS === startS - lengthS ? before.asked : 0;
  const known = { startS, used: 0, leased: 0, refused: false, asked: 0, askedBefore };
  callers.set(key, known);
  return known;
}

/** A quarter of what was asked a window ago, and at most a sixteenth of what is left: little of it can go unused. */
const leaseSize = ({ askedBefore, used }: Known, limit: number): number =>
  Math.max(1, Math.floor(Math.min(askedBefore / 4, (limit - used) / 16)));

/** When several are not left, one may still be. */
async function take(table: Table, window: Parameters<typeof takeFromWindow>[1], count: number) {
  const used = await takeFromWindow(table, window, count);
  if (used !== undefined) return { used, count };
  if (count === 1) return undefined;
  const single = await takeFromWindow(table, window, 1);
  return single === undefined ? undefined : { used: single, count: 1 };
}

async function inTime<Value>(work: Promise<Value>): Promise<Value | "late"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, BUDGET_MS, "late");
  });
  try {
    return await Promise.race([work.catch(() => "late" as const), late]);
  } finally {
    clearTimeout(timer);
  }
}
