import { newLinkToken, newRecordId } from "@intents/domain/ids.ts";
import { planDraft } from "@intents/domain/intents/plan-draft.ts";
import { tuition } from "@intents/domain/test/intent-fixture.ts";
import { readSpread } from "@intents/storage/polling/spread.ts";
import { findTimer } from "@intents/storage/polling/timers.ts";
import type { Message } from "@intents/storage/queue/queue.ts";
import { shardOf, spreadKey } from "@intents/storage/table/shared-keys.ts";
import { startQueue } from "@intents/storage/test/queue-fixture.ts";
import { readPartition } from "@intents/storage/test/table-fixture.ts";
import { afterAll, expect, test } from "vitest";
import { actAs } from "../../test/acting-fixture.ts";
import { startWorld } from "../../test/execution-fixture.ts";
import { failing } from "../../test/fault-fixture.ts";
import { createIntent } from "../drafts/create.ts";
import { dispatchShard } from "./dispatch.ts";
import { tick } from "./tick.ts";

const world = await startWorld();
const { queue, receive, stop } = await startQueue();
afterAll(() => Promise.all([world.stop(), stop()]));

const RAIL = "sandbox embedded";
const { run, table } = world;
const { draftTtlMs, pollIntervalMs } = run.settings;
/** An id whose timer lies beyond the first two of 64 shards. */
function farId(): string {
  for (;;) {
    const id = newRecordId(world.clock.ms, run.random);
    if (shardOf(id, 64) > 1) return id;
  }
}
const tickWith = async (timerShards: number, watchShards: number): Promise<Message[]> => {
  const schedule = { pollIntervalMs, aheadMs: 0, timerShards, watchShards };
  await tick(table, { queue, lanes: [queue], keys: [RAIL] }, schedule, world.clock.ms);
  return receive();
};
const shardsIn = (messages: readonly Message[], kind: "shard" | "sweep") => [
  ...new Set(messages.flatMap((message) => (message.kind === kind ? message.shard : []))),
];

test("what was written to more shards than a tick's own settings have is dispatched and swept all the same", async () => {
  await tickWith(2, 1);
  // A container whose settings are newer, or of before they were lowered, writes while the old dispatcher ticks.
  const wide = { ...run, settings: { ...run.settings, timerShards: 64, watchShards: 8 } };
  const ids = { id: farId(), publicLinkId: newLinkToken(run.random) };
  const plan = planDraft(tuition, world.caller, ids);
  const far = await actAs("payment-intents", () => createIntent(wide, plan, world.caller));
  world.clock.ms += draftTtlMs;
  const messages = await tickWith(2, 1);
  const shards = shardsIn(messages, "shard");
  expect(shards).toContain(shardOf(far.id, 64));
  expect(shards).toHaveLength(64);
  expect(shardsIn(messages, "sweep")).toHaveLength(8);
  await dispatchShard({ table, queue, now: run.now }, shardOf(far.id, 64), 0, Number.POSITIVE_INFINITY);
  expect(await receive()).toContainEqual(expect.objectContaining({ kind: "timer", id: far.id }));
  expect(await findTimer(table, "1001", far.id)).toMatchObject({ kind: "expire_draft" });
});

test("the numbers of shards only grow, whoever ticks last, and an idle tick writes nothing", async () => {
  await Promise.all([tickWith(100, 9), tickWith(3, 12), tickWith(70, 1)]);
  expect(await readSpread(table)).toEqual({ timers: 100, watches: 12 });
  const before = await readPartition(table, spreadKey.PK);
  const sent: string[] = [];
  const db = new Proxy(table.db, {
    get: (target, name) =>
      name === "send"
        ? async (command: never) => {
            sent.push((command as object).constructor.name);
            return target.send(command);
          }
        : Reflect.get(target, name),
  });
  const schedule = { pollIntervalMs, aheadMs: 0, timerShards: 4, watchShards: 1 };
  await tick({ ...table, db }, { queue, lanes: [queue], keys: [RAIL] }, schedule, world.clock.ms);
  expect(sent).toEqual(["GetCommand"]);
  expect(await readPartition(table, spreadKey.PK)).toEqual(before);
});

test("timers that cannot be sent are named", async () => {
  const schedule = { pollIntervalMs, aheadMs: 0, timerShards: 1, watchShards: 1 };
  const { queue: broken } = failing({ table, queue }, () => true);
  const { failed } = await tick(table, { queue: broken, lanes: [], keys: [] }, schedule, world.clock.ms);
  expect(failed).toMatchObject([{ about: "timers" }]);
});

test("a rail whose lane fails for good delays no other, and no timer", async () => {
  const schedule = { pollIntervalMs, aheadMs: 0, timerShards: 1, watchShards: 1 };
  const broken = failing({ table, queue }, (call) => call.includes("slow rail"));
  const lanes = [broken.queue, queue];
  const { failed } = await tick(table, { queue, lanes, keys: ["slow rail", RAIL] }, schedule, world.clock.ms);
  expect(failed).toMatchObject([{ about: "slow rail" }]);
  const messages = await receive();
  expect(shardsIn(messages, "shard").length).toBeGreaterThan(0);
  expect(shardsIn(messages, "sweep").length).toBeGreaterThan(0);
});
