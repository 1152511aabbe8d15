import { wakeBatch } from "@intents/storage/polling/timers.ts";
import { StoreBusy } from "@intents/storage/table/transact.ts";
import { afterAll, describe, expect, test } from "vitest";
import { batchesOf } from "../../test/batch-fixture.ts";
import { by, DEDUP_MS, SETTLE_MS, startWorld } from "../../test/execution-fixture.ts";
import { beforeTransactions } from "../../test/fault-fixture.ts";
import { ticking } from "../../test/ticking-fixture.ts";
import { advanceIntent } from "../advance.ts";
import { holdBatch, resumeBatch } from "../operations/batch.ts";
import { resolveIntent } from "../operations/payment.ts";
import type { RecipientTrouble, Run } from "../run.ts";

const world = await startWorld();
afterAll(world.stop);

const { legsOf, submitted, runToEnd, expectSound } = batchesOf(world, 30);
const { tenantId } = world.caller;
const INTERVAL_MS = 30_000;
const RECOVERY_MS = 1_800_000;

/** A worker at the deployed pace, what it warned of, and the schedule's work for it. */
function atDeployedPace(as: Run) {
  const warned: RecipientTrouble[] = [];
  const settings = { ...as.settings, pollIntervalMs: INTERVAL_MS, recoveryAfterMs: RECOVERY_MS };
  const run: Run = { ...as, settings, warn: (trouble) => void warned.push(trouble) };
  const { tick } = ticking({ run, clock: world.clock, tenantId, get: world.get });
  return { run, warned, tick: (id: string) => tick(id) };
}

const orderOf = (executionId: string): number => Number(executionId.split(":")[1]);

// After an outage the batch's own pace decides when it is paid.
test.each([
  [0, 2],
  [240_000, 4],
])(
  "after an outage of %i ms, each healthy end in a batch is known within %i intervals, and the two recipients that fail for good are named",
  async (outageMs, intervals) => {
    const { execute } = world.rail.port;
    const isPoisoned = (order: number) => order < 2;
    const id = await submitted(60);
    const backAtMs = world.clock.ms + outageMs;
    const { tick, warned } = atDeployedPace(
      world.withRail({
        execute: async (order, executionId) => {
          if (world.clock.ms < backAtMs) return { kind: "unreachable", reason: "down" };
          const answer = await execute(order, executionId);
          // No item can hold this id.
          const railPaymentId = "x".repeat(430_000);
          return answer.kind === "accepted" && isPoisoned(orderOf(executionId)) ? { ...answer, railPaymentId } : answer;
        },
      }),
    );
    while ((await world.get(id)).status === "executing") await tick(id);
    for (const { order, status, trouble, ended } of await legsOf(id)) {
      if (!isPoisoned(order)) {
        expect(ended?.atMs).toBeLessThanOrEqual(backAtMs + SETTLE_MS + intervals * INTERVAL_MS);
        continue;
      }
      expect([status, trouble?.what]).toEqual(["pending", expect.stringContaining("size")]);
      // At pauses that double, half an hour has few of them.
      expect(trouble?.times).toBeLessThan(10);
    }
    expect(warned.filter(({ fault }) => fault === undefined).map(({ order }) => order)).toEqual([0, 1]);
    const legs = [0, 1].map((order) => ({ order, status: "pending" }));
    expect((await world.eventsOf(id)).at(-1)).toMatchObject({
      event: "paymentIntent.requires_recovery",
      data: { cause: expect.stringContaining("recipient 0 ("), legs },
    });
  },
);

/** The message by which a batch is advanced now: of its timer, or of news about its recipients. */
async function messageOf(id: string) {
  const woken = await wakeBatch(world.table, { tenantId, id }, world.clock.ms);
  return woken ?? { tenantId, id, leaseMs: (await world.timerOf(id))?.dueAtMs ?? 0 };
}

/** A worker whose transactions the store turns away where `isHit` says so, however often they are tried. */
const throttled = (isHit: (transaction: string) => boolean): Run =>
  beforeTransactions(world.run, async (transaction) => {
    if (isHit(transaction)) throw new StoreBusy("The store stayed contended");
  });
const about = (transaction: string, order: number) => transaction.includes(`LEG#${String(order).padStart(9, "0")}`);

