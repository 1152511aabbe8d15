import { type RateLimitName, rateLimits } from "@intents/contract/rate-limits.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { takeFromWindow, type Window } from "@intents/storage/table/windows.ts";

/** The fate of a request under its limit, and the values of the `X-RateLimit-*` headers. */
export type Taken = Readonly<{
  allowed: boolean;
  limit: number;
  remaining: number;
  /** The end of the window, seconds since 1970. */
  resetS: number;
}>;

/**
 * Counts requests; undefined when the count did not come in time. The answer comes at once, without a promise, if the
 * container knows it already.
 */
export type RateLimiter = (name: RateLimitName, subject: string, nowMs: number) => Taken | Promise<Taken | undefined>;

type LimiterOptions = Readonly<{
  limits?: Readonly<Partial<Record<RateLimitName, number>>>;
  /** The longest wait for a count, in milliseconds: limiting must not cost more than it protects (H54). */
  budgetMs?: number;
}>;

/** A container's knowledge of one caller's current window. */
type Caller = {
  readonly window: Window;
  /** The number of the caller's requests here in the window before. */
  readonly askedBefore: number;
  asked: number;
  /** The part of the window that is left at the caller's newest request: 1 at its beginning. */
  left: number;
  used: number;
  /** The requests that are taken from the window in advance, and not made yet. */
  leased: number;
  refused: boolean;
  waiting: ((allowed: boolean) => void)[];
  taking: boolean;
};

/** The number of callers that a container remembers; past that it forgets them all and counts on. */
const CALLERS_MAX = 10_000;

/**
 * A limiter whose counts are shared by all containers. Requests that come while a container takes from a window are
 * taken together afterwards. For a caller with many requests it takes in advance, and less of it the nearer the limit
 * is. So most requests need no write, and the container never takes more than is left (Decision 009).
 */
export function openRateLimiter(table: Table, { limits = {}, budgetMs = 50 }: LimiterOptions = {}): RateLimiter {
  const callers = new Map<string, Caller>();
  return (name, subject, nowMs) => {
    const { windowSeconds: lengthS, limit: usual } = rateLimits[name];
    const startS = Math.floor(nowMs / 1000 / lengthS) * lengthS;
    const caller = callerOf(callers, { name, subject, startS, lengthS, limit: limits[name] ?? usual });
    caller.asked += 1;
    caller.left = (startS + lengthS - nowMs / 1000) / lengthS;
    if (caller.leased > 0) {
      caller.leased -= 1;
      return toTaken(caller, true);
    }
    // A refusal holds until the window ends: hostile traffic costs no more than one write per container and window.
    if (caller.refused) return toTaken(caller, false);
    return waitForCount(table, caller, budgetMs);
  };
}

function toTaken({ window, used, leased }: Caller, allowed: boolean): Taken {
  const { limit, startS, lengthS } = window;
  return { allowed, limit, remaining: allowed ? Math.max(0, limit - used + leased) : 0, resetS: startS + lengthS };
}

function callerOf(callers: Map<string, Caller>, window: Window): Caller {
  const key = `${window.name}#${window.subject}`;
  const before = callers.get(key);
  if (before?.window.startS === window.startS) return before;
  if (callers.size >= CALLERS_MAX) callers.clear();
  const askedBefore = before?.window.startS === window.startS - window.lengthS ? before.asked : 0;
  const caller = {
    window,
    askedBefore,
    asked: 0,
    left: 0,
    used: 0,
    leased: 0,
    refused: false,
    waiting: [],
    taking: false,
  };
  callers.set(key, caller);
  return caller;
}

const waitForCount = (table: Table, caller: Caller, budgetMs: number): Promise<Taken | undefined> =>
  new Promise((resolve) => {
    const endBudget = startBudget(budgetMs, () => resolve(undefined));
    caller.waiting.push((allowed) => {
      endBudget();
      resolve(toTaken(caller, allowed));
    });
    void takeForWaiting(table, caller);
  });

const BUDGET_STEPS = 5;

/**
 * Calls `whenSpent` after `budgetMs` in which this process could have received an answer: a time in which it is busy
 * with something else costs one step of the budget at most, however long it is. Returns a function that ends the budget
 * early.
 */
function startBudget(budgetMs: number, whenSpent: () => void): () => void {
  let left = BUDGET_STEPS;
  const step = () => {
    left -= 1;
    if (left > 0) timer = setTimeout(step, budgetMs / BUDGET_STEPS);
    else whenSpent();
  };
  let timer = setTimeout(step, budgetMs / BUDGET_STEPS);
  return () => clearTimeout(timer);
}

/** Takes for all waiting requests: once for those that are here, and again for those that came meanwhile. */
async function takeForWaiting(table: Table, caller: Caller): Promise<void> {
  if (caller.taking) return;
  caller.taking = true;
  try {
    while (caller.waiting.length > 0) {
      const waiting = caller.waiting.splice(0);
      // These requests get the present lease: a request that comes during the take waits for the next one.
      const { leased } = caller;
      caller.leased = 0;
      const held = leased + (leased < waiting.length ? await take(table, caller, waiting.length - leased) : 0);
      caller.leased = Math.max(0, held - waiting.length);
      for (const [index, answer] of waiting.entries()) answer(index < held);
    }
  } catch {
    // The count failed: the budgets of the waiting requests answer them.
  } finally {
    caller.taking = false;
  }
}

/** Takes what is missing, and in advance what the caller is likely to ask for; tells how much it got. */
async function take(table: Table, caller: Caller, missing: number): Promise<number> {
  const wanted = Math.max(missing, batchSize(caller));
  const { taken, used } = await takeFromWindow(table, caller.window, wanted);
  caller.used = used;
  caller.refused = taken < wanted;
  return taken;
}

/**
 * As many requests as the rest of the window will bring, if it is like the window before, and at most a sixteenth of
 * what is left to all: little of it can go unused. Only windows of a second are taken from in advance.
 */
const batchSize = ({ window, askedBefore, left, used }: Caller): number =>
  window.lengthS > 1 ? 1 : Math.floor(Math.min(askedBefore * left, (window.limit - used) / 16));
