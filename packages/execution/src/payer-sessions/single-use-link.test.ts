import type { Commission } from "@intents/domain/commissions/commission.ts";
import type { ExecuteAnswer, Rail } from "@intents/domain/rails/rail.ts";
import { readMonth } from "@intents/storage/commissions/commissions.ts";
import { freeLink } from "@intents/storage/links/links.ts";
import { countUnpaid } from "@intents/storage/links/sessions.ts";
import { verifyIntents } from "@intents/storage/operations/ledger-scan.ts";
import { findReconciliations, listReconciliations, reconciliationId } from "@intents/storage/reviews/reconciliation.ts";
import { transact } from "@intents/storage/table/transact.ts";
import { afterAll, describe, expect, test } from "vitest";
import { LEASE_MS, SETTLE_MS, startWorld } from "../../test/execution-fixture.ts";
import { overtaken } from "../../test/fault-fixture.ts";
import { payersOf } from "../../test/session-fixture.ts";
import type { PublishedLink } from "../links/published-link.ts";
import { closeWith, planClose } from "../operations/correction.ts";
import type { Run } from "../run.ts";
import { applyAnswer } from "../settle/answer.ts";
import { findHold } from "./hold.ts";
import { findPayerPayment, keepHold } from "./payer-payment.ts";

const world = await startWorld();
afterAll(world.stop);
const payers = payersOf(world);

const telling = (answer: ExecuteAnswer): Run => world.withRail({ execute: async () => answer });
const HALF_HOUR_MS = 1_800_000;
const BY_CARD = { selectedQuoteVariantId: 901 };
/** A poll that fell due before a hold ended is followed by one in time. */
const POLLED_AGAIN_MS = 60_000;
/** A rail that receives no money, and calls off every payment on request. */
const rail: Pick<Rail, "status" | "cancel"> = {
  status: async () => ({ kind: "pending" }),
  cancel: async () => ({ kind: "cancelled", reason: "not paid" }),
};
const unpaid = world.withRail(rail);

