import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { payee, storedIntent, variant } from "../../test/intent-fixture.ts";
import { CANADIAN_ID, completeDraft, knownOf, type Wanted } from "../../test/scenario-fixture.ts";
import { fromMinorUnits, toMinorUnits } from "../amounts/money.ts";
import { evaluateIntent } from "../requirements/evaluate.ts";
import type { Facts } from "../requirements/finding.ts";
import type { Recipient } from "../scenarios/draft.ts";
import { scenarioRules } from "../scenarios/rules.ts";
import { type BatchLeg, planBatchLegs, planFunding } from "./batch.ts";
import { endOf, progressOf } from "./leg.ts";

const [payroll] = scenarioRules.filter(({ executes }) => executes === "bulk");
if (payroll === undefined) throw new Error("No row is executed in bulk");
const rule = payroll;

/** The rates that a submit locks: one per currency, without payouts. */
const variants = [
  variant([], { payouts: [] }),
  variant([], { id: 902, toCurrency: "CAD", fxRate: "0.27", fee: "18.00", payouts: [] }),
];

function planOf(recipients: readonly Recipient[]): BatchLeg[] {
  const draft = { ...completeDraft(rule), recipients };
  let paymentId = 100;
  const { payees } = knownOf(draft);
  return planBatchLegs(
    storedIntent(draft),
    rule,
    { kind: "bulk", variants, connectorPaymentId: 99 },
    payees,
    "execution",
    () => paymentId++,
  );
}

const drafts = fc
  .array(
    fc.record({ payeeId: fc.constantFrom(5001, 5002, CANADIAN_ID), cents: fc.bigInt({ min: 100n, max: 10n ** 8n }) }),
    { minLength: 1, maxLength: 10 },
  )
  .map((people) =>
    completeDraft(
      rule,
      people.map(({ payeeId, cents }): Wanted => {
        return { role: "public_payee", payeeId, amount: fromMinorUnits(cents, "AUD") };
      }),
    ),
  );

describe("a batch's own checks", () => {
  const findings = (recipients: readonly Recipient[], changes: Partial<Facts> = {}, countryCode = "BR") => {
    const { instructions, ...draft } = completeDraft(rule);
    const manualPayment = { ...instructions?.manualPayment, countryCode };
    const batch = { ...draft, recipients, instructions: { manualPayment } };
    return evaluateIntent(batch, knownOf(batch, changes)).requirements.map(({ path, reason }) => ({ path, reason }));
  };
  const paid = (payeeAmount: string, currency = "AUD", connectorPayeeId = 5001): Recipient => ({
    role: "public_payee",
    connectorPayeeId,
    amount: { payeeAmount, currency },
  });
  const { payees } = knownOf(completeDraft(rule));

  test("hold every recipient against the rail's limits, without counting the fee", () => {
    const [found, small, ...others] = findings([paid("100.00"), paid("99999999.00"), paid("0.01"), paid("1.00")]);
    expect([small?.path, others]).toEqual(["recipients.2.amount.payeeAmount", []]);
    expect(found?.path).toBe("recipients.1.amount.payeeAmount");
    expect(found?.reason).toMatch(/^It costs \d+\.\d\d BRL, and the rail takes \d+\.\d\d to \d+\.\d\d$/);
  });

  test("refuse more decimals than the payee's currency has", () => {
    const yen = new Map([...payees, [5001, payee(5001, { countryCode: "JP", currencyCode: "JPY" })]]);
    const reason = "More decimals than JPY has";
    const found = findings([paid("100.50", "JPY"), paid("100", "JPY")], { payees: yen });
    expect(found).toEqual([{ path: "recipients.0.amount.payeeAmount", reason }]);
  });

  test("name a payee and a country that no rail reaches", () => {
    const stranded = new Map([...payees, [5001, payee(5001, { countryCode: "KP" })]]);
    expect(findings([paid("1.00"), paid("1.00", "CAD", CANADIAN_ID)], { payees: stranded })).toEqual([
      { path: "recipients.0.connectorPayeeId", reason: "no payment can be made to KP" },
    ]);
    expect(findings([paid("1.00")], {}, "KP")).toEqual([
      { path: "instructions.manualPayment.countryCode", reason: "No payment can be made from KP" },
    ]);
  });
});

