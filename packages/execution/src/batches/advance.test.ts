import { claimLeg } from "@intents/domain/batches/leg.ts";
import { troubledLeg } from "@intents/domain/batches/trouble.ts";
import { listLegs } from "@intents/storage/intents/batch-legs.ts";
import { findTimer, wakeBatch } from "@intents/storage/polling/timers.ts";
import { readPartition } from "@intents/storage/test/table-fixture.ts";
import { afterAll, describe, expect, test } from "vitest";
import { batchesOf } from "../../test/batch-fixture.ts";
import { LEASE_MS, RECOVERY_AFTER_MS, SETTLE_MS, startWorld } from "../../test/execution-fixture.ts";
import { countCalls } from "../../test/fault-fixture.ts";
import { advanceIntent } from "../advance.ts";
import type { Run } from "../run.ts";
import { readBatch } from "./advance.ts";
import { applyLegAnswer, writeLeg } from "./leg-work.ts";

const world = await startWorld();
afterAll(world.stop);

const { legsOf, statusesOf, submitted, runToEnd } = batchesOf(world, 20);
const eventsOf = async (id: string) => (await world.eventsOf(id)).map(({ event }) => event);

/** The size of the largest batch: in the whole, dry-run allows no larger one. */
const RECIPIENTS_MAX = process.env["WHOLE"] === "1" ? 500 : 60;

describe.each([...new Set([60, RECIPIENTS_MAX])])("a batch of %i", (count) => {
  test("pays every recipient once, in its own currency, and completes", async () => {
    const id = await submitted(count);
    expect(await world.get(id)).toMatchObject({
      status: "executing",
      bulkProgress: { total: count, completed: 0, failed: 0 },
      executions: [{ connectorPaymentIds: [] }],
    });
    await world.tick(id);
    const paid = await world.get(id);
    const payments = await world.paymentsOf(id);
    expect(new Set(payments.map(({ executionId }) => executionId)).size).toBe(count);
    expect(payments).toHaveLength(count);
    expect(paid.executions[0]?.connectorPaymentIds.toSorted()).toEqual(
      payments.map(({ connectorPaymentId }) => connectorPaymentId).toSorted(),
    );
    const received = payments.flatMap(({ legs }) => legs).toSorted((left, right) => left.order - right.order);
    expect(received.map(({ payeeAmount, payeeCurrency: currency }) => ({ payeeAmount, currency }))).toEqual(
      paid.recipients.map(({ amount }) => amount),
    );
    const ended = await runToEnd(id);
    expect(ended.bulkProgress).toEqual({ total: count, completed: count, failed: 0 });
    expect(ended).toMatchObject({ status: "completed", executions: [{ status: "completed" }] });
    expect(await world.paymentsOf(id)).toHaveLength(count);
    expect(await world.timerOf(id)).toBeUndefined();
  });
});

describe("how a batch ends", () => {
  test("is partly, when some legs clear and others fail; what failed says why", async () => {
    const id = await submitted(4, ["SANDBOX-FAIL", undefined, "refused"]);
    const { execute } = world.rail.port;
    const ended = await runToEnd(
      id,
      world.withRail({
        execute: async (order, executionId) =>
          order.legs[0]?.reference === "refused"
            ? { kind: "refused", reason: "closed account" }
            : execute(order, executionId),
      }),
    );
    expect(ended.status).toBe("partially_completed");
    expect(ended.bulkProgress).toEqual({ total: 4, completed: 2, failed: 2 });
    expect(await statusesOf(id)).toEqual(["failed", "cleared", "failed", "cleared"]);
    const [execution] = ended.executions;
    expect(execution?.status).toBe("partially_completed");
    expect(execution?.cause).toBe("rejected by the beneficiary bank; closed account");
    expect((await legsOf(id)).map(({ reason }) => reason)).toEqual([
      "rejected by the beneficiary bank",
      undefined,
      "closed account",
      undefined,
    ]);
    // Recipients that the rail refused have no payment there.
    expect(execution?.connectorPaymentIds).toHaveLength(3);
    expect((await eventsOf(id)).at(-1)).toBe("paymentIntent.partially_completed");
  });

  test("is in failure, when no leg clears", async () => {
    const ended = await runToEnd(await submitted(2, ["SANDBOX-FAIL", "SANDBOX-FAIL"]));
    expect(ended).toMatchObject({ status: "failed", bulkProgress: { total: 2, completed: 0, failed: 2 } });
    expect(ended.executions).toMatchObject([{ status: "failed" }]);
  });

  test("waits for the last leg, and progress counts those that have ended before it", async () => {
    const id = await submitted(3, ["SANDBOX-OVERDUE"]);
    await world.tick(id);
    world.clock.ms += SETTLE_MS;
    await world.tick(id);
    expect(await world.get(id)).toMatchObject({
      status: "executing",
      bulkProgress: { total: 3, completed: 2, failed: 0 },
    });
    expect(await statusesOf(id)).toEqual(["executing", "cleared", "cleared"]);
  });
});

