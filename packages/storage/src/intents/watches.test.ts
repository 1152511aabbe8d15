import type { Watch } from "@intents/domain/intents/watch.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { shardOf } from "../table/shared-keys.ts";
import type { Table } from "../table/table.ts";
import { startTable } from "../table/table-fixture.ts";
import { putWaiting } from "./intent-fixture.ts";
import { findTimer, timerAttributes, wakeBatch } from "./timers.ts";
import { findWatchedRails, findWatches, listWatches, watchAttributes } from "./watches.ts";

const START_MS = Date.UTC(2026, 10, 21, 9);
const SHARDS = 3;
const rail = "http https://rail.example/v1";

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ table, stop } = await startTable());
});
afterAll(() => stop());

let made = 0;
async function newWatch(changes: Partial<Watch> = {}, at = rail) {
  const intent = { tenantId: "1001", id: `watched-${++made}` };
  const plain = { executionId: `e${made}:1`, seed: intent.id, startedMs: START_MS };
  const watch: Watch = { ...plain, isCheckout: false, isHolding: false, ...changes };
  await putWaiting(table, intent, watchAttributes({ shards: SHARDS, rail: at }, watch));
  return { ...intent, ...watch };
}
async function read(fromMs: number, untilMs: number, at = rail) {
  const found = [];
  for (let shard = 0; shard < SHARDS; shard++) {
    for await (const page of findWatches(table, { shard, rail: at }, { fromMs, untilMs })) found.push(...page);
  }
  return found;
}

describe("a watch", () => {
  test.each<Partial<Watch>>([
    {},
    { expectedMs: START_MS + 5 },
    { isCheckout: true },
    { isHolding: true, isCheckout: true, expectedMs: 0 },
  ])("with %j is read from the index as it was written, in the one part of its intent", async (changes) => {
    const watch = await newWatch(changes, "other there");
    expect(await read(0, START_MS, "other there")).toContainEqual(watch);
    const shard = shardOf(watch.id, SHARDS);
    const { value = [] } = await findWatches(
      table,
      { shard, rail: "other there" },
      { fromMs: 0, untilMs: START_MS },
    ).next();
    expect(value).toContainEqual(watch);
    expect(await listWatches(table, watch)).toEqual([watch]);
  });

  test("is found by its start alone, from the first millisecond to the last, and by no other rail", async () => {
    const watch = await newWatch({ startedMs: START_MS + 500 });
    const idsOf = async (fromMs: number, untilMs: number, at?: string) =>
      (await read(fromMs, untilMs, at)).map(({ id }) => id).includes(watch.id);
    expect(await idsOf(START_MS + 500, START_MS + 500)).toBe(true);
    expect(await idsOf(-5, START_MS + 499)).toBe(false);
    expect(await idsOf(START_MS + 501, START_MS + 900)).toBe(false);
    expect(await idsOf(0, START_MS + 900, "http https://rail.example/v")).toBe(false);
  });

  test("stands in the place of a timer, and is none", async () => {
    const watch = await newWatch();
    expect(await findTimer(table, watch.tenantId, watch.id)).toBeUndefined();
    await putWaiting(table, watch, timerAttributes(1, watch.id, { kind: "recover_submission", dueAtMs: 9 }));
    expect(await listWatches(table, watch)).toEqual([]);
  });
});

test("the rails with watches are known, configured or not", async () => {
  const intents = [await newWatch({}, "gone https://old.example"), await newWatch()];
  const shards = [...new Set(intents.map(({ id }) => shardOf(id, SHARDS)))];
  const rails = (await Promise.all(shards.map((shard) => findWatchedRails(table, shard)))).flat();
  expect(rails.map((watched) => watched.rail)).toEqual(expect.arrayContaining(["gone https://old.example", rail]));
  expect(await findWatchedRails(table, 63)).toEqual([]);
});

test("a batch that does not exist is not woken", async () => {
  expect(await wakeBatch(table, { tenantId: "1001", id: "gone" }, START_MS)).toBeUndefined();
  expect(await findTimer(table, "1001", "gone")).toBeUndefined();
});