describe("the legs of a batch", () => {
  test("are one payment per recipient of a clean draft, with tokens and payment ids of their own", () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        expect(evaluateIntent(draft, knownOf(draft)).requirements).toEqual([]);
        const recipients = draft.recipients ?? [];
        const legs = planOf(recipients);
        expect(legs).toHaveLength(recipients.length);
        expect(new Set(legs.map(({ executionId }) => executionId)).size).toBe(legs.length);
        expect(new Set(legs.map(({ payment }) => payment.connectorPaymentId)).size).toBe(legs.length);
        for (const [index, leg] of legs.entries()) {
          expect(leg).toMatchObject({ order: index, executionId: `execution:${index}`, status: "pending", attempt: 0 });
          expect(leg.payment.legs).toHaveLength(1);
        }
      }),
    );
  });

  test("give every payee exactly the fixed amount in its own currency, and charge a fee for each", () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const recipients = draft.recipients ?? [];
        for (const [index, { payment }] of planOf(recipients).entries()) {
          const { connectorPayeeId, amount } = recipients[index] ?? {};
          const [leg] = payment.legs;
          expect(leg).toMatchObject({ payeeId: connectorPayeeId, payeeAmount: amount?.payeeAmount });
          expect(leg?.payeeCurrency).toBe(amount?.currency);
          expect(payment.fee).toBe(leg?.payeeCurrency === "CAD" ? "18.00" : "20.00");
          const total = [payment.fee, leg?.payerAmount ?? ""].map((part) => toMinorUnits(part, "BRL"));
          expect(toMinorUnits(payment.totalAmount, "BRL")).toBe(total.reduce((sum, part) => sum + part, 0n));
        }
      }),
    );
  });

  test("ask the rail for one bank transfer each, frozen with its rate and paid from the one deposit", () => {
    const [first, second] = planOf(
      completeDraft(rule, [
        { role: "public_payee", payeeId: 5001, amount: "100.00" },
        { role: "public_payee", payeeId: CANADIAN_ID, amount: "27.00" },
      ]).recipients ?? [],
    );
    const { id: intentId, tenantId } = storedIntent();
    const common = {
      ...{ tenantId, intentId, settlementMethod: "dmt", settlementChannel: "bank", payerCurrency: "BRL" },
      ...{ payerKey: tenantId, payer: {}, fundingReference: "99" },
    };
    const unpaid = { status: "pending", attempt: 0, leaseUntilMs: 0 };
    const school = { order: 0, payeeId: 5001, payeeName: "School 5001", payerAmount: "400.00" };
    expect(first).toEqual({
      ...{ ...unpaid, order: 0, executionId: "execution:0", fxRate: "0.25" },
      payment: {
        ...{ ...common, connectorPaymentId: 100, totalAmount: "420.00", fee: "20.00" },
        legs: [{ ...school, payeeAmount: "100.00", payeeCurrency: "AUD" }],
      },
    });
    const other = { order: 1, payeeId: CANADIAN_ID, payeeName: `School ${CANADIAN_ID}`, payerAmount: "100.00" };
    expect(second).toEqual({
      ...{ ...unpaid, order: 1, executionId: "execution:1", fxRate: "0.27" },
      payment: {
        ...{ ...common, connectorPaymentId: 101, totalAmount: "118.00", fee: "18.00" },
        legs: [{ ...other, payeeAmount: "27.00", payeeCurrency: "CAD" }],
      },
    });
  });

  test("follow `order`, wherever a recipient stands, and carry its reference", () => {
    const [one = {}, other = {}] =
      completeDraft(rule, [
        { role: "public_payee", payeeId: 5001, amount: "1.00" },
        { role: "public_payee", payeeId: 5002, amount: "2.00" },
      ]).recipients ?? [];
    const legs = planOf([{ ...one, order: 7, reference: "May" }, other]);
    expect(legs.map(({ executionId }) => executionId)).toEqual(["execution:1", "execution:7"]);
    expect(legs.map(({ payment }) => payment.legs[0]?.reference)).toEqual([undefined, "May"]);
  });

  test("carry the number of their line where they pay equal wages without a reference", () => {
    const [one = {}] = completeDraft(rule, [{ role: "public_payee", payeeId: 5001, amount: "1.00" }]).recipients ?? [];
    const legs = planOf([one, { ...one, reference: "May" }, one, one]);
    expect(legs.map(({ payment }) => payment.legs[0]?.reference)).toEqual([undefined, "May", "line 2", "line 3"]);
  });

  test("that no locked rate can price are a fault, because a dry-run would have found them", () => {
    const { recipients = [] } = completeDraft(rule);
    const [first = {}] = recipients;
    expect(() => planOf([{ ...first, connectorPayeeId: 9999 }])).toThrow("cannot be priced");
    expect(() => planOf([{ ...first, amount: {} }])).toThrow("cannot be priced");
  });
});

describe("the deposit of a batch", () => {
  const legs = planOf(
    completeDraft(rule, [
      { role: "public_payee", payeeId: 5001, amount: "100.00" },
      { role: "public_payee", payeeId: CANADIAN_ID, amount: "27.00" },
    ]).recipients ?? [],
  );
  const { id: intentId, tenantId } = storedIntent();

  test("is one sum for all legs with their fees, under the batch's payment id", () => {
    const funding = planFunding(storedIntent(), { kind: "bulk", variants, connectorPaymentId: 99 }, legs);
    expect(funding).toEqual({ tenantId, intentId, fundingReference: "99", currency: "BRL", amount: "538.00" });
  });

  test("of a batch without recipients is a fault", () => {
    const work = { kind: "bulk", variants, connectorPaymentId: 99 } as const;
    expect(() => planFunding(storedIntent(), work, [])).toThrow("has no recipients");
  });
});

const statuses = fc.array(fc.constantFrom("pending", "executing", "cleared", "failed"), {
  minLength: 1,
  maxLength: 40,
});

test("progress counts every leg once, and a batch ends when none is left", () => {
  fc.assert(
    fc.property(statuses, (given) => {
      const legs = given.map((status) => ({ status }));
      const progress = progressOf(legs);
      const open = given.filter((status) => status === "pending" || status === "executing").length;
      expect(progress.total).toBe(given.length);
      expect(progress.completed + progress.failed + open).toBe(progress.total);
      expect(endOf(progress) === undefined).toBe(open > 0);
    }),
  );
});

test.each([
  [{ total: 3, completed: 3, failed: 0 }, "complete"],
  [{ total: 3, completed: 0, failed: 3 }, "fail"],
  [{ total: 3, completed: 1, failed: 2 }, "completePartly"],
  [{ total: 3, completed: 2, failed: 0 }, undefined],
  [{ total: 3, completed: 0, failed: 2 }, undefined],
])("a batch at %j ends as %s", (progress, move) => {
  expect(endOf(progress)).toBe(move);
});