test(`a batch of ${RECIPIENTS_MAX} can be stored when every leg failed at length`, async () => {
  const others = Array.from({ length: RECIPIENTS_MAX }, (_, index) => ({
    role: "public_payee" as const,
    connectorPayeeId: 5001,
    order: 100_000_000 + index,
    splitRole: "principal_provider_amount" as const,
    reference: "r".repeat(100),
    amount: { payeeAmount: `${1_000_000 + index}.00`, currency: "AUD" },
  }));
  const { id } = await world.newBatch(0, [], others);
  expect(await world.submit(id, "key")).toMatchObject({ ok: true });
  let answered = 0;
  const refusing = world.withRail({
    execute: async () => ({ kind: "refused", reason: `${++answered}: ${"\u5b66".repeat(500)}` }),
  });
  const ended = await runToEnd(id, refusing);
  expect(ended).toMatchObject({
    status: "failed",
    bulkProgress: { total: RECIPIENTS_MAX, completed: 0, failed: RECIPIENTS_MAX },
  });
  const [leg] = await listLegs(world.table, { tenantId: "1001", id });
  expect(leg?.reason?.length).toBeGreaterThan(500);
});

describe("a leg that stays silent", () => {
  test("after it was accepted loses track of the batch once it is overdue, and may still end well", async () => {
    const id = await submitted(2, ["SANDBOX-OVERDUE"]);
    await world.tick(id);
    world.clock.ms += SETTLE_MS + RECOVERY_AFTER_MS + 1;
    await world.tick(id);
    const lost = await world.get(id);
    expect([lost.status, lost.bulkProgress]).toEqual(["requires_recovery", { total: 2, completed: 1, failed: 0 }]);
    expect(lost.statusHistory.at(-1)).toMatchObject({ status: "requires_recovery", by: "service" });
    expect(lost.executions).toMatchObject([{ status: "executing" }]);
    expect(await runToEnd(id)).toMatchObject({
      status: "completed",
      bulkProgress: { total: 2, completed: 2, failed: 0 },
    });
  });

  test("because the rail cannot be reached loses track of it too, and is asked on and on with its own token", async () => {
    const id = await submitted(2, ["SANDBOX-UNAVAILABLE"]);
    await world.tick(id);
    world.clock.ms += SETTLE_MS;
    await world.tick(id);
    expect((await world.get(id)).status).toBe("executing");
    world.clock.ms += RECOVERY_AFTER_MS;
    await world.tick(id);
    expect((await world.get(id)).status).toBe("requires_recovery");
    const { execute } = world.rail.port;
    const asked: string[] = [];
    const reached = world.withRail({
      execute: (order, executionId) => {
        asked.push(executionId);
        return execute({ ...order, legs: order.legs.map(({ reference: _lost, ...leg }) => leg) }, executionId);
      },
    });
    expect(await runToEnd(id, reached)).toMatchObject({ status: "completed" });
    expect(asked).toEqual([`${(await world.get(id)).executions[0]?.executionId}:0`]);
  });

  test("because its answer was lost is found again by asking, and was paid once", async () => {
    const id = await submitted(2, ["SANDBOX-TIMEOUT", "SANDBOX-TIMEOUT"]);
    await world.tick(id);
    expect((await world.get(id)).executions[0]?.connectorPaymentIds).toEqual([]);
    expect(await runToEnd(id)).toMatchObject({ status: "completed" });
    expect(await world.paymentsOf(id)).toHaveLength(2);
  });
});

