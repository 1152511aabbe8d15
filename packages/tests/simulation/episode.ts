import { mock } from "node:test";
import { SENT_WITHIN_MS, StoreContended } from "@intents/storage/table/transact.ts";
import { type Context, step } from "./context.ts";
import { openFates } from "./fates.ts";
import { isInjected } from "./faults.ts";
import { openFollower } from "./follower.ts";
import { checkQuiescence, checkStore } from "./invariants.ts";
import { type Ledger, openLedger, Violation } from "./ledger.ts";
import { openOperations } from "./operations.ts";
import { openPeople } from "./people.ts";
import { openRandom, type Random } from "./random.ts";
import { openReceiver } from "./receivers.ts";
import { comeToRest } from "./rest.ts";
import { openScheduler, type Worker } from "./scheduler.ts";
import { forTenants, openWorld, type SimulatedWorld, START_MS, tenantIds } from "./world.ts";

export type Episode = Readonly<{
  seed: number;
  operations: number;
  /** Breaks something midway, to show that the checks notice it. */
  plant?: Fault;
  /** Looks at the world once everything is at rest, before the last checks. */
  atRest?: (rest: Rest) => Promise<void>;
}>;
/** A life at rest, and the checks of its end, which throw what they find. */
export type Rest = Readonly<{ world: SimulatedWorld; ledger: Ledger; check: () => Promise<void> }>;
export type Fault = (world: SimulatedWorld, ledger: Ledger) => Promise<void>;
export type Tally = Readonly<{
  operations: number;
  calls: number;
  intents: Readonly<Record<string, number>>;
  /** How often each operation was begun, and how often each fault happened. */
  kinds: Readonly<Record<string, number>>;
  faults: Readonly<Record<string, number>>;
  /** The longest time between a rail's word of a healthy payment's end and its record here, beside stumbling ones. */
  latestMs: number;
}>;

const TRACE_LENGTH = 30;
const CHECK_EVERY = 50;
const FOLLOW_EVERY = 5;

/** Runs one simulated life of the service; throws with its seed and last steps if a check fails. */
export async function runEpisode(episode: Episode): Promise<Tally> {
  const { seed, operations: count } = episode;
  const lines: string[] = [];
  const clock = { ms: START_MS };
  const trace = (line: string) => {
    lines.push(`${new Date(clock.ms).toISOString()} ${line}`);
    if (lines.length > TRACE_LENGTH) lines.shift();
  };
  mock.timers.enable({ apis: ["Date"], now: START_MS });
  const progress = { operations: 0 };
  try {
    return await live(openRandom(seed), episode, clock, progress, trace);
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    const where = `--seed ${seed} --operations ${count}, at operation ${progress.operations}`;
    throw new Error([`${failure.message} (${where})`, ...lines].join("\n"), { cause: error });
  } finally {
    mock.timers.reset();
  }
}

async function live(
  random: Random,
  { operations: count, plant, atRest }: Episode,
  clock: { ms: number },
  progress: { operations: number },
  trace: (line: string) => void,
): Promise<Tally> {
  const scheduler = openScheduler(random, () => clock.ms, trace);
  const ledger = openLedger(() => clock.ms);
  const seen: Error[] = [];
  const witnessed =
    <Arguments extends unknown[]>(look: (...args: Arguments) => void) =>
    (...args: Arguments): void => {
      try {
        look(...args);
      } catch (error) {
        seen.push(error as Error);
      }
    };
  const world = await openWorld(random, scheduler, clock, {
    seeTransaction: witnessed(ledger.seeTransaction),
    seeAccepted: witnessed(ledger.seeAccepted),
  });
  const people = openPeople(world, random);
  const followerOf = forTenants((caller) => openFollower(world, caller));
  const followers = tenantIds.map(followerOf);
  const follow = async () => {
    for (const follower of followers) await follower.follow();
  };
  const receiverOf = forTenants((caller) => openReceiver(world, scheduler, random, caller));
  const receivers = tenantIds.map(receiverOf);
  const fates = openFates(world, random, scheduler, ledger);
  let started = 0;
  const kinds: Record<string, number> = {};
  const context: Context = {
    ...{ random, scheduler, world, ledger, people, receivers, fates, trace, mailbox: [], deadLetters: [] },
    rates: { faultRate: random.pick([0, 0.02, 0.06]), deathRate: random.pick([0, 0.005, 0.02]) },
    follow: async () => {
      await follow();
      for (const receiver of receivers) await receiver.catchUp();
    },
    judge: () => {
      if (seen[0] !== undefined) throw seen[0];
    },
    start: async (name, work, wrongMs) => {
      started += 1;
      const label = `w${started} ${name}`;
      const startedMs = clock.ms;
      trace(`${label} starts`);
      const ended = (worker: Worker, error: unknown) => {
        if (error === undefined) return;
        trace(`${label} fails: ${error}`);
        // A worker's next write may be too old when it goes on: it stood still, or the clock leapt.
        const isLate = worker.wakesAtMs > 0 || clock.ms - startedMs > SENT_WITHIN_MS;
        const isHit = worker.faulted || isLate;
        const isExpected = isInjected(error) || (error instanceof StoreContended && isHit);
        if (!isExpected) seen.push(error instanceof Error ? error : new Violation(String(error)));
      };
      await scheduler.start(label, work, ended, wrongMs);
    },
  };
  try {
    const operate = openOperations(context);
    for (; progress.operations < count; progress.operations++) {
      const name = await operate();
      if (name !== undefined) kinds[name] = (kinds[name] ?? 0) + 1;
      for (let steps = random.below(16); steps > 0 && scheduler.hasWaiting(); steps--) await step(context);
      context.judge();
      const isPlanted = plant !== undefined && progress.operations === Math.floor(count / 2);
      if (isPlanted) await plant(world, ledger);
      if (progress.operations % FOLLOW_EVERY === 0) await follow();
      if (isPlanted || progress.operations % CHECK_EVERY === 0) await checkStore(world.table, ledger, people);
    }
    const latestMs = await comeToRest(context);
    const check = async () => {
      await checkQuiescence(world, ledger, people);
      await people.check();
      for (const [index, follower] of followers.entries()) {
        await follower.check(ledger);
        await receivers[index]?.check(follower);
      }
    };
    await atRest?.({ world, ledger, check });
    await check();
    const statuses = Object.groupBy(ledger.intents.values(), ({ status }) => status);
    const intents = Object.fromEntries(Object.entries(statuses).map(([status, of]) => [status, of.length]));
    return { operations: count, calls: scheduler.calls(), intents, kinds, faults: scheduler.faults(), latestMs };
  } finally {
    await world.stop();
  }
}
