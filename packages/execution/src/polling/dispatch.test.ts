import { findTimer, receiveTimer, timerAttributes } from "@intents/storage/polling/timers.ts";
import type { Message } from "@intents/storage/queue/queue.ts";
import { putWaiting } from "@intents/storage/test/intent-fixture.ts";
import { startQueue } from "@intents/storage/test/queue-fixture.ts";
import { startTable } from "@intents/storage/test/table-fixture.ts";
import { afterAll, describe, expect, test } from "vitest";
import { failing } from "../../test/fault-fixture.ts";
import { dispatchShard, dispatchShards } from "./dispatch.ts";

const { table, stop: stopTable } = await startTable();
const { queue, receive, stop: stopQueue } = await startQueue();
afterAll(() => Promise.all([stopTable(), stopQueue()]));

const NOW_MS = Date.UTC(2026, 10, 21, 9);
let shards = 0;
/** Timers of one intent each, alone in a shard. */
async function newTimers(count: number, dueAtMs: number) {
  const shard = ++shards;
  const ids = Array.from({ length: count }, (_, index) => `intent-${shard}-${index}`);
  for (const id of ids) {
    const timer = timerAttributes(1, id, { kind: "poll", dueAtMs });
    await putWaiting(table, { tenantId: "1001", id }, { ...timer, dueShard: `DUE#${shard}` });
  }
  return { shard, ids };
}
const dispatch = async (shard: number, aheadMs = 0, deadlineMs = Number.POSITIVE_INFINITY) =>
  (await dispatchShard({ table, queue, now: () => NOW_MS }, shard, aheadMs, deadlineMs)).leased;
const idsOf = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.kind === "timer" ? message.id : [])).toSorted();

describe("a shard", () => {
  test("is named in a message of its own", async () => {
    await dispatchShards(queue, 3);
    const named = (await receive()).map((message) => (message.kind === "shard" ? message.shard : undefined));
    expect(named.toSorted()).toEqual([0, 1, 2]);
  });

  test("sends each timer that is due once, however many there are", async () => {
    const { shard, ids } = await newTimers(130, NOW_MS);
    expect(await dispatch(shard)).toBe(130);
    expect(await dispatch(shard)).toBe(0);
    const messages = await receive();
    expect(idsOf(messages)).toEqual(ids.toSorted());
    expect(messages[0]).toMatchObject({ kind: "timer", tenantId: "1001", leaseMs: NOW_MS + 60_000.5 });
  });

  test("sends nothing that is not due within the time that it looks ahead, and nothing after its deadline", async () => {
    const { shard, ids } = await newTimers(1, NOW_MS + 1_000);
    expect([await dispatch(shard, 999), await dispatch(shard, 1_000, NOW_MS)]).toEqual([0, 0]);
    expect(await receive()).toEqual([]);
    expect(await dispatch(shard, 1_000, NOW_MS + 1)).toBe(1);
    const timers = await Promise.all(ids.map((id) => findTimer(table, "1001", id)));
    // The lease runs from the time at which the delayed message arrives.
    expect(timers).toEqual([{ kind: "poll", dueAtMs: NOW_MS + 61_000.5 }]);
  });

  test.each([0, 59, 61, 65, 70])(
    "leaves a timer due in %i s to the message that was sent ahead, for 60 s",
    async (dueS) => {
      const { shard, ids } = await newTimers(1, NOW_MS + dueS * 1_000);
      const leasedAfter = async (seconds: number) => {
        const later = { table, queue, now: () => NOW_MS + seconds * 1_000 };
        return (await dispatchShard(later, shard, 70_000, Number.POSITIVE_INFINITY)).leased;
      };
      const tokens = async () =>
        new Set(
          (await receive()).flatMap((message) =>
            message.kind === "timer" && message.id === ids[0] ? message.leaseMs : [],
          ),
        );
      expect(await leasedAfter(0)).toBe(1);
      // Other ticks come before the message arrives, and while it is late: they send nothing under another token.
      for (const seconds of [1, Math.min(60, dueS + 59), dueS, dueS + 59])
        expect([seconds, await leasedAfter(seconds)]).toEqual([seconds, 0]);
      for (const token of await tokens()) expect(token).toBe(NOW_MS + (dueS + 60) * 1_000 + 0.5);
      expect(await leasedAfter(dueS + 61)).toBe(1);
    },
  );

  test("tells how many of its timers are overdue, which nobody has sent for two minutes", async () => {
    const tell = ({ shard }: { shard: number }) =>
      dispatchShard({ table, queue, now: () => NOW_MS }, shard, 70_000, Number.POSITIVE_INFINITY);
    expect(await tell(await newTimers(3, NOW_MS - 119_999))).toEqual({ leased: 3, overdue: 0, failed: [] });
    const late = await newTimers(3, NOW_MS - 120_000);
    expect(await tell(late)).toEqual({ leased: 3, overdue: 3, failed: [] });
    // Somebody holds them now.
    expect(await tell(late)).toEqual({ leased: 0, overdue: 0, failed: [] });
    await receive();
  });

  test("whose message was lost is worked on when its lease ends, without another tick", async () => {
    const { shard, ids } = await newTimers(1, NOW_MS + 30_000);
    expect(await dispatch(shard, 70_000)).toBe(1);
    // This tick is a minute later; the lease of the lost message ends 30 s after it.
    const later = { table, queue, now: () => NOW_MS + 60_000 };
    expect(await dispatchShard(later, shard, 70_000, Number.POSITIVE_INFINITY)).toMatchObject({ leased: 0 });
    const [id = ""] = ids;
    const reminder = { tenantId: "1001", id, leaseMs: NOW_MS + 90_000.5 };
    expect(await receiveTimer(table, reminder, NOW_MS + 90_001)).toMatchObject({ kind: "poll" });
    // The lost one was only late: it comes to nothing.
    expect(await receiveTimer(table, reminder, NOW_MS + 90_002)).toBeUndefined();
  });

  test("with a timer that fails to be leased for good sends all others, and names it", async () => {
    const { shard, ids } = await newTimers(5, NOW_MS);
    const [broken = "", ...others] = ids;
    const worker = failing({ table, queue }, (call) => call.startsWith("UpdateCommand") && call.includes(broken));
    const result = await dispatchShard({ ...worker, now: () => NOW_MS }, shard, 0, Number.POSITIVE_INFINITY);
    expect(result).toMatchObject({ leased: 4, failed: [{ about: `1001/${broken}` }] });
    // Messages of the tests before may come late.
    expect(idsOf(await receive()).filter((id) => ids.includes(id))).toEqual(others.toSorted());
  });
});
