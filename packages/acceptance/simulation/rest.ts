import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { nextAskMs } from "@intents/domain/intents/points.ts";
import { parseWatch } from "@intents/storage/intents/watches.ts";
import { dueShard } from "@intents/storage/table/shared-keys.ts";
import { type Context, finishWholly, move } from "./context.ts";
import { checkStore } from "./invariants.ts";
import { scanItems } from "./items.ts";
import { Violation } from "./ledger.ts";
import { deliver, startDispatch } from "./operations.ts";
import { openOperators } from "./operators.ts";
import type { SimulatedWorld } from "./world.ts";

const healthy = { faultRate: 0, deathRate: 0 };
const QUIESCENCE_ROUNDS_MAX = 20_000;

/** Ends all faults, lets all workers finish and all timers run, and checks the state that is left. */
export async function comeToRest(context: Context): Promise<void> {
  const { world, ledger, follower, mailbox, random, trace, rates } = context;
  Object.assign(rates, healthy);
  world.healed.rail = true;
  trace("everything is healed");
  const operators = openOperators(world, context.scheduler, ledger);
  await finishWholly(context);
  await checkStore(world.table, ledger);
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
    // Nobody who stays away for a month can go on from where the events ended.
    await follower.follow();
    const untilMs = Math.min(nextMs ?? Infinity, ...mailbox.map(({ atMs }) => atMs)) + random.below(60_000);
    move(world.clock, Math.max(0, untilMs - world.clock.ms));
    await startDispatch(context, 0);
    await finishWholly(context);
    for (const posted of mailbox.filter(({ atMs }) => atMs <= world.clock.ms)) {
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
  if (dueMs !== undefined) times.push(dueMs);
  return times.length === 0 ? undefined : Math.min(...times);
}

async function findNextTimer({ table }: SimulatedWorld): Promise<number | undefined> {
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
