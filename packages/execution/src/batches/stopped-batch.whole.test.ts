import { addAmounts } from "@intents/domain/amounts/money.ts";
import { isTerminal } from "@intents/domain/intents/statuses.ts";
import { recipientsOf } from "@intents/domain/ledger/correcting.ts";
import type { ExecuteAnswer } from "@intents/domain/rails/rail.ts";
import { listLedger } from "@intents/storage/intents/ledger.ts";
import { verifyIntents } from "@intents/storage/operations/ledger-scan.ts";
import { findReconciliations, reconciliationId } from "@intents/storage/reviews/reconciliation.ts";
import { afterAll, describe, expect, test } from "vitest";
import { batchesOf } from "../../test/batch-fixture.ts";
import { by, DEDUP_MS, LEASE_MS, SETTLE_MS, startWorld } from "../../test/execution-fixture.ts";
import { beforeTransactions, countCalls, failAt, faults } from "../../test/fault-fixture.ts";
import { holdBatch, resumeBatch } from "../operations/batch.ts";
import { closeWith, planClose } from "../operations/correction.ts";
import { cancelIntent } from "../operations/payment.ts";
import { recordLateAcceptance } from "../rails/late-outcomes.ts";
import { writeLeg } from "./leg-work.ts";

const world = await startWorld();
afterAll(world.stop);

const { legsOf, statusesOf, submitted, runToEnd, expectSound } = batchesOf(world, 12);
const paidOf = async (id: string) => (await world.paymentsOf(id)).length;

describe("a batch that is held", () => {
  test("pays nobody until it is resumed, and then everybody once", async () => {
    const id = await submitted(3);
    const heldAt = new Date(world.clock.ms).toISOString();
    expect(await holdBatch(world.run, by(id))).toMatchObject({ ok: true, value: { status: "executing" } });
    for (let ticks = 0; ticks < 3; ticks++) await world.tick(id);
    expect([await paidOf(id), await statusesOf(id)]).toEqual([0, ["pending", "pending", "pending"]]);
    expect((await world.auditOf(id)).at(-1)?.doc).toContain("ticket 7");
    expect((await world.get(id)).stopped).toEqual({ how: "held", at: heldAt, by: "olga", reason: "ticket 7" });
    expect(await resumeBatch(world.run, by(id))).toMatchObject({ ok: true });
    expect(await runToEnd(id)).toMatchObject({ status: "completed", bulkProgress: { total: 3, completed: 3 } });
    expect(await paidOf(id)).toBe(3);
    expect(await holdBatch(world.run, by(id))).toMatchObject({ failure: { kind: "batch_ended", status: "completed" } });
    await expectSound(id);
  });

  test("names who is being paid at this moment, and holds everybody else", async () => {
    const id = await submitted(12);
    const slow = world.holdingRail();
    const ticking = world.tick(id, slow.run);
    await slow.asked;
    const held = await holdBatch(world.run, by(id));
    expect(held).toMatchObject({ ok: false, failure: { kind: "under_way", orders: expect.arrayContaining([0, 1]) } });
    slow.letGo();
    await ticking;
    expect(await holdBatch(world.run, by(id))).toMatchObject({ ok: true });
    const paid = await paidOf(id);
    await world.tick(id);
    // A hold also stops the recipients of the current turn of ten that had not begun.
    expect([await paidOf(id), paid > 0 && paid <= 10]).toEqual([paid, true]);
    await resumeBatch(world.run, by(id));
    expect(await runToEnd(id)).toMatchObject({ bulkProgress: { total: 12, completed: 12 } });
    await expectSound(id);
  });

  test("is not lost track of because of those who wait, and goes on asking for those who were paid", async () => {
    const id = await submitted(2, ["SANDBOX-UNAVAILABLE"]);
    await world.tick(id);
    await holdBatch(world.run, by(id));
    world.clock.ms += 3_600_000;
    await world.tick(id);
    expect([(await world.get(id)).status, await statusesOf(id)]).toEqual(["executing", ["pending", "cleared"]]);
  });

  test.each([
    ["is held all the same while workers change its recipients, up to four times", 4, true],
    ["is given up on where they keep changing", 5, false],
  ])("%s", async (_, times, isHeld) => {
    const id = await submitted(1);
    let changes = 0;
    /** A worker changes the recipient before it is written as it is now; tries again of a lost write do not count. */
    const disturb = async (transaction: string) => {
      const [leg] = await legsOf(id);
      if (leg === undefined) throw new Error("The batch has a recipient");
      if (changes === times || !transaction.includes(`":attempt":${leg.attempt}`)) return;
      changes += 1;
      await writeLeg(world.run, await world.get(id), leg, { ...leg, attempt: leg.attempt + 1 });
    };
    const holding = holdBatch(beforeTransactions(world.run, disturb), by(id));
    if (isHeld) expect(await holding).toMatchObject({ ok: true });
    else await expect(holding).rejects.toThrow(`The legs of ${id} keep changing`);
    expect(changes).toBe(times);
  });

  test("is held once more without harm; what is no running batch is refused", async () => {
    const id = await submitted(2);
    await holdBatch(world.run, by(id));
    const { version } = await world.get(id);
    expect(await holdBatch(world.run, by(id))).toMatchObject({ ok: true, value: { version } });
    const { id: draft } = await world.newDraft();
    const refusals = [await holdBatch(world.run, by(draft)), await resumeBatch(world.run, by(await submitted(1)))];
    expect(refusals).toEqual([
      { ok: false, failure: { kind: "not_begun", status: "draft" } },
      { ok: false, failure: { kind: "batch_not_held" } },
    ]);
  });

  test("stays unpaid by a worker that stood still anywhere on its way until the hold was answered", async () => {
    const sample = await submitted(2);
    const calls = await countCalls(world.run, (as) => world.tick(sample, as));
    const stall = faults["stalls before it, and comes back when all is over"];
    for (let k = 1; k <= calls; k++) {
      const id = await submitted(2);
      const { letGo } = await failAt(world.run, k, stall, (as) => world.tick(id, as));
      const held = await holdBatch(world.run, by(id));
      const claimed = (await legsOf(id)).filter(({ leaseUntilMs }) => leaseUntilMs > world.clock.ms);
      expect([k, held.ok]).toEqual([k, claimed.length === 0]);
      const before = await paidOf(id);
      await letGo();
      expect([k, (await paidOf(id)) <= before + claimed.length]).toEqual([k, true]);
      if (held.ok) expect([k, await paidOf(id)]).toEqual([k, before]);
      await resumeBatch(world.run, by(id));
      world.clock.ms += LEASE_MS;
      expect(await runToEnd(id)).toMatchObject({ bulkProgress: { total: 2, completed: 2 } });
      await expectSound(id);
    }
  });
});