describe("a recipient", () => {
  test("that the store throttles for a moment delays nobody else, and is paid after a pause of its own", async () => {
    const id = await submitted(25);
    let hits = 0;
    const run = throttled((transaction) => about(transaction, 3) && hits++ === 0);
    await advanceIntent(run, await messageOf(id), Number.POSITIVE_INFINITY);
    const legs = await legsOf(id);
    expect(legs.filter(({ status }) => status !== "executing").map(({ order }) => order)).toEqual([3]);
    expect(legs[3]?.trouble).toMatchObject({ what: "The store stayed contended", times: 1, sinceMs: world.clock.ms });
    expect((await world.get(id)).executions[0]?.connectorPaymentIds).toHaveLength(24);
    const paid = await runToEnd(id);
    expect(paid).toMatchObject({ status: "completed", bulkProgress: { total: 25, completed: 25 } });
    for (const leg of await legsOf(id)) expect(leg).not.toHaveProperty("trouble");
    await expectSound(id);
  });

  test("whose failure cannot be written fails the delivery, after all others are dealt with and summed up", async () => {
    const id = await submitted(12);
    const run = throttled((transaction) => about(transaction, 0));
    const message = await messageOf(id);
    await expect(advanceIntent(run, message, Number.POSITIVE_INFINITY)).rejects.toThrow(StoreBusy);
    expect((await world.get(id)).executions[0]?.connectorPaymentIds).toHaveLength(11);
    expect(await runToEnd(id)).toMatchObject({ bulkProgress: { total: 12, completed: 12 } });
    await expectSound(id);
  });

  test("that fails again and again is left alone twice as long each time, up to an hour", async () => {
    const id = await submitted(1);
    const { tick } = atDeployedPace(
      world.withRail({
        execute: async () => {
          throw new Error("boom");
        },
      }),
    );
    const pauses: number[] = [];
    for (let times = 0; times < 10; times++) {
      await tick(id);
      const [leg] = await legsOf(id);
      if (leg?.trouble?.times === times + 1) pauses.push(leg.trouble.retryAtMs - world.clock.ms);
      world.clock.ms = leg?.trouble?.retryAtMs ?? 0;
    }
    const doubled = [0.5, 1, 2, 4, 8, 16, 32, 60, 60, 60].map((minutes) => minutes * 60_000);
    expect(pauses).toEqual(doubled.slice(0, pauses.length));
    expect(pauses.length).toBeGreaterThan(8);
    world.clock.ms += DEDUP_MS;
    await resolveIntent(world.run, by(id), { as: "executing" });
    expect(await runToEnd(id)).toMatchObject({ status: "completed" });
    expect(await world.paymentsOf(id)).toHaveLength(1);
  });

  test("over whom a rail's question breaks is found by asking about each alone, and the others end", async () => {
    const id = await submitted(4);
    await world.tick(id);
    const { statuses } = world.rail.port;
    const breaking = world.withRail({
      statuses: async (asked) => {
        if (asked.some(({ executionId }) => orderOf(executionId) === 2)) throw new Error("cannot read it");
        return (await statuses?.(asked)) ?? [];
      },
    });
    world.clock.ms += SETTLE_MS;
    await advanceIntent(breaking, await messageOf(id), Number.POSITIVE_INFINITY);
    const legs = await legsOf(id);
    expect(legs.map(({ status }) => status)).toEqual(["cleared", "cleared", "executing", "cleared"]);
    expect(legs[2]?.trouble).toMatchObject({ what: "cannot read it", times: 1 });
    expect(await runToEnd(id)).toMatchObject({ status: "completed", bulkProgress: { completed: 4 } });
  });

  test("over whom a rail stumbles keeps no other's news from its batch", async () => {
    const id = await submitted(4);
    await world.tick(id);
    const { statuses } = world.rail.port;
    const stumbling = world.withRail({
      statuses: async (asked) =>
        asked.some(({ executionId }) => orderOf(executionId) === 2)
          ? asked.map(() => ({ kind: "unavailable", reason: "502" }))
          : ((await statuses?.(asked)) ?? []),
    });
    world.clock.ms += SETTLE_MS;
    await advanceIntent(stumbling, { ...(await messageOf(id)), news: [0, 1, 3] }, Number.POSITIVE_INFINITY);
    expect((await legsOf(id)).map(({ status }) => status)).toEqual(["cleared", "cleared", "executing", "cleared"]);
    expect((await world.get(id)).bulkProgress).toEqual({ total: 4, completed: 3, failed: 0 });
  });

  test("that fails while its batch is held stays unpaid until the batch goes on", async () => {
    const id = await submitted(2);
    let hits = 0;
    await advanceIntent(
      throttled((transaction) => about(transaction, 0) && hits++ === 0),
      await messageOf(id),
      Number.POSITIVE_INFINITY,
    );
    await holdBatch(world.run, by(id));
    for (let ticks = 0; ticks < 3; ticks++) await world.tick(id);
    expect(await world.paymentsOf(id)).toHaveLength(1);
    await resumeBatch(world.run, by(id));
    expect(await runToEnd(id)).toMatchObject({ status: "completed", bulkProgress: { completed: 2 } });
  });
});

describe("a rail that does not know what it had accepted", () => {
  const denying = (order: number): Run => {
    const { statuses } = world.rail.port;
    return world.withRail({
      status: async () => ({ kind: "not_found" }),
      statuses: async (asked) => {
        const answers = (await statuses?.(asked)) ?? [];
        return answers.map((answer, index) =>
          orderOf(asked[index]?.executionId ?? "") === order ? { kind: "not_found" } : answer,
        );
      },
    });
  };

  test("loses track of a batch at once, as of a payment, and the recipient is named", async () => {
    const id = await submitted(3);
    await world.tick(id);
    expect(await world.tick(id, denying(1))).toBe("lost_track");
    expect((await world.get(id)).status).toBe("requires_recovery");
    expect((await legsOf(id))[1]?.trouble).toMatchObject({ what: "unknown to the rail", isDenied: true });
    expect((await world.eventsOf(id)).at(-1)).toMatchObject({
      data: { cause: "no final answer in time about recipient 1 (unknown to the rail)" },
    });
  });

  test("and is asked again after an operator has let the batch go on, whatever it said before", async () => {
    const id = await submitted(3);
    await world.tick(id);
    await world.tick(id, denying(1));
    world.clock.ms += 1;
    expect(await resolveIntent(world.run, by(id), { as: "executing" })).toMatchObject({ ok: true });
    expect(await runToEnd(id)).toMatchObject({ status: "completed", bulkProgress: { completed: 3 } });
    await expectSound(id);
  });
});
