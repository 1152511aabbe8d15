import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromMinorUnits } from "../amounts/money.ts";
import type { Commission } from "./commission.ts";
import {
  type CommissionRequest,
  type HeldCommission,
  LISTED_PAYMENTS_MAX,
  planRequest,
  sumUnheld,
  toRequestAnswer,
} from "./request.ts";

const named = { requestId: "r1", createdOn: "2026-11-01T00:00:00.000Z" };

const held = (paymentId: number, commissionAmount = "1.00", changes: Partial<Commission> = {}): HeldCommission => ({
  commission: {
    id: `id ${paymentId}`,
    paymentId,
    studentName: `Student ${paymentId}`,
    payeeName: "School",
    payerAmount: "100.00",
    payerCurrency: "AUD",
    commissionAmount,
    commissionCurrency: "AUD",
    commissionSpread: 0.01,
    paymentDate: "2026-10-31T23:59:59.999Z",
    ...changes,
  },
});

describe("a request", () => {
  test("is for the exact sum of its commissions, in whatever order and with however many decimals it is asked", () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(1n, 10n ** 13n), { minLength: 1, maxLength: 200 }), (units) => {
        const stored = units.map((amount, index) => held(index + 1, fromMinorUnits(amount, "AUD")));
        const total = fromMinorUnits(
          units.reduce((left, right) => left + right, 0n),
          "AUD",
        );
        const paymentIds = stored.map(({ commission }) => commission.paymentId).toReversed();
        const ask = (commissionTotalAmount: string) =>
          planRequest({ paymentIds, commissionTotalAmount }, stored, named);
        const planned = ask(`${total}000`);
        expect(planned).toMatchObject({
          ok: true,
          value: {
            request: { ...named, status: "submitted", totalAmount: total, currency: "AUD", paymentCount: units.length },
          },
        });
        if (!planned.ok) return;
        const { request, commissions } = planned.value;
        expect(commissions.map(({ paymentId }) => paymentId)).toEqual(paymentIds.toReversed());
        expect(request.payments).toHaveLength(Math.min(units.length, LISTED_PAYMENTS_MAX));
        expect(ask(`${total}001`)).toMatchObject({ failure: { kind: "shape" } });
      }),
    );
  });

  const taken = { ...held(3), heldBy: "r0" };
  const stored = [held(1), held(2), taken, held(4, "9.00", { commissionCurrency: "BRL" })];
  test.each([
    [
      "a payment without a commission",
      [1, 9],
      "2.00",
      { kind: "shape", problems: ["paymentIds names 9, which has no commission of yours"] },
    ],
    ["a commission that another request holds", [1, 3], "2.00", { kind: "commission_state", paymentIds: [3] }],
    [
      "two currencies",
      [1, 4],
      "10.00",
      { kind: "shape", problems: ["paymentIds must be of one currency, and these are of AUD, BRL"] },
    ],
    [
      "another total",
      [1, 2],
      "2.01",
      { kind: "shape", problems: ["commissionTotalAmount must be 2.00, the exact sum of these commissions"] },
    ],
  ])("for %s is refused, and says why", (_what, paymentIds, commissionTotalAmount, failure) => {
    expect(planRequest({ paymentIds, commissionTotalAmount }, stored, named)).toMatchObject({ failure });
  });

  const correction = (id: number, amount: string, number = 1) => held(id, amount, { correction: number });
  const paid = { ...held(5, "7.00"), heldBy: "r0" };
  const plan = (paymentIds: readonly number[], commissionTotalAmount: string, ...others: readonly HeldCommission[]) =>
    planRequest({ paymentIds, commissionTotalAmount }, [...stored, paid, ...others], named);

  test("takes all outstanding commissions of a payment that it names: also of one whose first is paid out", () => {
    const others = [correction(5, "-0.40", 2), correction(5, "-0.30"), correction(1, "0.25")];
    expect(plan([5, 1], "0.55", ...others)).toMatchObject({
      value: {
        commissions: [{ commissionAmount: "1.00" }, { correction: 1 }, { correction: 1 }, { correction: 2 }],
        request: {
          totalAmount: "0.55",
          paymentCount: 4,
          payments: [{ paymentId: 1 }, { paymentId: 1 }, { paymentId: 5 }, { paymentId: 5 }],
        },
      },
    });
  });

  test("names every payment of its currency whose outstanding commissions sum to less than zero, and no other", () => {
    const owed = correction(5, "-0.50");
    expect(plan([1], "1.00", owed)).toMatchObject({ failure: { kind: "commission_state", paymentIds: [5] } });
    expect(plan([1, 5], "0.50", owed)).toMatchObject({ ok: true });
    expect(plan([4], "9.00", owed)).toMatchObject({ ok: true });
    expect(plan([1], "1.00", correction(2, "-1.00"))).toMatchObject({ ok: true });
    const reviewed = held(5, "-0.50", { correction: 1, underReview: { since: named.createdOn } });
    expect(plan([1], "1.00", reviewed)).toMatchObject({ ok: true });
  });

  test.each(["-1.00", "-1.01"])("that sums to zero or less is refused, and says so (a correction of %s)", (amount) => {
    expect(plan([1, 5], "0.50", correction(5, amount))).toMatchObject({
      failure: { kind: "shape", problems: [expect.stringContaining("more than zero")] },
    });
  });
});

test("a request is answered with its own fields, and whether it has an invoice and a proof", () => {
  const payments = [{ paymentId: 7, studentName: "Ana", commissionAmount: "1.00", commissionCurrency: "AUD" }];
  const shown = { requestId: "r1", status: "submitted", totalAmount: "1.00", currency: "AUD", paymentCount: 1 };
  const stored = {
    ...shown,
    createdOn: named.createdOn,
    payments: payments.map((one) => ({ ...one, own: 1 })),
    step: 3,
  };
  const answer = (more: object) => toRequestAnswer({ ...stored, ...more } as unknown as CommissionRequest);
  const plain = { ...shown, createdOn: named.createdOn, payments };
  expect(answer({})).toStrictEqual({ ...plain, hasInvoice: false, hasProof: false });
  const invoice = { storedAt: "2026-11-02T00:00:00.000Z" };
  expect(answer({ invoice })).toEqual({ ...plain, hasInvoice: true, invoicedOn: invoice.storedAt, hasProof: false });
  expect(answer({ proof: {} })).toEqual({ ...plain, hasInvoice: false, hasProof: true });
});

test("what no request holds of a payment is summed", () => {
  expect(sumUnheld([held(1, "1.00"), { ...held(1, "2.00"), heldBy: "r1" }, held(1, "0.50")])).toBe("1.50");
});