describe("a batch that is cancelled", () => {
  test("before anybody was paid ends cancelled, with nothing booked", async () => {
    const id = await submitted(3);
    expect(await cancelIntent(world.run, by(id))).toMatchObject({
      ok: true,
      value: { status: "cancelled", bulkProgress: { total: 3, completed: 0, failed: 0, cancelled: 3 } },
    });
    expect(await listLedger(world.table, { tenantId: "1001", id })).toEqual([]);
    // The payer is not asked for a deposit any more.
    expect(await world.get(id)).not.toHaveProperty("connectorPayment");
    expect([await paidOf(id), await world.timerOf(id)]).toEqual([0, undefined]);
    await expectSound(id);
  });

  test("while some are under way ends partly with those who clear", async () => {
    const id = await submitted(3, ["SANDBOX-UNAVAILABLE"]);
    await world.tick(id);
    const whole = (await world.get(id)).connectorPayment;
    expect(await cancelIntent(world.run, by(id))).toMatchObject({ ok: true, value: { status: "executing" } });
    // The deposit is the one for the recipients that are left, under the same reference.
    const { connectorPayment, executions } = await world.get(id);
    const left = (await legsOf(id)).filter(({ status }) => status !== "cancelled");
    expect(whole?.reference).toMatch(/^\d+$/);
    expect(connectorPayment).toMatchObject({
      reference: whole?.reference,
      transactionBankDetails: whole?.transactionBankDetails,
      amount: addAmounts(...left.map(({ payment }) => payment.totalAmount)),
    });
    expect([whole?.payouts.length, connectorPayment?.payouts.length]).toEqual([3, 2]);
    expect(executions[0]?.fee).toBe(addAmounts(...left.map(({ payment }) => payment.fee)));
    world.clock.ms += SETTLE_MS;
    expect(await runToEnd(id)).toMatchObject({
      status: "partially_completed",
      bulkProgress: { total: 3, completed: 2, failed: 0, cancelled: 1 },
    });
    await expectSound(id);
  });

  test("ends failed when nobody who was sent something clears", async () => {
    const id = await submitted(2, ["SANDBOX-FAIL", "SANDBOX-UNAVAILABLE"]);
    await world.tick(id);
    await cancelIntent(world.run, by(id));
    expect(await runToEnd(id)).toMatchObject({
      status: "failed",
      bulkProgress: { total: 2, completed: 0, failed: 1, cancelled: 1 },
    });
  });

  test("goes on asking for a payment whose answer was lost, which may have been made", async () => {
    const id = await submitted(2, ["SANDBOX-TIMEOUT", "SANDBOX-UNAVAILABLE"]);
    await world.tick(id);
    await cancelIntent(world.run, by(id));
    expect(await statusesOf(id)).toEqual(["pending", "cancelled"]);
    expect(await runToEnd(id)).toMatchObject({ bulkProgress: { total: 2, completed: 1, failed: 0, cancelled: 1 } });
    expect(await paidOf(id)).toBe(1);
    await expectSound(id);
  });

  test("calls off a recipient that waits for the end of the rail's window", async () => {
    const id = await submitted(1, ["SANDBOX-DUPLICATE"]);
    await world.tick(id);
    expect((await legsOf(id))[0]?.waiting).toBeDefined();
    expect(await cancelIntent(world.run, by(id))).toMatchObject({ ok: true, value: { status: "cancelled" } });
  });

  test("can be cancelled while it is held, and not held again after that", async () => {
    const id = await submitted(2, ["SANDBOX-OVERDUE"]);
    await world.tick(id);
    await holdBatch(world.run, by(id));
    await cancelIntent(world.run, by(id));
    expect(await holdBatch(world.run, by(id))).toMatchObject({ ok: false, failure: { kind: "batch_cancelled" } });
  });
});

