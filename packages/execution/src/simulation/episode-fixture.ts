import { mock } from "node:test";
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { isTerminal } from "@intents/domain/intent-states.ts";
import { dueShard } from "@intents/storage/keys.ts";
import type { Message, Queue } from "@intents/storage/queue.ts";
import { StoreContended } from "@intents/storage/transact.ts";
import { advanceIntent } from "../advance.ts";
import { compileIntent } from "../compile.ts";
import { createIntent } from "../create.ts";
import { dispatchShard } from "../dispatch.ts";
import { openDrafts } from "./drafts-fixture.ts";
import { isInjected } from "./faults-fixture.ts";
import { checkQuiescence, checkStore, type Ledger, openLedger, Violation } from "./invariants-fixture.ts";
import { openRandom, type Random } from "./random-fixture.ts";
import { openScheduler, type Scheduler } from "./scheduler-fixture.ts";
import { openSubmits } from "./submits-fixture.ts";
import { caller, DRAFT_TTL_MS, LEASE_MS, openWorld, type SimulatedWorld, START_MS } from "./world-fixture.ts";

export type Episode = Readonly<{ seed: number; operations: number }>;
export type Tally = Readonly<{ operations: number; calls: number; intents: Readonly<Record<string, number>> }>;

const TRACE_LENGTH = 30;
const CHECK_EVERY = 50;
const WORKERS_MAX = 10;
/** What happens next, by how often. */
const operations = { create: 20, submit: 34, compile: 6, dispatch: 12, deliver: 22, payer: 4, clock: 14 };
const jumps = { second: 60, lease: 16, hour: 3, day: 1, expiry: 1 };
const jumpMs: Record<keyof typeof jumps, number> = {
  second: 4_000,
  lease: LEASE_MS + 1_000,
  hour: 3_600_000,
  day: 86_400_000,
  expiry: DRAFT_TTL_MS,
};
const healthy = { faultRate: 0, deathRate: 0 };
const QUIESCENCE_ROUNDS_MAX = 20_000;

type Posted = { message: Message; atMs: number };

/** Runs one simulated life of the service; throws with its seed and last steps when it did what it must not. */
export async function runEpisode({ seed, operations: count }: Episode): Promise<Tally> {
  const lines: string[] = [];
  const clock = { ms: START_MS };
  const trace = (line: string) => {
    lines.push(`${new Date(clock.ms).toISOString()} ${line}`);
    if (lines.length > TRACE_LENGTH) lines.shift();
  };
  mock.timers.enable({ apis: ["Date"], now: START_MS });
  const progress = { operations: 0 };
  try {
    return await live(openRandom(seed), count, clock, progress, trace);
  } catch (error) {
    const told = error instanceof Error ? error : new Error(String(error));
    const where = `--seed ${seed} --operations ${count}, at operation ${progress.operations}`;
    throw new Error([`${told.message} (${where})`, ...lines].join("\n"), { cause: error });
  } finally {
    mock.timers.reset();
  }
}

type Context = Readonly<{
  random: Random;
  scheduler: Scheduler;
  world: SimulatedWorld;
  ledger: Ledger;
  trace: (line: string) => void;
  /** Fails the episode with the first thing that a worker or a witness has seen. */
  judge(): void;
  start(name: string, work: () => Promise<unknown>): Promise<void>;
  mailbox: Posted[];
  rates: { faultRate: number; deathRate: number };
}>;

async function live(
  random: Random,
  count: number,
  clock: { ms: number },
  progress: { operations: number },
  trace: (line: string) => void,
): Promise<Tally> {
  const scheduler = openScheduler(random, () => clock.ms, trace);
  const ledger = openLedger();
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
  let started = 0;
  const context: Context = {
    ...{ random, scheduler, world, ledger, trace, mailbox: [] },
    rates: { faultRate: random.pick([0, 0.02, 0.06]), deathRate: random.pick([0, 0.005, 0.02]) },
    judge: () => {
      if (seen[0] !== undefined) throw seen[0];
    },
    start: async (name, work) => {
      started += 1;
      const label = `w${started} ${name}`;
      trace(`${label} starts`);
      await scheduler.start(label, work, (worker, error) => {
        if (error === undefined) return;
        trace(`${label} fails: ${error}`);
        const isExpected = isInjected(error) || (error instanceof StoreContended && worker.faulted);
        if (!isExpected) seen.push(error instanceof Error ? error : new Violation(String(error)));
      });
    },
  };
  try {
    const operate = openOperations(context);
    for (; progress.operations < count; progress.operations++) {
      await operate();
      for (let steps = random.below(16); steps > 0 && scheduler.hasWaiting(); steps--) await step(context);
      context.judge();
      if (progress.operations % CHECK_EVERY === 0) await checkStore(world.table, ledger);
    }
    await comeToRest(context);
    const statuses = Object.groupBy(ledger.intents.values(), ({ status }) => status);
    const intents = Object.fromEntries(Object.entries(statuses).map(([status, of]) => [status, of.length]));
    return { operations: count, calls: scheduler.calls(), intents };
  } finally {
    await world.stop();
  }
}

async function step({ scheduler, rates, judge, world, random }: Context): Promise<void> {
  move(world.clock, random.below(20));
  await scheduler.step(rates);
  judge();
}

function move(clock: { ms: number }, byMs: number): void {
  clock.ms += byMs;
  mock.timers.setTime(clock.ms);
}

async function finishAll(context: Context): Promise<void> {
  while (context.scheduler.hasWaiting()) await step(context);
}

