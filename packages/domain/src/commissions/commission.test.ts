import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { payee, storedIntent, tuition } from "../../test/intent-fixture.ts";
import { fromMinorUnits, roundToMinorUnits, toMinorUnits } from "../amounts/money.ts";
import type { Execution, ExecutionLeg } from "../intents/payment-intent.ts";
import type { PayerRole } from "../scenarios/scenario.ts";
import { type Commission, commissionOf, idsOfMonth, isMonth, toCommissionAnswer } from "./commission.ts";

const ENDED = "2026-10-31T23:59:59.999Z";
const payees = new Map([5001, 5002, 5003].map((id) => [id, payee(id)]));
const spread = { commissionSpread: "0.01" };

const leg = (changes: Partial<ExecutionLeg> = {}): ExecutionLeg => ({
  order: 0,
  payeeId: 5001,
  splitRole: "principal_provider_amount",
  payerAmount: "4000.00",
  status: "cleared",
  ...changes,
});

const execution = (legs: readonly ExecutionLeg[], changes: Partial<Execution> = {}): Execution => ({
  executionId: "e1",
  connector: "sandbox",
  status: "completed",
  startedAt: "2026-10-31T20:00:00.000Z",
  endedAt: ENDED,
  connectorPaymentIds: [123_456],
  payer: { firstName: "Ana", lastName: "Silva" },
  currency: "BRL",
  fee: "20.00",
  legs,
  ...changes,
});

describe("a payment's commission", () => {
  test("is the spread of its principal, and carries every field that the tenant is shown", () => {
    expect(commissionOf(storedIntent(), execution([leg()]), spread, payees)).toEqual({
      id: `${Date.parse(ENDED).toString(16).padStart(12, "0")}0000000001e240`,
      paymentId: 123_456,
      studentName: "Ana Silva",
      payeeName: "School 5001",
      payerAmount: "4000.00",
      payerCurrency: "BRL",
      commissionAmount: "40.00",
      commissionCurrency: "BRL",
      commissionSpread: 0.01,
      paymentDate: ENDED,
    });
  });

  test.each([
    ["on a leg that failed", leg({ order: 1, status: "failed" })],
    ["on a fee of the tenant's", leg({ order: 1, splitRole: "tenant_service_fee" })],
    ["on a commission that was split off", leg({ order: 1, splitRole: "tenant_commission" })],
    ["on what goes to the tenant's own company", leg({ order: 1, payeeId: 1001 })],
  ])("is nothing %s", (_what, other) => {
    expect(commissionOf(storedIntent(), execution([leg(), other]), spread, payees)).toMatchObject({
      payerAmount: "4000.00",
      payeeName: "School 5001",
    });
  });

  test("of several payees is one, and names them all", () => {
    const legs = [leg(), leg({ order: 1, payeeId: 5002 }), leg({ order: 2, payeeId: 5002 })];
    expect(commissionOf(storedIntent(), execution(legs), spread, payees)).toMatchObject({
      payerAmount: "12000.00",
      commissionAmount: "120.00",
      payeeName: "School 5001, School 5002",
    });
  });

  test.each([
    ["nothing arrived", execution([leg({ status: "failed" })]), spread],
    ["the tenant asks for none", execution([leg()]), { commissionSpread: "0" }],
    ["it comes to less than half a cent", execution([leg({ payerAmount: "0.49" })]), spread],
  ])("is none when %s", (_when, ended, terms) => {
    expect(commissionOf(storedIntent(), ended, terms, payees)).toBeUndefined();
  });

  test("is none when the tenant itself pays", () => {
    const intent = storedIntent({ payer: { role: "tenant" } });
    expect(commissionOf(intent, execution([leg()]), spread, payees)).toBeUndefined();
    const others: PayerRole[] = [
      "student",
      "family",
      "agent",
      "external_school",
      "external_partner",
      "unknown_link_payer",
    ];
    for (const role of others) {
      expect(
        commissionOf({ ...intent, payer: { ...tuition.payer, role } }, execution([leg()]), spread, payees),
      ).toBeDefined();
    }
  });

  test.each([
    ["the subject", { subject: { firstName: "Bia", lastName: "Costa" } }, "Bia Costa"],
    ["the payer when there is no subject", {}, "Ana Silva"],
    ["the payer when the subject has no name", { subject: { email: "b@example.com" } }, "Ana Silva"],
    ["a company", { payer: { companyName: "Acme" } }, "Acme"],
    ["nobody", { payer: {} }, ""],
  ])("names %s", (_who, parties, studentName) => {
    expect(commissionOf(storedIntent(), execution([leg()], parties), spread, payees)).toMatchObject({ studentName });
  });

  test("is the exact sum of its legs, rounded once to the minor unit", () => {
    const units = fc.array(fc.bigInt(1n, 10n ** 12n), { minLength: 1, maxLength: 5 });
    const fraction = fc.integer({ min: 1, max: 999_999 }).map((parts) => `0.${String(parts).padStart(6, "0")}`);
    fc.assert(
      fc.property(units, fraction, fc.constantFrom("BRL", "JPY", "KWD"), (amounts, commissionSpread, currency) => {
        const legs = amounts.map((amount, order) => leg({ order, payerAmount: fromMinorUnits(amount, currency) }));
        const sum = amounts.reduce((left, right) => left + right, 0n);
        const millionths = sum * BigInt(commissionSpread.slice(2));
        const expected = (millionths + 500_000n) / 1_000_000n;
        const earned = commissionOf(storedIntent(), execution(legs, { currency }), { commissionSpread }, payees);
        expect(earned === undefined ? 0n : toMinorUnits(earned.commissionAmount, currency)).toBe(expected);
        if (earned !== undefined)
          expect(earned.commissionAmount).toBe(roundToMinorUnits(earned.commissionAmount, currency));
      }),
    );
  });
});

