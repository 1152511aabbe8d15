import type { Timer } from "@intents/domain/intents/timer.ts";
import { afterAll, describe, expect, test } from "vitest";
import { putWaiting } from "../../test/intent-fixture.ts";
import { readAll, startTable } from "../../test/table-fixture.ts";
import { parseTimerKey } from "../table/key-owners.ts";
import { keysOf } from "../table/keys.ts";
import { dueShard, shardOf } from "../table/shared-keys.ts";
import { countDue, findDue, findTimer, leaseTimer, moveTimer, timerAttributes, wakeDraft } from "./timers.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 9);
const SHARDS = 4;

const { table, stop } = await startTable();
afterAll(stop);

let made = 0;
async function newTimer(dueAtMs: number, kind: Timer["kind"] = "poll") {
  const intent = { tenantId: "1001", id: `intent-${++made}` };
  await putWaiting(table, intent, timerAttributes(SHARDS, intent.id, { kind, dueAtMs }));
  return { tenantId: intent.tenantId, id: intent.id, dueAtMs };
}
const find = (timer: { tenantId: string; id: string }) => findTimer(table, timer.tenantId, timer.id);
const dueIn = (shard: number, untilMs: number) => readAll(findDue(table, shard, untilMs, 100));
const due = async (untilMs: number) =>
  (await Promise.all(Array.from({ length: SHARDS }, (_, shard) => dueIn(shard, untilMs)))).flat();

describe("a timer", () => {
  test("is due from its millisecond on, in the one shard of its intent", async () => {
    const timer = await newTimer(NOW_MS + 5);
    expect(await due(NOW_MS + 4)).not.toContainEqual(timer);
    expect(await dueIn(shardOf(timer.id, SHARDS), NOW_MS + 5)).toContainEqual(timer);
    expect((await due(NOW_MS + 5)).filter(({ id }) => id === timer.id)).toHaveLength(1);
  });

  test("that ten workers find due is leased by one of them, and no longer due for the others", async () => {
    const timer = await newTimer(NOW_MS);
    const leases = await Promise.all(Array.from({ length: 10 }, () => leaseTimer(table, timer, NOW_MS)));
    const won = leases.filter((lease) => lease !== undefined);
    expect(won).toHaveLength(1);
    expect(await find(timer)).toEqual({ kind: "poll", dueAtMs: won[0]?.leaseMs });
    expect(await due(NOW_MS + 60_000)).not.toContainEqual(timer);
  });

  test("whose lease has run out is due again", async () => {
    const timer = await newTimer(NOW_MS);
    const lease = await leaseTimer(table, timer, NOW_MS);
    const again = { ...timer, dueAtMs: lease?.leaseMs ?? 0 };
    expect(await due(again.dueAtMs)).toContainEqual(again);
  });

  test("is moved only by the worker that holds it", async () => {
    const timer = await newTimer(NOW_MS);
    expect(await moveTimer(table, { ...timer, dueAtMs: NOW_MS - 1 }, { dueAtMs: 1 })).toBe(false);
    expect(await moveTimer(table, timer, { dueAtMs: NOW_MS + 9 })).toBe(true);
    expect(await find(timer)).toEqual({ kind: "poll", dueAtMs: NOW_MS + 9 });
  });

  test("of a draft is leased once before its time, and that of a payment is not", async () => {
    const [draft, other] = [await newTimer(NOW_MS + 86_400_000, "expire_draft"), await newTimer(NOW_MS + 86_400_000)];
    const lease = await wakeDraft(table, draft, NOW_MS);
    expect(lease).toMatchObject({ id: draft.id });
    expect(await find(draft)).toEqual({ kind: "expire_draft", dueAtMs: lease?.leaseMs });
    expect(await wakeDraft(table, draft, NOW_MS)).toBeUndefined();
    expect(await wakeDraft(table, other, NOW_MS)).toBeUndefined();
    expect(await find(other)).toMatchObject({ dueAtMs: other.dueAtMs });
  });

  test("is removed with its cause, and moving it after that does not bring it back", async () => {
    const timer = await newTimer(NOW_MS);
    await putWaiting(table, timer, {});
    expect(await find(timer)).toBeUndefined();
    expect(await leaseTimer(table, timer, NOW_MS)).toBeUndefined();
    expect(await find(timer)).toBeUndefined();
  });
});

test("due timers come oldest first, in pages no larger than asked for", async () => {
  await Promise.all(Array.from({ length: 20 }, (_, index) => newTimer(NOW_MS - ((index * 7) % 20))));
  const timesOf = async (limit: number) => {
    const { value = [] } = await findDue(table, 0, NOW_MS, limit).next();
    return (value as { dueAtMs: number }[]).map(({ dueAtMs }) => dueAtMs);
  };
  const all = await timesOf(100);
  expect(all.length).toBeGreaterThan(3);
  expect(all).toEqual(all.toSorted((left, right) => left - right));
  expect(await timesOf(3)).toEqual(all.slice(0, 3));
});

test("due timers are counted, with the overdue ones and the time of the oldest", async () => {
  const shards = 1000;
  const shard = shardOf("counted-1", shards);
  const times = [NOW_MS - 5, NOW_MS - 3, NOW_MS, NOW_MS + 1];
  for (const [index, dueAtMs] of times.entries()) {
    const id = `counted-${index}`;
    const timer = timerAttributes(shards, id, { kind: "poll", dueAtMs });
    await putWaiting(table, { tenantId: "1001", id }, { ...timer, dueShard: dueShard(shard) });
  }
  const counted = await countDue(table, shard, NOW_MS, NOW_MS - 3);
  expect(counted).toEqual({ due: 3, overdue: 2, oldestMs: NOW_MS - 5 });
  expect(await countDue(table, shards, NOW_MS, NOW_MS)).toEqual({ due: 0, overdue: 0, oldestMs: undefined });
});

test("the owner of a timer can be read from its key alone", () => {
  expect(parseTimerKey(keysOf("1001").timer("abc").PK)).toEqual({ tenantId: "1001", id: "abc" });
  expect(parseTimerKey(dueShard(1))).toBeUndefined();
});