/** Also those who stand still. */
async function finishWholly(context: Context): Promise<void> {
  while (context.scheduler.running.size > 0) {
    context.scheduler.wakeAll();
    await finishAll(context);
  }
}

function openOperations(context: Context): () => Promise<void> {
  const { random, scheduler, world, ledger, trace, start, mailbox } = context;
  const { run, clock, rail } = world;
  const makeDraft = openDrafts(world, random);
  const submits = openSubmits(world, random, scheduler, trace);
  /** Mostly one of the newest that is not at its end, where things still happen. */
  const chooseIntent = (): string | undefined => {
    const intents = [...ledger.intents.values()];
    const open = intents.filter(({ status }) => !isTerminal(status)).slice(-5);
    const chosen = open.length > 0 && random.chance(0.85) ? open : intents;
    return chosen.length === 0 ? undefined : random.pick(chosen).id;
  };

  const operate: Record<keyof typeof operations, () => Promise<void>> = {
    create: async () => {
      const { kind, intent } = await makeDraft();
      await start(`create ${kind} ${intent.id}`, () => createIntent(run, run.files, intent));
    },
    submit: async () => {
      const id = chooseIntent();
      if (id === undefined) return;
      let key = submits.chooseKey(id);
      for (let others = random.chance(0.3) ? 1 + random.below(2) : 0; others >= 0; others--) {
        if (random.chance(0.5)) key = submits.chooseKey(id);
        await start(`submit ${id} key ${key?.slice(0, 8)}`, () => submits.submit(id, key));
      }
    },
    compile: async () => {
      const id = chooseIntent();
      if (id !== undefined) await start(`compile ${id}`, () => compileIntent(run, caller, id));
    },
    dispatch: async () => startDispatch(context, random.chance(0.5) ? 70_000 : 0),
    deliver: async () => {
      const due = mailbox.filter(({ atMs }) => atMs <= clock.ms);
      const posted = due.length > 0 ? random.pick(due) : undefined;
      if (posted !== undefined) await deliver(context, posted, !random.chance(0.15), !random.chance(0.05));
    },
    payer: async () => {
      const id = chooseIntent();
      const url = id === undefined ? undefined : ledger.intents.get(id)?.executions.at(-1)?.checkoutUrl;
      const outcome = random.chance(0.7) ? "pay" : "decline";
      if (url !== undefined) await rail.finishCheckout(url.split("/").at(-1) ?? "", outcome);
    },
    clock: async () => {
      const byMs = jumpMs[random.weighted(jumps)];
      // Who is still at work when the clock jumps comes back as a zombie (H65).
      if (random.chance(0.6)) await finishAll(context);
      trace(`the clock jumps by ${byMs} ms, with ${scheduler.running.size} at work`);
      move(clock, byMs);
    },
  };
  return async () => {
    if (scheduler.running.size >= WORKERS_MAX) return;
    await operate[random.weighted(operations)]();
  };
}

/** Delivers a message once more, or for the last time; or never. */
async function deliver(context: Context, posted: Posted, takes: boolean, arrives: boolean): Promise<void> {
  const { mailbox, start, world } = context;
  if (takes) mailbox.splice(mailbox.indexOf(posted), 1);
  const { message } = posted;
  if (!arrives || message.kind !== "timer") return;
  const { run } = world;
  await start(`advance ${message.intentId}`, () => advanceIntent(run, message, run.now() + 20_000));
}

async function startDispatch({ start, world, mailbox }: Context, aheadMs: number): Promise<void> {
  const { run } = world;
  const send = async ({ input }: { input: { Entries: { MessageBody: string; DelaySeconds?: number }[] } }) => {
    for (const { MessageBody, DelaySeconds = 0 } of input.Entries) {
      mailbox.push({ message: JSON.parse(MessageBody), atMs: run.now() + DelaySeconds * 1000 });
    }
    return {};
  };
  const queue = { client: { send }, url: "simulated" } as unknown as Queue;
  const { table, now } = run;
  await start("dispatch", () => dispatchShard({ table, queue, now }, 0, aheadMs, now() + 20_000));
}

/** Heals everything, lets all work and all timers run, and looks at what is left. */
async function comeToRest(context: Context): Promise<void> {
  const { world, ledger, mailbox, random, trace, rates } = context;
  Object.assign(rates, healthy);
  world.healed.rail = true;
  trace("everything is healed");
  await finishWholly(context);
  await checkStore(world.table, ledger);
  for (let rounds = 0; ; rounds++) {
    const nextMs = await findNextDue(world);
    if (nextMs === undefined && mailbox.length === 0) break;
    if (rounds > QUIESCENCE_ROUNDS_MAX) throw new Violation("the timers never come to rest");
    const untilMs = Math.min(nextMs ?? Infinity, ...mailbox.map(({ atMs }) => atMs)) + random.below(60_000);
    move(world.clock, Math.max(0, untilMs - world.clock.ms));
    await startDispatch(context, 0);
    await finishWholly(context);
    for (const posted of mailbox.filter(({ atMs }) => atMs <= world.clock.ms)) {
      await deliver(context, posted, true, true);
      await finishWholly(context);
    }
  }
  await checkQuiescence(world.table, world.railTableName, ledger);
}

async function findNextDue({ table }: SimulatedWorld): Promise<number | undefined> {
  const { Items = [] } = await table.db.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: "byDue",
      KeyConditionExpression: "dueShard = :shard",
      ExpressionAttributeValues: { ":shard": dueShard(0) },
      Limit: 1,
    }),
  );
  return Items[0] === undefined ? undefined : Number(Items[0]["dueAt"]);
}
