import type { Watch } from "@intents/domain/polling/watch.ts";
import { afterAll, describe, expect, test } from "vitest";
import { putWaiting } from "../../test/intent-fixture.ts";
import { readAll, startTable } from "../../test/table-fixture.ts";
import type { FailedItem } from "../table/in-turns.ts";
import { shardOf } from "../table/shared-keys.ts";
import { findTimer, timerAttributes, wakeBatch } from "./timers.ts";
import {
  findNewestWatches,
  findWatchedRails,
  findWatches,
  listWatches,
  parseWatch,
  watchAttributes,
} from "./watches.ts";

const START_MS = Date.UTC(2026, 10, 21, 9);
const SHARDS = 3;
const rail = "http https://rail.example/v1";

const { table, stop } = await startTable();
afterAll(stop);

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
  test.each<[watch: Partial<Watch>, watchSK: string]>([
    [{}, "r#000000000000007###e"],
    [{ expectedMs: 9, isCheckout: true }, "r#000000000000007#9#c#e"],
    [{ isHolding: true, startedMs: 6.5 }, "r#000000000000007##h#e"],
    [{ expectedMs: 0, isCheckout: true, isHolding: true, startedMs: -1 }, "r#000000000000000#0#ch#e"],
  ])("is stored as it is read by every version of the service: %j", (changes, watchSK) => {
    const watch = { executionId: "e", seed: "i", startedMs: 7, isCheckout: false, isHolding: false, ...changes };
    const attributes = { watchPK: `WATCH#${shardOf("i", SHARDS)}`, watchSK };
    expect(watchAttributes({ shards: SHARDS, rail: "r" }, watch)).toEqual(attributes);
    const startedMs = Math.max(0, Math.ceil(watch.startedMs));
    const owner = { tenantId: "1001", id: "i" };
    const item = { PK: "T#1001#INTENT#i", ...attributes };
    expect(parseWatch({ ...item, SK: "INTENT" })).toEqual([{ ...owner, ...watch, startedMs }]);
    expect(parseWatch({ ...item, SK: "LEG#00012" })).toEqual([{ ...owner, ...watch, startedMs, order: 12 }]);
  });

  test.each([
    ["has no watch", { PK: "T#1001#INTENT#i" }],
    ["is no intent's", { PK: "T#1001#PAYER#i", watchSK: "r#7###e" }],
    ["has no execution", { PK: "T#1001#INTENT#i", watchSK: "r#7##" }],
    ["has an empty execution", { PK: "T#1001#INTENT#i", watchSK: "r#7###" }],
    ["began at no time", { PK: "T#1001#INTENT#i", watchSK: "r#x###e" }],
    ["is expected at no time", { PK: "T#1001#INTENT#i", watchSK: "r#7#x##e" }],
  ])("is none where the item %s", (_, item) => {
    expect(parseWatch({ SK: "INTENT", ...item })).toEqual([]);
  });

  test("that is none has no attributes, and is named where it cannot be read, beside all others", async () => {
    expect(watchAttributes({ shards: 1, rail }, undefined)).toEqual({});
    const broken = { tenantId: "1001", id: "broken" };
    const watchSK = "torn there#000000000000007#x##e";
    const watch = await newWatch({ startedMs: 8 }, "torn there");
    const shard = shardOf(watch.id, SHARDS);
    await putWaiting(table, broken, { watchPK: `WATCH#${shard}`, watchSK });
    const failed: FailedItem[] = [];
    const pages = findWatches(table, { shard, rail: "torn there" }, { fromMs: 0, untilMs: 9 }, failed);
    expect(await readAll(pages)).toEqual([watch]);
    expect(failed).toEqual([{ about: "T#1001#INTENT#broken INTENT", reason: new Error("No watch") }]);
  });

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

test("the newest watches of a rail in a partition are those that started last", async () => {
  const watches = [];
  for (const startedMs of [1, 2, 3, 4]) watches.push(await newWatch({ seed: "same", startedMs }, "newest b"));
  for (const at of ["newest a", "newest c"]) await newWatch({ seed: "same", startedMs: 9 }, at);
  const place = { shard: shardOf("same", SHARDS), rail: "newest b" };
  const newest = async (limit: number) => (await findNewestWatches(table, place, limit)).map(({ id }) => id);
  const ids = watches.map(({ id }) => id).toReversed();
  expect([await newest(2), await newest(9)]).toEqual([ids.slice(0, 2), ids]);
  expect(await findNewestWatches(table, { ...place, rail: "newest" }, 9)).toEqual([]);
  const known = await findWatchedRails(table, place.shard);
  expect(known.filter((one) => one.rail.startsWith("newest"))).toEqual([
    { rail: "newest a", oldestMs: 9 },
    { rail: "newest b", oldestMs: 1 },
    { rail: "newest c", oldestMs: 9 },
  ]);
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