test("two equal batches are both paid, the second once the rail's window has ended", async () => {
  const wages = Array.from({ length: 2 }, () => ({
    role: "public_payee" as const,
    connectorPayeeId: 5001,
    amount: { payeeAmount: "77.77", currency: "AUD" },
  }));
  const [first, second] = [await world.newBatch(0, [], wages), await world.newBatch(0, [], wages)];
  for (const { id } of [first, second]) {
    expect(await world.submit(id, "key")).toMatchObject({ ok: true });
    await world.tick(id);
  }
  expect([await paidOf(first.id), await paidOf(second.id)]).toEqual([2, 0]);
  expect((await legsOf(second.id)).map(({ waiting }) => waiting?.untilMs)).toEqual([
    world.clock.ms + DEDUP_MS,
    world.clock.ms + DEDUP_MS,
  ]);
  // The next look is not later than the end of the window, and a batch that waits for it is not overdue.
  expect((await world.timerOf(second.id))?.dueAtMs).toBeLessThanOrEqual(world.clock.ms + DEDUP_MS);
  world.clock.ms += DEDUP_MS;
  expect(await runToEnd(second.id)).toMatchObject({ status: "completed", bulkProgress: { total: 2, completed: 2 } });
  expect(await runToEnd(first.id)).toMatchObject({ status: "completed" });
  expect(await paidOf(second.id)).toBe(2);
  for (const { id } of [first, second]) await expectSound(id);
});

test("a duplicate that never ends fails its recipient after a day, and none before", async () => {
  const id = await submitted(1, ["SANDBOX-DUPLICATE"]);
  const startMs = world.clock.ms;
  const asked: string[] = [];
  const duplicate = (): ExecuteAnswer => ({ kind: "duplicate", untilMs: world.clock.ms + 4 * 3_600_000 });
  const refusing = world.withRail({
    execute: async (_, executionId) => {
      asked.push(executionId);
      return duplicate();
    },
  });
  while (!isTerminal((await world.get(id)).status)) await world.tick(id, refusing);
  expect(world.clock.ms - startMs).toBeGreaterThanOrEqual(24 * 3_600_000);
  expect(await world.get(id)).toMatchObject({
    status: "failed",
    executions: [{ cause: expect.stringContaining("dup") }],
  });
  expect(new Set(asked).size).toBe(asked.length);
});

test("a recipient whose earlier try has arrived, as an operator finds, is not paid again, and its batch ends", async () => {
  const id = await submitted(2, ["SANDBOX-DUPLICATE"]);
  await world.tick(id);
  const [leg] = await legsOf(id);
  const executionId = `${leg?.executionId.split(":")[0]}:0`;
  expect(leg).toMatchObject({ executionId: `${executionId}:1`, waiting: { tries: 1 } });
  const recipients = leg === undefined ? [] : recipientsOf(await world.get(id), executionId, leg.payment);
  await recordLateAcceptance(world.run, { tenantId: "1001", id, executionId, order: 0 }, recipients);
  world.clock.ms += DEDUP_MS;
  await world.tick(id);
  expect(await statusesOf(id)).toEqual(["pending", "cleared"]);
  const [record] = await findReconciliations(world.table, "1001", id);
  const planned = record && (await planClose(world.table, "1001", reconciliationId(record), "arrived"));
  if (!planned?.ok) throw new Error("The record cannot be closed");
  const change = { operator: "olga", action: "reconciliation.close", reason: "ticket 7", atMs: world.clock.ms };
  await closeWith(world.run, planned.value, change);
  expect(await runToEnd(id)).toMatchObject({ bulkProgress: { total: 2, completed: 1, failed: 0, cancelled: 1 } });
  expect(await paidOf(id)).toBe(1);
  expect((await verifyIntents(world.table, [{ tenantId: "1001", id }])).findings).toEqual([]);
});
