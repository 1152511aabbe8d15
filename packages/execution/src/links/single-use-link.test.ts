import type { ExecuteAnswer } from "@intents/domain/rails/rail.ts";
import { listReconciliations } from "@intents/storage/intents/reconciliation.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LEASE_MS, startWorld, type World } from "../execution-fixture.ts";
import type { Run } from "../run.ts";
import { payersOf } from "./session-fixture.ts";

let world: World;
let payers: ReturnType<typeof payersOf>;
beforeAll(async () => {
  world = await startWorld();
  payers = payersOf(world);
});
afterAll(() => world.stop());

const telling = (answer: ExecuteAnswer): Run => world.withRail({ execute: async () => answer });
const HALF_HOUR_MS = 1_800_000;

describe("a single-use link", () => {
  test("is paid by exactly one of a hundred payers who race for it", async () => {
    const link = await payers.publish({ isSingleUse: true });
    const asked = await Promise.all(Array.from({ length: 100 }, () => payers.request(link, payers.byCard)));
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
    expect(await payers.open(link, await payers.request(link))).toMatchObject({ failure: { kind: "link_held" } });
    if (how === "declined") await payers.decline(id);
    if (how === "failed") await payers.pay(id);
    if (how === "left unpaid") world.clock.ms += HALF_HOUR_MS;
    await world.tick(id);
    expect(await world.get(id)).toMatchObject({ status: how === "left unpaid" ? "cancelled" : "failed" });
    await payers.begin(link);
    expect(await world.get(link.intent.id)).toEqual(link.intent);
  });

  test("is kept for a bank transfer until its due date is over; money that comes after that is for an operator", async () => {
    const link = await payers.publish({ isSingleUse: true });
    const slow = await payers.begin(link);
    const dueDate = (await world.get(slow)).connectorPayment?.dueDate ?? "";
    world.clock.ms = Date.parse(dueDate) + 86_399_000;
    const held = await payers.open(link, await payers.request(link));
    expect(held).toMatchObject({ failure: { kind: "link_held", retryAfterSeconds: 1 } });
    world.clock.ms += 1_000;
    const quick = await payers.begin(link, payers.byCard);
    await payers.pay(quick);
    await world.tick(quick);
    const closed = await world.get(link.intent.id);
    expect(closed).toHaveProperty("linkClosedAt");

    await world.tick(slow);
    const { status, executions } = await world.get(slow);
    expect(status).toBe("completed");
    expect(await world.get(link.intent.id)).toEqual(closed);
    const records = await listReconciliations(world.table, "1001");
    expect(records.filter(({ intentId }) => intentId === slow)).toMatchObject([
      { kind: "paid_after_close", executionId: executions[0]?.executionId, said: "completed" },
    ]);
    expect(records.filter(({ intentId }) => intentId === quick)).toEqual([]);
  });

  test("whose two payments are paid at the same moment is closed by one, and the other is for an operator", async () => {
    const link = await payers.publish({ isSingleUse: true });
    const first = await payers.begin(link);
    world.clock.ms += 5 * 86_400_000;
    const second = await payers.begin(link, payers.byCard);
    await payers.pay(second);
    await Promise.all([world.tick(first), world.tick(second)]);
    const late = (await listReconciliations(world.table, "1001")).filter(({ intentId }) =>
      [first, second].includes(intentId),
    );
    expect(late).toHaveLength(1);
    expect([(await world.get(first)).status, (await world.get(second)).status]).toEqual(["completed", "completed"]);
    const closedBy = (await payers.stored(link))?.closedBy;
    expect([late[0]?.intentId, closedBy].toSorted()).toEqual([first, second].toSorted());
    const audit = await world.auditOf(link.intent.id);
    expect(audit.filter(({ doc }) => doc.includes("link_closed"))).toHaveLength(1);
  });

  test("is held for as long as nobody knows whether its payment was accepted", async () => {
    const link = await payers.publish({ isSingleUse: true });
    const run = telling({ kind: "unknown", reason: "no answer" });
    const asked = await payers.request(link);
    await payers.open(link, asked, run);
    world.clock.ms += 40 * LEASE_MS;
    const held = await payers.open(link, await payers.request(link));
    expect(held).toMatchObject({ failure: { kind: "link_held", retryAfterSeconds: 1 } });
    // Only the claim judges expiry: a payment that was claimed in time may end later (H14).
    expect(await payers.open(link, asked)).toMatchObject({ ok: true, value: { status: "executing" } });
  });
});