describe("a month", () => {
  test.each(["2026-13", "2026-00", "2026-1", "26-01", "abc", "", "2026-01-01", " 2026-01", "2026/01"])(
    "is not written as %j",
    (text) => expect(isMonth(text)).toBe(false),
  );

  test("holds the payments of that month in UTC, to the millisecond, and no others", () => {
    const year = fc.integer({ min: 1970, max: 9998 });
    const month = fc.integer({ min: 1, max: 12 });
    const paymentId = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(year, month, paymentId, fc.constantFrom(-1, 0, 1), (y, m, id, step) => {
        const { from, until } = idsOfMonth(`${y}-${String(m).padStart(2, "0")}`);
        const isIn = (ms: number) => {
          const ended = execution([leg()], { endedAt: new Date(ms).toISOString(), connectorPaymentIds: [id] });
          const { id: key = "" } = commissionOf(storedIntent(), ended, spread, payees) ?? {};
          return from <= key && key <= until;
        };
        const [start, next] = [Date.UTC(y, m - 1), Date.UTC(y, m)];
        if (start + step >= 0) expect(isIn(start + step)).toBe(step >= 0);
        expect(isIn(next + step)).toBe(step < 0);
      }),
    );
  });
});

test("a commission is answered with the fields of its tenant, and no other", () => {
  const shown = {
    ...{ id: "c1", paymentId: 7, correction: 1, studentName: "Ana", payeeName: "School" },
    ...{ payerAmount: "100.00", payerCurrency: "AUD", commissionAmount: "1.00", commissionCurrency: "AUD" },
    ...{ commissionSpread: 0.01, paymentDate: "2026-10-31T23:59:59.999Z", commissionRequestDate: "2026-11-01" },
    ...{ commissionPaidDate: "2026-11-02", underReview: { since: "2026-11-03" } },
  };
  expect(toCommissionAnswer({ ...shown, own: 1 } as Commission)).toStrictEqual(shown);
});