describe("a leg with trouble", () => {
  test("whose work fails is left alone and named, and all others are paid", async () => {
    const id = await submitted(2);
    const { execute } = world.rail.port;
    const fault = new Error("boom");
    const warned: unknown[] = [];
    const failing = world.withRail({
      execute: async (order, executionId) => {
        if (order.legs[0]?.order === 0) throw fault;
        return execute(order, executionId);
      },
    });
    await world.tick(id, { ...failing, warn: (trouble) => void warned.push(trouble) });
    expect(await statusesOf(id)).toEqual(["pending", "executing"]);
    expect((await legsOf(id))[0]?.trouble).toMatchObject({ what: "boom", times: 1, sinceMs: world.clock.ms });
    expect(warned).toEqual([{ tenantId: "1001", intentId: id, order: 0, fault }]);
  });

  test("has none any more once the rail answers that all is well", async () => {
    const id = await submitted(1);
    await world.tick(id);
    const { intent, legs } = await readBatch(world.run, { tenantId: "1001", id });
    const [leg] = legs;
    if (leg === undefined) throw new Error("The batch has a recipient");
    const troubled = troubledLeg(leg, "boom", world.clock.ms);
    await writeLeg(world.run, intent, leg, troubled);
    const heard = { answer: { kind: "pending" }, askedAtMs: world.clock.ms } as const;
    await applyLegAnswer(world.run, intent, troubled, heard);
    const [well] = await legsOf(id);
    expect([well?.status, well?.trouble]).toEqual(["executing", undefined]);
  });
});

test("a batch that waits for a rail is looked at at the pace of its own age, however lately it changed", async () => {
  const id = await submitted(1, ["SANDBOX-UNAVAILABLE"]);
  await world.tick(id);
  world.clock.ms += 3_600_000;
  expect(await world.tick(id)).toBe("lost_track");
  expect((await world.get(id)).updatedAt).toBe(new Date(world.clock.ms).toISOString());
  await world.tick(id);
  const { dueAtMs = 0 } = (await findTimer(world.table, "1001", id)) ?? {};
  expect(dueAtMs - world.clock.ms).toBeGreaterThan(10 * world.run.settings.pollIntervalMs);
});

describe("workers of one batch", () => {
  test("two at once pay every leg once, and the summary is what the legs say", async () => {
    const id = await submitted(30);
    const timer = await world.timerOf(id);
    const message = { tenantId: "1001", id: id, leaseMs: timer?.dueAtMs ?? 0 };
    await Promise.all([1, 2].map(() => advanceIntent(world.run, message, Number.POSITIVE_INFINITY)));
    expect(await world.paymentsOf(id)).toHaveLength(30);
    world.clock.ms += LEASE_MS;
    expect(await runToEnd(id)).toMatchObject({
      status: "completed",
      bulkProgress: { total: 30, completed: 30, failed: 0 },
    });
    expect(await world.paymentsOf(id)).toHaveLength(30);
  });

  test("leave a leg alone whose answer a slow worker stores after they have read it", async () => {
    const id = await submitted(1);
    const slow = world.holdingRail();
    const ticking = world.tick(id, slow.run);
    await slow.asked;
    world.clock.ms += LEASE_MS;
    const { intent, legs } = await readBatch(world.run, { tenantId: "1001", id });
    slow.letGo();
    await ticking;
    const taken = legs.map((leg) => writeLeg(world.run, intent, leg, claimLeg(leg, world.clock.ms, LEASE_MS)));
    expect([await Promise.all(taken), await statusesOf(id)]).toEqual([[false], ["executing"]]);
  });

  test("stop taking legs on at their deadline, and the next one goes on at once", async () => {
    const id = await submitted(25);
    const { execute } = world.rail.port;
    const slow = world.withRail({
      execute: (order, executionId) => {
        world.clock.ms += 1;
        return execute(order, executionId);
      },
    });
    const timer = await world.timerOf(id);
    const message = { tenantId: "1001", id: id, leaseMs: timer?.dueAtMs ?? 0 };
    await advanceIntent(slow, message, world.clock.ms + 1);
    expect((await world.get(id)).executions[0]?.connectorPaymentIds).toHaveLength(10);
    expect((await world.timerOf(id))?.dueAtMs).toBe(world.clock.ms);
    expect(await runToEnd(id)).toMatchObject({ status: "completed" });
    expect(await world.paymentsOf(id)).toHaveLength(25);
  });

  test("ask about no leg from their deadline on, and the next one goes on with the news at once", async () => {
    const id = await submitted(2);
    await world.tick(id);
    world.clock.ms += SETTLE_MS;
    const woken = await wakeBatch(world.table, { tenantId: "1001", id }, world.clock.ms);
    if (woken === undefined) throw new Error("The batch was not woken");
    await advanceIntent(world.run, { ...woken, news: [0, 1] }, world.clock.ms);
    expect(await statusesOf(id)).toEqual(["executing", "executing"]);
    expect((await findTimer(world.table, "1001", id))?.dueAtMs).toBe(world.clock.ms);
    expect(await runToEnd(id)).toMatchObject({ status: "completed" });
  });

  test("ask about all legs at once, and write nothing where there is no news", async () => {
    const id = await submitted(2);
    await world.tick(id);
    const before = await world.get(id);
    // The calls read how the rail answers, and ask about both legs.
    expect(await countCalls(world.run, (as) => world.tick(id, as))).toBe(2);
    expect(await world.get(id)).toEqual(before);
  });
});

