import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromMinorUnits } from "../amounts/money.ts";
import type { Commission } from "./commission.ts";
import { type HeldCommission, LISTED_PAYMENTS_MAX, planRequest } from "./request.ts";

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

const storeOf = (...commissions: readonly HeldCommission[]) =>
  new Map(commissions.map((one) => [one.commission.paymentId, one]));

describe("a request", () => {
  test("is for the exact sum of its commissions, in whatever order and with however many decimals it is asked", () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(1n, 10n ** 13n), { minLength: 1, maxLength: 200 }), (units) => {
        const stored = storeOf(...units.map((amount, index) => held(index + 1, fromMinorUnits(amount, "AUD"))));
        const total = fromMinorUnits(
          units.reduce((left, right) => left + right, 0n),
          "AUD",
        );
        const paymentIds = [...stored.keys()].toReversed();
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
        expect(commissions.map(({ paymentId }) => paymentId)).toEqual([...stored.keys()]);
        expect(request.payments).toHaveLength(Math.min(units.length, LISTED_PAYMENTS_MAX));
        expect(ask(`${total}001`)).toMatchObject({ failure: { kind: "shape" } });
      }),
    );
  });

  const stored = storeOf(
    held(1),
    held(2),
    { ...held(3), heldBy: "r0" },
    held(4, "9.00", { commissionCurrency: "BRL" }),
  );
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
});
