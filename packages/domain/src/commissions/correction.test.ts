import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { payee, storedIntent } from "../../test/intent-fixture.ts";
import { fromMinorUnits } from "../amounts/money.ts";
import type { Execution } from "../intents/payment-intent.ts";
import { type CorrectedOutcome, type Correction, newestCorrections } from "../money-state/correction.ts";
import { type Commission, commissionOf } from "./commission.ts";
import { commissionOfCorrection, commissionProblems, sumCommissions } from "./correction.ts";

const payees = new Map([5001, 5002].map((id) => [id, payee(id)]));
const intent = storedIntent({ status: "completed" });
const outcomes = ["arrived", "cameBack", "neverMoved"] as const;

const execution = (units: readonly (readonly [bigint, "cleared" | "failed"])[]): Execution => ({
  ...{ executionId: "e1", connector: "sandbox", status: "partially_completed", connectorPaymentIds: [123_456] },
  ...{ startedAt: "2026-10-31T20:00:00.000Z", endedAt: "2026-10-31T23:59:59.999Z", currency: "BRL", fee: "20.00" },
  payer: { firstName: "Ana", lastName: "Silva" },
  legs: units.map(([amount, status], order) => ({
    ...{ order, payeeId: 5001 + (order % 2), splitRole: "principal_provider_amount", status },
    payerAmount: fromMinorUnits(amount, "BRL"),
  })),
});

const correctionOf = (order: number, outcome: CorrectedOutcome, number: number): Correction => ({
  ...{ number, order, outcome, executionId: "e1", recordId: "r1", at: `2026-11-0${number}T09:00:00.000Z` },
  payerAmount: { amount: "1.00", currency: "BRL" },
  payeeAmount: { amount: "1.00", currency: "BRL" },
});

/** All commissions of a payment after corrections, each made from those before it. */
function earnedBy(paid: Execution, commissionSpread: string, corrections: readonly Correction[]): Commission[] {
  const first = commissionOf(intent, paid, { commissionSpread }, payees);
  const earned = first === undefined ? [] : [first];
  for (const [index, correction] of corrections.entries()) {
    const known = { corrections: newestCorrections(corrections.slice(0, index + 1)), earned };
    const made = commissionOfCorrection(intent, { ...paid, commissionSpread }, correction, known, payees);
    if (made !== undefined) earned.push(made);
  }
  return earned;
}

describe("the commission of a correction", () => {
  test("takes back what the returned recipient earned, as a commission of its own", () => {
    const paid = execution([
      [400_000n, "cleared"],
      [100_000n, "cleared"],
    ]);
    const [earned, taken, ...others] = earnedBy(paid, "0.01", [correctionOf(1, "cameBack", 1)]);
    expect(others).toEqual([]);
    expect(taken).toEqual({
      ...earned,
      ...{ id: expect.stringMatching(/^[\da-f]{34}$/), correction: 1, paymentDate: "2026-11-01T09:00:00.000Z" },
      ...{ payeeName: "School 5002", payerAmount: "-1000.00", commissionAmount: "-10.00" },
    });
    expect(String(earned?.id) < String(taken?.id)).toBe(true);
  });

  test("gives what a failed payment earns that arrived after all, and nothing for one that only changes its failure", () => {
    const paid = execution([[400_000n, "failed"]]);
    expect(earnedBy(paid, "0.01", [correctionOf(0, "arrived", 1)])).toMatchObject([
      { correction: 1, studentName: "Ana Silva", payerAmount: "4000.00", commissionAmount: "40.00" },
    ]);
    expect(earnedBy(paid, "0.01", [correctionOf(0, "cameBack", 1), correctionOf(0, "neverMoved", 2)])).toEqual([]);
  });

  test("leaves the sum of a payment's commissions equal to the commission on the money that arrived", () => {
    const leg = fc.tuple(fc.bigInt(1n, 10n ** 9n), fc.constantFrom("cleared", "failed"));
    const word = fc.tuple(fc.nat({ max: 3 }), fc.constantFrom(...outcomes));
    const spread = fc.integer({ min: 0, max: 99_999 }).map((parts) => `0.${String(parts).padStart(5, "0")}`);
    fc.assert(
      fc.property(
        fc.array(leg, { minLength: 1, maxLength: 4 }),
        fc.array(word, { maxLength: 8 }),
        spread,
        (legs, words, commissionSpread) => {
          const paid = execution(legs);
          const corrections = words.map(([order, outcome], index) =>
            correctionOf(order % legs.length, outcome, index + 1),
          );
          const { commissionAmount } = sumCommissions(earnedBy(paid, commissionSpread, corrections));
          const arrived = legs.filter(([, status], order) => {
            const newest = corrections.findLast((one) => one.order === order);
            return newest === undefined ? status === "cleared" : newest.outcome === "arrived";
          });
          const sum = arrived.reduce((total, [amount]) => total + amount, 0n);
          const due = (sum * BigInt(commissionSpread.slice(2)) + 50_000n) / 100_000n;
          expect(BigInt(commissionAmount.replace(".", ""))).toBe(due);
        },
      ),
    );
  });
});

test("a payment whose commissions do not sum to what has arrived is named, with both sums; a batch earns nothing", () => {
  const paid = execution([[400_000n, "cleared"]]);
  const earning = { ...paid, commissionSpread: "0.01" };
  const of = (...executions: Execution[]) => ({ ...intent, executions });
  const earned = earnedBy(paid, "0.01", []);
  const elsewhere = earned.map((one) => ({ ...one, paymentId: 9 }));
  expect(commissionProblems(of(earning), [], [...earned, ...elsewhere])).toEqual([]);
  expect(commissionProblems(of(earning), [], elsewhere)).toEqual([
    "the commissions of payment 123456 sum to 0, and 40.00 is earned",
  ]);
  expect(commissionProblems(of(paid), [], [])).toEqual([]);
});