describe("a single-use link", () => {
  test("is paid by exactly one of many payers who race for it", async () => {
    const link = await payers.publish({ isSingleUse: true });
    const asked = await Promise.all(
      Array.from({ length: process.env["WHOLE"] === "1" ? 100 : 30 }, () => payers.request(link, payers.byCard)),
    );
    const opened = await Promise.all(asked.map((one) => payers.open(link, one)));
    const won = opened.flatMap((one) => (one.ok ? [one.value.paymentIntentId] : []));
    const failures = opened.flatMap((one) => (one.ok ? [] : [one.failure]));
    expect(won).toHaveLength(1);
    expect(new Set(failures.map(({ kind }) => kind))).toEqual(new Set(["link_held"]));
    const payments = await world.rail.listPayments("1001", { limit: 1000 });
    expect(payments.filter(({ paymentIntentId }) => won.includes(paymentIntentId))).toHaveLength(1);

    await payers.pay(won[0] ?? "");
    await world.tick(won[0] ?? "");
    const closed = await world.get(link.intent.id);
    expect(closed).toMatchObject({ status: "pending_link_payment", linkClosedAt: expect.any(String) });
    const late = await payers.open({ ...link, intent: closed }, await payers.request(link));
    expect(late).toEqual({ ok: false, failure: { kind: "link_closed" } });
    // This request found the link before it was closed, and the claim itself refuses it.
    expect(await payers.open(link, await payers.request(link))).toEqual(late);
  });

  test.each(["declined", "left unpaid", "failed"])("is free again when its payment was %s", async (how) => {
    const reference = how === "failed" ? { reference: "SANDBOX-FAIL" } : {};
    const link = await payers.publish({ isSingleUse: true, ...reference });
    const id = await payers.begin(link, payers.byCard);
    const { payerSource: source = "" } = await world.get(id);
    const unpaidOf = () => countUnpaid(world.table, { tenantId: "1001", linkId: link.intent.id, source });
    expect(await unpaidOf()).toBe(1);
    expect(await payers.open(link, await payers.request(link))).toMatchObject({ failure: { kind: "link_held" } });
    if (how === "declined") await payers.decline(id);
    if (how === "failed") await payers.pay(id);
    if (how === "left unpaid") world.clock.ms += HALF_HOUR_MS;
    await world.tick(id);
    expect(await world.get(id)).toMatchObject({ status: how === "left unpaid" ? "cancelled" : "failed" });
    expect(await unpaidOf()).toBe(0);
    await payers.begin(link);
    expect(await world.get(link.intent.id)).toEqual(link.intent);
  });

  test.each([
    ["by card, 10 minutes after its page was last seen", BY_CARD, 600_000],
    ["by bank transfer, 30 minutes after it was begun", {}, 1_800_000],
  ])("asks the rail to call off what was begun %s, and is free once it has", async (_, how, holdMs) => {
    const link = await payers.publish({ isSingleUse: true });
    const id = await payers.begin(link, how);
    world.clock.ms += holdMs - 1;
    await world.tick(id, unpaid);
    expect((await world.get(id)).status).not.toBe("cancelled");
    expect(await payers.open(link, await payers.request(link))).toMatchObject({ failure: { kind: "link_held" } });
    world.clock.ms += POLLED_AGAIN_MS;
    await world.tick(id, unpaid);
    expect(await world.get(id)).toMatchObject({ status: "cancelled", executions: [{ cause: "not paid" }] });
    expect(await payers.stored(link)).not.toHaveProperty("state.holder");
    await payers.begin(link);
  });

  test("stays held while the rail does not call off what was begun, whatever the time", async () => {
    const link = await payers.publish({ isSingleUse: true });
    const id = await payers.begin(link);
    const kept = world.withRail({ ...rail, cancel: async () => ({ kind: "pending" }) });
    world.clock.ms += 3_600_000;
    await world.tick(id, kept);
    const held = await payers.open(link, await payers.request(link));
    expect(held).toEqual({ ok: false, failure: { kind: "link_held", retryAfterSeconds: 60 } });
  });

  test("is kept until the end of the due date for a bank transfer that was promised", async () => {
    const link = await payers.publish({ isSingleUse: true });
    const way = { token: link.stored.token, secretHash: "promised" };
    const id = await payers.begin(link, { secretHash: way.secretHash });
    const endMs = Date.parse((await world.get(id)).connectorPayment?.dueDate ?? "") + 86_400_000;
    const until = new Date(endMs).toISOString();
    expect(await keepHold(world.run, way, true)).toMatchObject({ ok: true, value: { held: { until } } });
    // A sign of life does not shorten what was promised.
    expect(await keepHold(world.run, way, false)).toMatchObject({ value: { held: { until } } });
    expect(await findHold(world.run, link.intent)).toEqual({ hold: { paymentIntentId: id, until } });
    world.clock.ms = endMs - 1;
    await world.tick(id, unpaid);
    expect((await world.get(id)).status).not.toBe("cancelled");
    world.clock.ms += POLLED_AGAIN_MS;
    await world.tick(id, unpaid);
    expect((await world.get(id)).status).toBe("cancelled");
  });

  test("of whose payment the rail has the money is closed by it, though its time is over", async () => {
    const link = await payers.publish({ isSingleUse: true });
    const id = await payers.begin(link);
    world.clock.ms += 2_000_000;
    await world.tick(id);
    expect([(await world.get(id)).status, (await payers.stored(link))?.state.closedBy]).toEqual(["completed", id]);
  });

  /** Begins a payment that no longer keeps others away. */
  async function beginAndLetGo(link: PublishedLink, secretHash?: string): Promise<string> {
    const id = await payers.begin(link, { secretHash });
    const stored = (await payers.stored(link)) ?? link.stored;
    await transact(world.table, () => freeLink(world.table, stored, id, world.clock.ms));
    return id;
  }

  test("that another payment has closed leaves money that comes after that to an operator", async () => {
    const link = await payers.publish({ isSingleUse: true });
    const way = { token: link.stored.token, secretHash: "slow" };
    const slow = await beginAndLetGo(link, way.secretHash);
    const quick = await payers.begin(link, payers.byCard);
    const shown = await findPayerPayment(world.run, way);
    // The link is held for another payer now.
    expect([shown.ok, shown.ok && shown.value]).toEqual([
      true,
      expect.not.objectContaining({ held: expect.anything() }),
    ]);
    await payers.pay(quick);
    await world.tick(quick);
    const closed = await world.get(link.intent.id);
    expect(closed).toHaveProperty("linkClosedAt");

    world.clock.ms += SETTLE_MS;
    await world.tick(slow);
    const { status, executions } = await world.get(slow);
    expect(status).toBe("completed");
    expect(await world.get(link.intent.id)).toEqual(closed);
    const records = await listReconciliations(world.table, "1001");
    expect(records.filter(({ intentId }) => intentId === slow)).toMatchObject([
      { kind: "paid_after_close", executionId: executions[0]?.executionId, said: "completed" },
    ]);
    expect(records.filter(({ intentId }) => intentId === quick)).toEqual([]);
    // Nor is its commission paid out before that.
    const month = new Date(world.clock.ms).toISOString().slice(0, "yyyy-MM".length);
    const earned: Commission[] = [];
    for await (const some of readMonth(world.table, "1001", month)) earned.push(...some);
    const isReviewed = async (id: string) => {
      const [paymentId] = (await world.get(id)).executions[0]?.connectorPaymentIds ?? [];
      return earned.filter((one) => one.paymentId === paymentId).map(({ underReview }) => underReview !== undefined);
    };
    expect([await isReviewed(slow), await isReviewed(quick)]).toEqual([[true], [false]]);
  });

  test.each([
    ["arrived", "link_closed"],
    ["neverMoved", "link_held"],
  ] as const)("whose called-off payment %s, as an operator finds, is then: %s", async (outcome, then) => {
    const link = await payers.publish({ isSingleUse: true });
    const late = await payers.begin(link);
    world.clock.ms += HALF_HOUR_MS + POLLED_AGAIN_MS;
    await world.tick(late, unpaid);
    const { status, executions } = await world.get(late);
    expect(status).toBe("cancelled");
    const about = { tenantId: "1001", id: late, executionId: executions[0]?.executionId ?? "" };
    await applyAnswer(world.run, about, { kind: "settled", legs: [{ order: 0, outcome: "cleared" }] });
    const open = async () => payers.open(link, await payers.request(link));
    expect(await open()).toMatchObject({ failure: { kind: "link_under_review" } });
    const [record] = await findReconciliations(world.table, "1001", late);
    const planned = record && (await planClose(world.table, "1001", reconciliationId(record), outcome));
    if (!planned?.ok) throw new Error("The record cannot be closed");
    const change = { operator: "olga", action: "reconciliation.close", reason: "ticket 7", atMs: world.clock.ms };
    expect(await closeWith(world.run, planned.value, change)).toHaveProperty("closed");
    const [first, second] = [await open(), await open()];
    expect([first.ok, second]).toMatchObject([then === "link_held", { failure: { kind: then } }]);
    const isClosed = then === "link_closed";
    const { linkClosedAt } = await world.get(link.intent.id);
    expect([linkClosedAt !== undefined, (await payers.stored(link))?.state.closedBy === late]).toEqual([
      isClosed,
      isClosed,
    ]);
    expect((await verifyIntents(world.table, [link.intent, about])).findings).toEqual([]);
  });

  test("whose two payments are paid at the same moment is closed by one, and the other is for an operator", async () => {
    const link = await payers.publish({ isSingleUse: true });
    const first = await beginAndLetGo(link);
    const second = await payers.begin(link, payers.byCard);
    await payers.pay(second);
    world.clock.ms += SETTLE_MS;
    await world.tick(
      first,
      overtaken(world.run, () => world.tick(second)),
    );
    const late = (await listReconciliations(world.table, "1001")).filter(({ intentId }) =>
      [first, second].includes(intentId),
    );
    expect(late).toHaveLength(1);
    expect([(await world.get(first)).status, (await world.get(second)).status]).toEqual(["completed", "completed"]);
    expect([late[0]?.intentId, (await payers.stored(link))?.state.closedBy]).toEqual([first, second]);
    const audit = await world.auditOf(link.intent.id);
    expect(audit.filter(({ doc }) => doc.includes("link_closed"))).toHaveLength(1);
  });

  test("that another payment has closed calls off none that is under way: it keeps nobody away", async () => {
    const link = await payers.publish({ isSingleUse: true });
    const quick = await beginAndLetGo(link);
    const slow = await payers.begin(link, payers.byCard);
    world.clock.ms += SETTLE_MS;
    await world.tick(quick);
    expect((await payers.stored(link))?.state.closedBy).toBe(quick);
    world.clock.ms += HALF_HOUR_MS;
    await world.tick(slow, unpaid);
    expect((await world.get(slow)).status).not.toBe("cancelled");
  });

  test("is held for as long as nobody knows whether its payment was accepted", async () => {
    const link = await payers.publish({ isSingleUse: true });
    const run = telling({ kind: "unknown", reason: "no answer" });
    const asked = await payers.request(link);
    await payers.open(link, asked, run);
    world.clock.ms += 40 * LEASE_MS;
    const held = await payers.open(link, await payers.request(link));
    expect(held).toMatchObject({ failure: { kind: "link_held", retryAfterSeconds: 60 } });
    // Only the claim judges expiry: a payment that was claimed in time may end later (H14).
    expect(await payers.open(link, asked)).toMatchObject({ ok: true, value: { status: "executing" } });
  });
});
