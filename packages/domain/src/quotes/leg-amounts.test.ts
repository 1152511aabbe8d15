import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { variant as makeVariant, payee, storedIntent } from "../../test/intent-fixture.ts";
import { completeDraft, knownOf, namedRows, TENANT_PAYEE_ID, type Wanted } from "../../test/scenario-fixture.ts";
import { compareAmounts, fromMinorUnits, toMinorUnits } from "../amounts/money.ts";
import { planPaymentOrder } from "../intents/payment-order.ts";
import { evaluateIntent } from "../requirements/evaluate.ts";
import type { Recipient } from "../scenarios/draft.ts";
import { scenarioRules } from "../scenarios/rules.ts";
import { legAmounts } from "./leg-amounts.ts";

const variant = makeVariant([5001, 5002]);
const school = payee(5001);
const company = payee(TENANT_PAYEE_ID, { countryCode: "GB", currencyCode: "GBP" });
const paying = (payerAmount: string, role: Recipient["role"] = "education_provider") =>
  legAmounts(
    { role, amount: { payerAmount } },
    { fixes: "payerAmount" },
    variant,
    role === "tenant" ? company : school,
  );
const receiving = (payeeAmount: string, to = school) =>
  legAmounts({ role: "public_payee", amount: { payeeAmount } }, { fixes: "payeeAmount" }, variant, to);

const cents = fc.bigInt({ min: 1n, max: 10n ** 12n });

describe("a leg whose payer amount is fixed", () => {
  test("costs exactly that, and pays out at the rate, or the quoted amount for the quoted price", () => {
    expect(paying("4000")).toEqual({ payerAmount: "4000.00", payeeAmount: "1000.00", payeeCurrency: "AUD" });
    expect(paying("4000.02")).toEqual({ payerAmount: "4000.02", payeeAmount: "1000.01", payeeCurrency: "AUD" });
  });

  test("is not converted when it is the tenant's own, whatever currency its company has", () => {
    fc.assert(
      fc.property(cents, (count) => {
        const amount = fromMinorUnits(count, "BRL");
        expect(paying(amount, "tenant")).toEqual({ payerAmount: amount, payeeAmount: amount, payeeCurrency: "BRL" });
      }),
    );
  });

  test("is none when that amount has more decimals than the payer's currency", () => {
    expect(paying("1.001")).toBeUndefined();
  });
});

describe("a leg whose payee amount is fixed", () => {
  test("gives the payee exactly what was fixed, and costs at least one minor unit", () => {
    fc.assert(
      fc.property(cents, fc.constantFrom("0.25", "1", "3.7", "0.0001", "1400"), (count, fxRate) => {
        const payeeAmount = fromMinorUnits(count, "AUD");
        const terms = makeVariant([], { fxRate });
        const recipient = { role: "public_payee", amount: { payeeAmount } } as const;
        const amounts = legAmounts(recipient, { fixes: "payeeAmount" }, terms, school);
        expect(amounts?.payeeAmount).toBe(payeeAmount);
        expect(toMinorUnits(amounts?.payerAmount ?? "0", "BRL") >= 1n).toBe(true);
      }),
    );
  });

  test("costs the quoted price for the quoted amount, however that was written, and nobody else's", () => {
    // The quote's own price differs from what its rate gives.
    const [payout] = variant.payouts;
    const quoted = { ...variant, payouts: payout === undefined ? [] : [{ ...payout, payerAmount: "4000.07" }] };
    const cost = (payeeAmount: string, to = school) =>
      legAmounts({ amount: { payeeAmount } }, { fixes: "payeeAmount" }, quoted, to)?.payerAmount;
    expect([cost("1000"), cost("1000.0"), cost("1000.00")]).toEqual(["4000.07", "4000.07", "4000.07"]);
    expect([cost("1000.01"), cost("1000", payee(5002))]).toEqual(["4000.04", "4000.00"]);
  });

  test("never costs less for more", () => {
    fc.assert(
      fc.property(cents, cents, (one, other) => {
        const [less = 0n, more = 0n] = one < other ? [one, other] : [other, one];
        const [low, high] = [less, more].map((count) => receiving(fromMinorUnits(count, "AUD"))?.payerAmount ?? "0");
        expect(compareAmounts(low ?? "0", high ?? "0")).toBeLessThanOrEqual(0);
      }),
    );
  });

  test("is none when that amount has more decimals than the payee's currency, even if the payer's has them", () => {
    const yen = payee(5006, { countryCode: "JP", currencyCode: "JPY" });
    const toYen = makeVariant([5006], { toCurrency: "JPY", fxRate: "27", payouts: [] });
    const leg = (payeeAmount: string) => legAmounts({ amount: { payeeAmount } }, { fixes: "payeeAmount" }, toYen, yen);
    expect(leg("2700.5")).toBeUndefined();
    expect(leg("2700")).toEqual({ payerAmount: "100.00", payeeAmount: "2700", payeeCurrency: "JPY" });
  });
});

