import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { CHECKOUT_MS, leg, order, SETTLE_MS, startSandbox } from "../../test/rail-fixture.ts";
import { sandboxBank } from "./bank.ts";
import type { TestWish } from "./fates.ts";
import { sandbox } from "./terms.ts";

const table = await startSandbox();
afterAll(() => table.stop());

const cleared = (one: number) => ({ order: one, outcome: "cleared" });
const failed = (one: number, reason = "rejected by the beneficiary bank") => ({
  order: one,
  outcome: "failed",
  reason,
});
const settled = (...legs: object[]) => ({ kind: "settled", legs });
const refused = (kind: string) => ({ ok: false, failure: { kind } });
const final = (isReturnable: unknown) => ({ ok: false, failure: { kind: "final", isReturnable } });

describe.each([sandbox, sandboxBank])("at $rail.name", (terms) => {
  let rail = table.open(table.db, terms);

  /** A payment of two legs of a tenant's own, and how it stands: asked alone and in a question about many. */
  async function newPayment(changes: Parameters<typeof order>[0] = {}) {
    const executionId = table.newId();
    const tenantId = `fated ${executionId}`;
    const legs = [leg({ order: 0 }), leg({ order: 1, payeeId: 12 })];
    const answer = await rail.port.execute(order({ tenantId, legs, ...changes }), executionId);
    if (answer.kind !== "accepted") throw new Error(answer.kind);
    return {
      ...{ tenantId, executionId, token: answer.checkoutUrl?.split("/").at(-1) ?? "" },
      decide: (wish: TestWish) => rail.decide(tenantId, executionId, wish),
      cancel: () => rail.port.cancel(tenantId, executionId),
      async stands() {
        const alone = await rail.port.status(tenantId, executionId);
        expect(await rail.port.statuses?.([{ tenantId, executionId }])).toEqual([alone]);
        return alone;
      },
    };
  }
  const checkout = { settlementMethod: "card", settlementChannel: "checkout" };

  test("a payment settles or fails at once, once, and is told so by a rail that was started anew", async () => {
    const [one, other] = [await newPayment(), await newPayment()];
    expect(await one.decide({ how: "settle" })).toMatchObject({ ok: true, value: { payment: { status: "settled" } } });
    expect(await other.decide({ how: "fail" })).toMatchObject({ ok: true, value: { payment: { status: "settled" } } });
    for (let repetition = 0; repetition < 2; repetition++) {
      expect(await one.stands()).toEqual(settled(cleared(0), cleared(1)));
      expect(await other.stands()).toEqual(settled(failed(0), failed(1)));
      rail = table.open(table.db, terms);
      expect(await one.decide({ how: "settle" })).toMatchObject({ ok: true });
      expect(await other.decide({ how: "fail" })).toMatchObject({ ok: true });
      table.clock.ms += 1_000;
    }
    expect(await one.decide({ how: "fail" })).toEqual(final(true));
    expect(await other.decide({ how: "settle" })).toEqual(final(false));
    expect(await one.cancel()).toEqual(settled(cleared(0), cleared(1)));
  });

  test("a recipient alone fails, and the others go on as they would", async () => {
    const payment = await newPayment();
    expect(await payment.decide({ how: "fail", order: 1 })).toMatchObject({
      value: { payment: { status: "pending", legs: [{ order: 0 }, { order: 1, outcome: "failed" }] } },
    });
    expect(await payment.stands()).toEqual({ kind: "pending" });
    table.clock.ms += SETTLE_MS * terms.settleFactor;
    expect(await payment.stands()).toEqual(settled(cleared(0), failed(1)));
    expect(await payment.decide({ how: "fail", order: 2 })).toEqual(refused("no_leg"));
  });

  test("what ended by itself stays: paid, declined, expired or called off", async () => {
    const [arrived, declined, expired, cancelled] = [
      await newPayment(),
      await newPayment(checkout),
      await newPayment(checkout),
      await newPayment(),
    ];
    await rail.finishCheckout(declined.token, "decline");
    await cancelled.cancel();
    table.clock.ms += CHECKOUT_MS;
    const before = await Promise.all([arrived, declined, cancelled].map((one) => one.stands()));
    const byItself = { ok: true, value: { fulfilled: "by_itself" } };
    expect(await arrived.decide({ how: "settle" })).toMatchObject(byItself);
    expect(await declined.decide({ how: "fail" })).toMatchObject(byItself);
    for (const one of [expired, declined, cancelled])
      expect(await one.decide({ how: "settle" })).toEqual(final(expect.any(Boolean)));
    for (const one of [expired, arrived, cancelled])
      expect(await one.decide({ how: "fail" })).toEqual(final(expect.any(Boolean)));
    for (const one of [expired, arrived, declined, cancelled]) {
      expect(await one.decide({ how: "delay", seconds: 5 })).toEqual(final(expect.any(Boolean)));
    }
    for (const one of [expired, declined, cancelled])
      expect(await one.decide({ how: "return" })).toEqual(refused("not_cleared"));
    expect(await Promise.all([arrived, declined, cancelled].map((one) => one.stands()))).toEqual(before);
  });

  test("an open checkout is paid by a settlement, and declined by a failure, so that an equal payment is no duplicate", async () => {
    const [paid, declined] = [await newPayment(checkout), await newPayment(checkout)];
    await paid.decide({ how: "settle" });
    await declined.decide({ how: "fail" });
    expect(await rail.findCheckout(paid.token)).toMatchObject({ state: "paid" });
    expect(await rail.finishCheckout(declined.token, "pay")).toMatchObject({
      failure: { checkout: { state: "declined" } },
    });
    expect(await declined.stands()).toEqual(settled(failed(0, "declined"), failed(1, "declined")));
    expect(await declined.decide({ how: "fail" })).toMatchObject({ ok: true });
    const equal = order({ tenantId: declined.tenantId, legs: [leg(), leg({ order: 1, payeeId: 12 })], ...checkout });
    expect(await rail.port.execute(equal, table.newId())).toMatchObject({ kind: "accepted" });
  });

  test("a delayed one does not arrive before its time, and may be decided or called off earlier", async () => {
    const [one, other, third] = [await newPayment(), await newPayment(), await newPayment()];
    for (const each of [one, other, third]) await each.decide({ how: "delay", seconds: 3600 });
    table.clock.ms += 3_599_999;
    expect(await one.stands()).toEqual({ kind: "pending" });
    expect(await other.decide({ how: "settle" })).toMatchObject({ ok: true });
    expect(await other.stands()).toEqual(settled(cleared(0), cleared(1)));
    expect(await third.cancel()).toMatchObject({ kind: "cancelled" });
    table.clock.ms += 1;
    expect(await one.stands()).toEqual(settled(cleared(0), cleared(1)));
    const paid = await newPayment(checkout);
    await paid.decide({ how: "delay", seconds: 60, order: 0 });
    await rail.finishCheckout(paid.token, "pay");
    expect(await paid.stands()).toEqual({ kind: "received" });
    table.clock.ms += 60_000;
    expect(await paid.stands()).toEqual(settled(cleared(0), cleared(1)));
  });

  test("money that came in is told until it is delivered or fails, and is called off no more", async () => {
    const [one, other] = [await newPayment(), await newPayment()];
    for (const each of [one, other]) {
      expect(await each.decide({ how: "receive" })).toMatchObject({
        ok: true,
        value: { payment: { status: "received" } },
      });
      expect(await each.decide({ how: "receive" })).toMatchObject({ ok: true, value: { fulfilled: "before" } });
      expect(await each.stands()).toEqual({ kind: "received" });
      expect(await each.cancel()).toEqual({ kind: "received" });
    }
    await other.decide({ how: "fail" });
    expect(await other.stands()).toEqual(settled(failed(0), failed(1)));
    table.clock.ms += SETTLE_MS * terms.settleFactor;
    expect(await one.stands()).toEqual(settled(cleared(0), cleared(1)));
    expect(await one.decide({ how: "receive" })).toMatchObject({ ok: true, value: { fulfilled: "by_itself" } });
    expect(await other.decide({ how: "receive" })).toEqual(final(false));
    const calledOff = await newPayment();
    await calledOff.cancel();
    expect(await calledOff.decide({ how: "receive" })).toEqual(final(false));
  });

  test("what has cleared comes back, of one recipient or of all, and nothing else does", async () => {
    const payment = await newPayment();
    expect(await payment.decide({ how: "return" })).toEqual(refused("not_cleared"));
    table.clock.ms += SETTLE_MS * terms.settleFactor;
    const returned = "returned by the beneficiary bank";
    expect(await payment.decide({ how: "return", order: 0 })).toMatchObject({ ok: true });
    expect(await payment.stands()).toEqual(settled(failed(0, returned), cleared(1)));
    expect(await payment.decide({ how: "return" })).toMatchObject({ ok: true });
    expect(await payment.decide({ how: "return" })).toMatchObject({ ok: true });
    expect(await payment.stands()).toEqual(settled(failed(0, returned), failed(1, returned)));
    expect(await payment.decide({ how: "settle" })).toEqual(final(false));
  });

  test("wishes at the same time come true one after another, and no end is ever changed by another", async () => {
    const wishes = fc.constantFrom<TestWish>(
      ...([0, 1, undefined] as const).flatMap((one) =>
        (["settle", "fail"] as const).map((how): TestWish => (one === undefined ? { how } : { how, order: one })),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(wishes, { minLength: 1, maxLength: 5 }), fc.boolean(), async (wanted, isCalledOff) => {
        const payment = await newPayment();
        const [, ...answers] = await Promise.all([
          isCalledOff ? payment.cancel() : undefined,
          ...wanted.map((wish) => payment.decide(wish)),
        ]);
        const after = await payment.stands();
        table.clock.ms += SETTLE_MS * terms.settleFactor;
        const later = await payment.stands();
        if (after.kind === "settled" || after.kind === "cancelled") expect(later).toEqual(after);
        if (after.kind === "received") expect(later.kind).toBe("settled");
        // An answer that tells a leg's outcome tells its final one.
        for (const answer of answers) {
          for (const leg of answer.ok ? answer.value.payment.legs : []) {
            if (leg.outcome === undefined || later.kind !== "settled") continue;
            expect(later.legs[leg.order]?.outcome).toBe(leg.outcome);
          }
        }
      }),
      { numRuns: 25 },
    );
  });
});

test("a payment that the rail does not hold, or holds for another tenant, is not found", async () => {
  const executionId = table.newId();
  await table.rail.port.execute(order(), executionId);
  expect(await table.rail.decide("1002", executionId, { how: "settle" })).toEqual(refused("not_found"));
  expect(await table.rail.decide("1001", table.newId(), { how: "settle" })).toEqual(refused("not_found"));
});

test("what a tester decided outlives the erasure of the payment's people", async () => {
  const executionId = table.newId();
  const tenantId = "erased";
  await table.rail.port.execute(order({ tenantId, legs: [leg({ reference: "Ada" })] }), executionId);
  await table.rail.decide(tenantId, executionId, { how: "fail" });
  await table.rail.port.forget?.(tenantId, executionId);
  expect(await table.rail.port.status(tenantId, executionId)).toEqual(settled(failed(0)));
});
