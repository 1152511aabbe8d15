import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { nextAskMs } from "@intents/domain/polling/points.ts";
import { readSpread } from "@intents/storage/polling/spread.ts";
import { parseWatch } from "@intents/storage/polling/watches.ts";
import { dueShard } from "@intents/storage/table/shared-keys.ts";
import { type Context, finishWholly, type Mail, move } from "./context.ts";
import { checkStore } from "./invariants.ts";
import { scanItems } from "./items.ts";
import { must, Violation } from "./ledger.ts";
import { deliver, startDispatch } from "./operations.ts";
import { openOperators } from "./operators.ts";
import { openProgress } from "./progress.ts";
import type { SimulatedWorld } from "./world.ts";

const healthy = { faultRate: 0, deathRate: 0 };
const QUIESCENCE_ROUNDS_MAX = 20_000;

/** No timer waits longer for the schedule, once it ticks and all is well. */
const LATE_MAX_MS = 3_600_000;
/** For so long healthy payments go on beside those over which their rails stumble. */
const BESIDE_MS = 100 * 60_000;

/**
 * Ends all faults, lets all workers finish and all timers run, and checks the state that is left. Rails that stumble over
 * payments are well again last. Gives the longest time that a healthy payment's end took until then.
 */
export async function comeToRest(context: Context): Promise<number> {
  const { world, ledger, people, mailbox, trace, rates } = context;
  Object.assign(rates, healthy);
  Object.assign(world.healed, { rail: true, sinceMs: world.clock.ms });
  trace("everything is healed");
  const operators = openOperators(world, context.scheduler, ledger);
  await finishWholly(context);
  await checkStore(world.table, ledger, people);
  await context.start("words and records until now", context.fates.finish);
  await finishWholly(context);
  const progress = openProgress(context);
  const untilMs = world.clock.ms + (world.stumbles.size() > 0 ? BESIDE_MS : 0);
  while (world.clock.ms < untilMs) {
    await progress.look();
    const nextMs = await findNextDue(world);
    if (nextMs === undefined && mailbox.length === 0) break;
    await goOn(context, Math.min(nextMs ?? untilMs, untilMs));
  }
  await progress.look();
  world.healed.stumbling = true;
  trace("no rail stumbles any more");
  for (let rounds = 0; ; rounds++) {
    const nextMs = await findNextDue(world);
    if (nextMs === undefined && mailbox.length === 0) break;
    if (rounds > QUIESCENCE_ROUNDS_MAX) throw new Violation("the timers never come to rest");
    for (const intent of [...ledger.intents.values()]) {
      const deed = operators.awaits(intent);
      if (deed !== undefined)
        await context.start(`operator to ${deed} ${intent.id}`, () => operators.act(deed, intent.id));
    }
    await finishWholly(context);
    await progress.look();
    await goOn(context, nextMs);
  }
  await context.start("the last words and records", context.fates.finish);
  await finishWholly(context);
  await context.start("erasure of all who asked for it", people.finish);
  await finishWholly(context);
  for (const receiver of context.receivers) await receiver.finish((ms) => move(world.clock, ms));
  return progress.latestMs();
}

/** Lets the time pass until something is due, and whatever is due by then be done. */
async function goOn(context: Context, nextMs = Number.POSITIVE_INFINITY): Promise<void> {
  const { world, mailbox, random } = context;
  // Nobody who stays away for a month can go on from where the events ended.
  await context.follow();
  const untilMs = Math.min(nextMs, ...mailbox.map(({ atMs }) => atMs)) + random.below(60_000);
  move(world.clock, Math.max(0, untilMs - world.clock.ms));
  await startDispatch(context, 0);
  await finishWholly(context);
  const isDue = ({ atMs }: Mail) => atMs <= world.clock.ms;
  // The shards that a tick names send timers, which are due as well.
  for (let times = 0; times < 2; times++) {
    for (const posted of mailbox.filter(isDue)) {
      await deliver(context, posted, true, true);
      await finishWholly(context);
    }
  }
}

/** The time of the next timer, or of the next point of what waits for a rail. */
async function findNextDue(world: SimulatedWorld): Promise<number | undefined> {
  const { run } = world;
  const times = (await scanItems(world.table, world.table.name))
    .flatMap(parseWatch)
    .map((watch) => nextAskMs(watch, run.now(), run.settings));
  const dueMs = await findNextTimer(world);
  if (dueMs !== undefined) {
    const lateMs = run.now() - Math.max(dueMs, world.healed.sinceMs);
    must(lateMs <= LATE_MAX_MS, `a timer was due ${Math.round(lateMs / 1000)} s ago, and nobody came for it`);
    times.push(dueMs);
  }
  return times.length === 0 ? undefined : Math.min(...times);
}

async function findNextTimer({ table }: SimulatedWorld): Promise<number | undefined> {
  const { timers } = await readSpread(table);
  const first = Array.from({ length: timers }, async (_, shard) => {
    const { Items = [] } = await table.db.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: "byDue",
        KeyConditionExpression: "dueShard = :shard",
        ExpressionAttributeValues: { ":shard": dueShard(shard) },
        Limit: 1,
      }),
    );
    return Items.map(({ dueAt }) => Number(dueAt));
  });
  const times = (await Promise.all(first)).flat();
  return times.length === 0 ? undefined : Math.min(...times);
}