test("there is no leg without the amount that the scenario fixes, whatever else is stated", () => {
  const amount = { payeeAmount: "1.00", payerAmount: "1.00", portionBps: 10_000 };
  const { payeeAmount, payerAmount, ...shares } = amount;
  expect(legAmounts({ amount: { payeeAmount } }, { fixes: "payerAmount" }, variant, school)).toBeUndefined();
  expect(legAmounts({ amount: { payerAmount } }, { fixes: "payeeAmount" }, variant, school)).toBeUndefined();
  expect(legAmounts({ amount: shares }, { fixes: "portionBps" }, variant, school)).toBeUndefined();
  expect(legAmounts({}, { fixes: "payeeAmount" }, variant, school)).toBeUndefined();
});

const quotedRows = namedRows.filter(({ rule }) => rule.executes === "quoted_payment");
const amount = fc.integer({ min: 100_00, max: 3_000_00 }).map((count) => (count / 100).toFixed(2));

/** Drafts of a row with two payees and the tenant where the row takes it, any order and amounts. */
const draftsOf = (rule: (typeof scenarioRules)[number]) =>
  fc.array(amount, { minLength: 3, maxLength: 3 }).map(([first = "", second = "", third = ""]) => {
    const wanted: Wanted[] = [
      { role: "education_provider", payeeId: 5001, amount: first },
      { role: "public_payee", payeeId: 5002, amount: second },
      { role: "tenant", payeeId: TENANT_PAYEE_ID, amount: third },
    ];
    return completeDraft(
      rule,
      wanted.filter(({ role }) => rule.recipientRoles.includes(role)),
    );
  });

describe.each(quotedRows)("an order of $row", ({ rule }) => {
  const orderOf = (draft: ReturnType<typeof completeDraft>) => {
    const { payees } = knownOf(draft);
    const intent = storedIntent({ ...draft, recipients: draft.recipients ?? [] });
    return planPaymentOrder(intent, { variant, payees, payer: {}, payerKey: "ana", connectorPaymentId: 1 });
  };
  const units = (decimal: string) => toMinorUnits(decimal, variant.fromCurrency);

  test("of a clean draft has a leg for every recipient, and totals them with the fee", () => {
    fc.assert(
      fc.property(draftsOf(rule), (draft) => {
        expect(evaluateIntent(draft, knownOf(draft)).requirements).toEqual([]);
        const { legs, fee, totalAmount } = orderOf(draft);
        expect(legs.map(({ payeeId }) => payeeId)).toEqual(draft.recipients?.map((one) => one.connectorPayeeId));
        const sum = legs.reduce((total, { payerAmount }) => total + units(payerAmount), units(fee));
        expect(units(totalAmount)).toBe(sum);
        for (const [index, { amount: stated }] of (draft.recipients ?? []).entries()) {
          expect(legs[index]).toMatchObject(
            rule.fixes === "payeeAmount" ? { payeeAmount: stated?.payeeAmount } : { payerAmount: stated?.payerAmount },
          );
        }
      }),
    );
  });

  test("moves the same amounts in whatever order its recipients are written", () => {
    fc.assert(
      fc.property(
        draftsOf(rule).chain((draft) => fc.tuple(fc.constant(draft), shuffled(draft.recipients ?? []))),
        ([draft, recipients]) => {
          const numbered = (draft.recipients ?? []).map((recipient, order) => ({ ...recipient, order }));
          const mixed = recipients.map((recipient) => ({
            ...recipient,
            order: (draft.recipients ?? []).indexOf(recipient),
          }));
          expect(orderOf({ ...draft, recipients: mixed })).toEqual(orderOf({ ...draft, recipients: numbered }));
        },
      ),
    );
  });
});

const shuffled = (recipients: readonly Recipient[]) =>
  fc.shuffledSubarray([...recipients], { minLength: recipients.length, maxLength: recipients.length });

test("a tenant's leg changes neither the rate nor what the others receive (SPEC, behaviour rule 11)", () => {
  const rule = scenarioRules.find(({ useCase }) => useCase === "education_provider_tuition_with_tenant_split");
  if (rule === undefined) throw new Error("There is no tenant split");
  fc.assert(
    fc.property(amount, amount, (principal, commission) => {
      const school: Wanted = { role: "education_provider", payeeId: 5001, amount: principal };
      const tenant: Wanted = { role: "tenant", payeeId: TENANT_PAYEE_ID, amount: commission };
      const legsOf = (wanted: Wanted[]) => {
        const draft = completeDraft(rule, wanted);
        const intent = storedIntent({ ...draft, recipients: draft.recipients ?? [] });
        const { payees } = knownOf(draft);
        return planPaymentOrder(intent, { variant, payees, payer: {}, payerKey: "ana", connectorPaymentId: 1 }).legs;
      };
      expect(legsOf([school, tenant])[0]).toEqual(legsOf([school])[0]);
      expect(legsOf([school, tenant])[1]).toMatchObject({ payeeAmount: commission, payeeCurrency: "BRL" });
    }),
  );
});