describe("the submit of a batch", () => {
  test("is one of twenty at once, with one set of legs", async () => {
    const { id } = await world.newBatch(3);
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, index) => world.submit(id, `key ${index}`)));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    const legs = await listLegs(world.table, { tenantId: "1001", id });
    expect(legs.map(({ order }) => order)).toEqual([0, 1, 2]);
    for (const { payment } of legs) {
      expect(await readPartition(world.table, `PAYMENT#${payment.connectorPaymentId}`)).toHaveLength(1);
    }
  });

  test("locks one rate per currency, whatever the legs' amounts", async () => {
    const id = await submitted(6);
    const legs = await listLegs(world.table, { tenantId: "1001", id });
    const fees = Map.groupBy(legs, ({ payment }) => payment.legs[0]?.payeeCurrency);
    expect([...fees.keys()].toSorted()).toEqual(["AUD", "CAD"]);
    for (const same of fees.values()) expect(new Set(same.map(({ payment }) => payment.fee)).size).toBe(1);
  });

  test("draws other payment ids where somebody has its own, and until then stays claimed", async () => {
    /** A worker that draws an id of its own for the batch, and then always the same ones for its legs. */
    function stuck(own: number): Run {
      let drawn = 0;
      const random: Run["random"] = (count) =>
        count === 2 ? new Uint8Array(++drawn > 1 ? [0, 0] : [8, own]) : world.run.random(count);
      return { ...world.run, random };
    }
    const [first, second] = [await world.newBatch(2), await world.newBatch(2)];
    // Ids of earlier tests are of earlier milliseconds.
    world.clock.ms += 1_000;
    expect(await world.submit(first.id, "key", stuck(1))).toMatchObject({ ok: true });
    await expect(world.submit(second.id, "key", stuck(2))).rejects.toThrow("No free payment ids");
    const { submission } = await world.get(second.id);
    world.clock.ms = submission?.leaseUntilMs ?? 0;
    expect(await world.submit(second.id, "key")).toMatchObject({ ok: true });
    expect((await runToEnd(second.id)).bulkProgress).toEqual({ total: 2, completed: 2, failed: 0 });
  });

  test("is refused before anything is claimed when one recipient cannot be paid, by country or by limit", async () => {
    const strays = [
      { connectorPayeeId: 5099, amount: { payeeAmount: "1.00", currency: "AUD" } },
      { connectorPayeeId: 5001, amount: { payeeAmount: "99999999.00", currency: "AUD" } },
    ];
    const missing: unknown[] = [];
    for (const stray of strays) {
      const { id } = await world.newBatch(2, [], [{ role: "public_payee", ...stray }]);
      const refused = await world.submit(id, "key");
      if (!refused.ok && refused.failure.kind === "requirements") missing.push(...refused.failure.missing);
      expect(await world.get(id)).toMatchObject({ status: "draft", executions: [] });
      expect(await world.get(id)).not.toHaveProperty("submission");
    }
    expect(missing).toMatchObject([
      { path: "recipients.2.connectorPayeeId" },
      { path: "recipients.2.amount.payeeAmount" },
    ]);
  });
});
