import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as drained, setTimeout as pause } from "node:timers/promises";
import type { Random } from "./random.ts";

/** One instance of a function at work. `faulted` once something went wrong around it that a caller could notice. */
export type Worker = {
  readonly name: string;
  /** After so many calls it stands still, and comes back as a zombie at `wakesAtMs` (H65). */
  readonly pausesAfter: number;
  calls: number;
  wakesAtMs: number;
  faulted: boolean;
};

/** What may go wrong with a call: how it is answered instead. */
export type Faults<Value> = Readonly<Record<string, (perform: () => Promise<Value>) => Promise<Value>>>;

type Call = Readonly<{
  worker: Worker;
  label: string;
  faults: readonly string[];
  /** Carries the call out, as `fault` has it, and answers the worker unless it is dead by then. */
  release(fault: string | undefined): Promise<void>;
  perform(): Promise<unknown>;
}>;

/** The fault that the simulation made up, so that no other error is mistaken for it. */
export class InjectedFault extends Error {}

export type Scheduler = ReturnType<typeof openScheduler>;

/** How long a worker may be busy with itself before it counts as stuck, in milliseconds of real time. */
const STUCK_MS = 20_000;
/** How many workers stand still on the way, and for how long: shorter and longer than a lease. */
const PAUSE_RATE = 0.15;
const PAUSE_MS_MAX = 150_000;
/** A submit makes about so many calls. */
const CALLS_USUAL = 14;

/**
 * Makes concurrency repeatable: every call of a worker to the outside waits here until it is let go, one at a time, in
 * an order that only the seed decides. A call that is not let go is a worker that is paused; or dead, when it never is.
 */
export function openScheduler(random: Random, now: () => number, trace: (line: string) => void) {
  const current = new AsyncLocalStorage<Worker>();
  const running = new Set<Worker>();
  let waiting: Call[] = [];
  let calls = 0;

  /** Holds a call of the current worker back; whoever is no worker passes. */
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

  /** Starts a worker; `ended` hears how it ended, unless it died. */
  async function start(name: string, work: () => Promise<unknown>, ended: (worker: Worker, error: unknown) => void) {
    const pausesAfter = random.chance(PAUSE_RATE) ? random.below(CALLS_USUAL) : Number.POSITIVE_INFINITY;
    const worker: Worker = { name, pausesAfter, calls: 0, wakesAtMs: 0, faulted: false };
    running.add(worker);
    const finish = (error: unknown) => {
      running.delete(worker);
      ended(worker, error);
    };
    current.run(worker, work).then(() => finish(undefined), finish);
    await idle();
    return worker;
  }

  /** Resolves when every worker waits for a call to be let go. Between two calls they need nothing but their own pauses. */
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
      trace(`${worker.name} stands still before ${label}`);
      return;
    }
    waiting = waiting.filter((other) => other !== call);
    calls += 1;
    worker.calls += 1;
    if (random.chance(rates.deathRate)) {
      const before = random.chance(0.5);
      trace(`${worker.name} dies ${before ? "before" : "after"} ${label}`);
      if (!before) await call.perform().catch(() => undefined);
      kill(worker);
      return;
    }
    const fault = random.chance(rates.faultRate) ? random.pick(call.faults) : undefined;
    if (fault !== undefined) {
      worker.faulted = true;
      trace(`${worker.name} meets ${fault} at ${label}`);
    }
    await call.release(fault);
    await idle();
  }

  /** From here on, nothing that the worker would have done happens (H64). */
  function kill(worker: Worker): void {
    running.delete(worker);
    waiting = waiting.filter((call) => call.worker !== worker);
  }

  /** Does something that is the simulation's own, though a worker causes it. */
  const outside = <Value>(work: () => Promise<Value>): Promise<Value> => current.exit(work);

  return {
    ...{ pass, start, step, wakeAll, outside, running },
    calls: () => calls,
    current: () => current.getStore(),
    hasWaiting: () => awake().length > 0,
  };
}
