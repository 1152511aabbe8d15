import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as drained, setTimeout as pause } from "node:timers/promises";
import type { Random } from "./random.ts";

/** One instance of a function at work. `faulted` is set once a fault has hit it that a caller could notice. */
export type Worker = {
  readonly name: string;
  /** How far the worker's clock is ahead, in milliseconds. */
  readonly aheadMs: number;
  /** The number of calls after which it stands still; it comes back as a zombie at `wakesAtMs` (H65). */
  readonly pausesAfter: number;
  calls: number;
  wakesAtMs: number;
  faulted: boolean;
};

/** The faults that a call may meet, by name, each with the answer that the call then gets. */
export type Faults<Value> = Readonly<Record<string, (perform: () => Promise<Value>) => Promise<Value>>>;

type Call = Readonly<{
  worker: Worker;
  label: string;
  faults: readonly string[];
  /** Carries the call out as `fault` has it, and answers the worker unless it is dead by then. */
  release(fault: string | undefined): Promise<void>;
  perform(): Promise<unknown>;
}>;

/** An error that the simulation injects, so that no other error is mistaken for one. */
export class InjectedFault extends Error {}

export type Scheduler = ReturnType<typeof openScheduler>;

/** The time after which a worker that makes no call counts as stuck, in milliseconds of real time. */
const STUCK_MS = 120_000;
/** The share of workers that stand still on the way, and the longest time: some pauses outlast a lease, some do not. */
const PAUSE_RATE = 0.15;
const PAUSE_MS_MAX = 150_000;
/** Clocks of workers differ from the true time by up to so much. */
export const CLOCK_MS_MAX = 2_000;
/** No work takes so many calls: all of a life take less. */
const CALLS_MAX = 50_000;
/** The approximate number of calls of a submit. */
const CALLS_USUAL = 14;

/**
 * Makes concurrency repeatable: every call of a worker to the outside waits here until it is let go, one at a time, in
 * an order that only the seed decides. A worker whose call waits is paused; it is dead if the call is never let go.
 */
export function openScheduler(random: Random, now: () => number, trace: (line: string) => void) {
  const current = new AsyncLocalStorage<Worker>();
  const running = new Set<Worker>();
  let waiting: Call[] = [];
  let calls = 0;
  const faults: Record<string, number> = {};
  const count = (fault: string) => {
    faults[fault] = (faults[fault] ?? 0) + 1;
  };

  /** Holds a call of the current worker back; calls of other code pass. */
  function pass<Value>(label: string, faults: Faults<Value>, perform: () => Promise<Value>): Promise<Value> {
    const worker = current.getStore();
    if (worker === undefined) return perform();
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    const call = () => outside(perform);
    waiting.push({
      worker,
      label,
      faults: Object.keys(faults),
      perform: call,
      release: (fault) => (fault === undefined ? call() : faults[fault]!(call)).then(resolve, reject),
    });
    return promise;
  }

  /** Starts a worker; `ended` is told how it ended, unless it died. A clock is wrong if it is ahead by `wrongMs`. */
  async function start(
    name: string,
    work: () => Promise<unknown>,
    ended: (worker: Worker, error: unknown) => void,
    wrongMs = 0,
  ) {
    const pausesAfter = random.chance(PAUSE_RATE) ? random.below(CALLS_USUAL) : Number.POSITIVE_INFINITY;
    const aheadMs = wrongMs + random.below(2 * CLOCK_MS_MAX + 1) - CLOCK_MS_MAX;
    if (wrongMs > 0) count("a wrong clock");
    const worker: Worker = { name, aheadMs, pausesAfter, calls: 0, wakesAtMs: 0, faulted: false };
    running.add(worker);
    const finish = (error: unknown) => {
      running.delete(worker);
      ended(worker, error);
    };
    current.run(worker, work).then(() => finish(undefined), finish);
    await idle();
    return worker;
  }

  /** Resolves when every worker waits for a call to be let go. Between two calls workers only need short pauses. */
  async function idle(): Promise<void> {
    const startMs = performance.now();
    for (;;) {
      await drained();
      await drained();
      if ([...running].every((worker) => waiting.some((call) => call.worker === worker))) return;
      if (performance.now() - startMs > STUCK_MS) throw new Error("A worker waits for nothing that is simulated");
      await pause(1);
    }
  }

  const awake = () => waiting.filter(({ worker }) => worker.wakesAtMs <= now());
  const wakeAll = () => {
    for (const worker of running) worker.wakesAtMs = Math.min(worker.wakesAtMs, now());
  };

  /** Lets one call go, with a fault at a chance of `faultRate` and a death at `deathRate`. */
  async function step(rates: { faultRate: number; deathRate: number }): Promise<void> {
    const call = random.pick(awake());
    const { worker, label } = call;
    if (worker.calls === worker.pausesAfter && worker.wakesAtMs === 0) {
      worker.wakesAtMs = now() + random.below(PAUSE_MS_MAX);
      count("a pause");
      trace(`${worker.name} stands still before ${label}`);
      return;
    }
    waiting = waiting.filter((other) => other !== call);
    calls += 1;
    worker.calls += 1;
    if (worker.calls > CALLS_MAX) throw new Error(`${worker.name} does not end`);
    if (random.chance(rates.deathRate)) {
      const before = random.chance(0.5);
      count("a death");
      trace(`${worker.name} dies ${before ? "before" : "after"} ${label}`);
      if (!before) await call.perform().catch(() => undefined);
      kill(worker);
      return;
    }
    const fault = random.chance(rates.faultRate) ? random.pick(call.faults) : undefined;
    if (fault !== undefined) {
      worker.faulted = true;
      count(fault);
      trace(`${worker.name} meets ${fault} at ${label}`);
    }
    await call.release(fault);
    await idle();
  }

  /** Ends a worker: nothing that it would have done after this happens (H64). */
  function kill(worker: Worker): void {
    running.delete(worker);
    waiting = waiting.filter((call) => call.worker !== worker);
  }

  /** Runs work of the simulation itself, although a worker causes it. */
  const outside = <Value>(work: () => Promise<Value>): Promise<Value> => current.exit(work);

  return {
    ...{ pass, start, step, wakeAll, outside, running },
    calls: () => calls,
    /** How often each kind of fault has happened. */
    faults: (): Readonly<Record<string, number>> => faults,
    current: () => current.getStore(),
    hasWaiting: () => awake().length > 0,
  };
}
