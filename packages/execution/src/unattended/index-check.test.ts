import { SHARDS_MAX } from "@intents/deployment/settings.ts";
import { HOUR_MS } from "@intents/domain/durations.ts";
import { readSpread, type Spread } from "@intents/storage/polling/spread.ts";
import { findSweepCursor, moveSweepCursor, type Swept } from "@intents/storage/polling/sweeps.ts";
import { watchAttributes } from "@intents/storage/polling/watches.ts";
import { putWaiting } from "@intents/storage/test/intent-fixture.ts";
import { startTable } from "@intents/storage/test/table-fixture.ts";
import { afterAll, expect, test, vi } from "vitest";
import { actAs } from "../../test/acting-fixture.ts";
import { failing } from "../../test/fault-fixture.ts";
import { findUnattended, lookAfter } from "./index-check.ts";

const { table, stop } = await startTable({ isHostile: false });
afterAll(stop);

const NOW_MS = Date.UTC(2026, 10, 21, 9);
const RAIL = "sandbox embedded";
const spread: Spread = { timers: 250, watches: 2 };
const settings = { aheadMs: 70_000, pollIntervalMs: 30_000, keys: [RAIL] };
const find = () => actAs("dispatch-due", () => findUnattended(table, { ...settings, spread }, NOW_MS));
const move = async (swept: Swept, toMs: number) =>
  moveSweepCursor(table, swept, await findSweepCursor(table, swept), toMs);
const allPresent = async () => {
  for (const shard of [0, 1])
    for (const age of ["near", "far"] as const) await move({ rail: RAIL, shard, age }, NOW_MS);
};

/** A payment that waits for a rail since an hour ago and more, in a shard of the test's choice. */
function putWatch(id: string, shard: number, rail = RAIL, startedMs = NOW_MS - HOUR_MS - 1) {
  const watch = { executionId: "e", seed: id, startedMs, isCheckout: false, isHolding: false };
  return putWaiting(
    table,
    { tenantId: "1001", id },
    { ...watchAttributes({ shards: 1, rail }, watch), watchPK: `WATCH#${shard}` },
  );
}

test("timers and watches beyond the shards that ticks cover are found, and covered from then on", async () => {
  await allPresent();
  await putWaiting(table, { tenantId: "1001", id: "covered" }, { dueShard: "DUE#3", dueAt: NOW_MS - HOUR_MS });
  await putWatch("watched", 1);
  expect(await find()).toEqual([]);
  // Not even due yet: nobody would send it when it is.
  await putWaiting(table, { tenantId: "1001", id: "stranded" }, { dueShard: "DUE#253", dueAt: NOW_MS + HOUR_MS });
  await putWatch("unasked", 7);
  const found = await find();
  expect(found).toEqual([
    { what: "timers", shard: 253, atMs: NOW_MS + HOUR_MS },
    { what: "watches", shard: 7, atMs: NOW_MS - HOUR_MS - 1 },
  ]);
  await actAs("dispatch-due", () => lookAfter(table, found, NOW_MS));
  expect(await readSpread(table)).toEqual({ timers: 254, watches: 8 });
});

test("a cursor that lies further ahead than sweeps move it is found, and stands at the present then", async () => {
  const near: Swept = { rail: RAIL, shard: 0, age: "near" };
  await allPresent();
  await move({ ...near, age: "far" }, NOW_MS + 70_000 + 600_000);
  await move(near, NOW_MS + 30_000);
  const isAhead = async () => (await find()).filter(({ what }) => what === "cursor lies ahead");
  expect(await isAhead()).toEqual([]);
  await move(near, NOW_MS + 2 * HOUR_MS);
  const found = await isAhead();
  expect(found).toEqual([{ what: "cursor lies ahead", swept: near, atMs: NOW_MS + 2 * HOUR_MS }]);
  await actAs("dispatch-due", () => lookAfter(table, found, NOW_MS));
  expect(await findSweepCursor(table, near)).toMatchObject({ atMs: NOW_MS });
});

test("a cursor that stands still, or never began, is found where something waits for it", async () => {
  await allPresent();
  await putWatch("waiting", 0);
  await move({ rail: RAIL, shard: 0, age: "near" }, NOW_MS - HOUR_MS - 1);
  const still = async () => (await find()).filter(({ what }) => what === "cursor stands still");
  expect(await still()).toEqual([
    { what: "cursor stands still", swept: { rail: RAIL, shard: 0, age: "near" }, atMs: NOW_MS - HOUR_MS - 1 },
  ]);
  await allPresent();
  expect(await still()).toEqual([]);
  // Nobody has swept this rail yet; a payment of this minute may wait for the first tick.
  const other = (keys: readonly string[]) => findUnattended(table, { ...settings, keys, spread }, NOW_MS);
  await putWatch("young", 0, "http https://rail.example", NOW_MS - 1_000);
  expect(await other([RAIL, "http https://rail.example"])).not.toContainEqual(
    expect.objectContaining({ what: "cursor stands still" }),
  );
  await putWatch("old", 0, "http https://rail.example");
  expect(await other([RAIL, "http https://rail.example"])).toContainEqual(
    expect.objectContaining({ what: "cursor stands still", atMs: NOW_MS - HOUR_MS - 1 }),
  );
});

test("a rail that holds payments and is not configured is found once, however many shards they lie in", async () => {
  await allPresent();
  const gone = "gone https://old.example";
  await putWatch("first", 0, gone, NOW_MS - 5);
  await putWatch("second", 1, gone, NOW_MS - 9);
  const rails = (await find()).filter((each) => each.what === "rail is not configured" && each.rail === gone);
  expect(rails).toEqual([{ what: "rail is not configured", rail: gone, atMs: NOW_MS - 9 }]);
});

test("the check reads each shard that there may be once, however much lies there, and writes nothing", async () => {
  const sent = vi.spyOn(table.db, "send");
  const count = async () => {
    sent.mockClear();
    await find();
    return sent.mock.calls.map(([command]) => command.constructor.name);
  };
  const calls = await count();
  await Promise.all(Array.from({ length: 30 }, (_, index) => putWatch(`more-${index}`, index % 2)));
  expect(await count()).toEqual(calls);
  expect(new Set(calls)).toEqual(new Set(["QueryCommand", "BatchGetCommand"]));
  expect(calls.length).toBeLessThan(SHARDS_MAX.timers - spread.timers + SHARDS_MAX.watches + 10);
  sent.mockRestore();
});

test("a cursor that fails to be moved for good keeps no other where it is, and is named", async () => {
  await allPresent();
  const [broken, other] = [0, 1].map((shard): Swept => ({ rail: RAIL, shard, age: "near" })) as [Swept, Swept];
  for (const swept of [broken, other]) await move(swept, NOW_MS + 2 * HOUR_MS);
  const as = failing({ table }, (call) => call.startsWith("UpdateCommand") && call.includes(`${RAIL}#0#near`));
  await expect(lookAfter(as.table, await find(), NOW_MS)).rejects.toThrow(`${RAIL} 0 near`);
  expect(await findSweepCursor(table, other)).toMatchObject({ atMs: NOW_MS });
});
