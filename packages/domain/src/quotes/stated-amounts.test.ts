import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { variant as makeVariant, payee, quote } from "../../test/intent-fixture.ts";
import { completeDraft, knownOf, namedRows, TENANT_PAYEE_ID } from "../../test/scenario-fixture.ts";
import { compareAmounts, fitsMinorUnits, fromMinorUnits, toMinorUnits } from "../amounts/money.ts";
import { currencyCodes, minorUnitsOf } from "../reference/currency.ts";
import { evaluateIntent } from "../requirements/evaluate.ts";
import type { Facts } from "../requirements/finding.ts";
import type { IntentDraft, Recipient } from "../scenarios/draft.ts";
import type { ScenarioRule } from "../scenarios/rules.ts";
import { legAmounts } from "./leg-amounts.ts";
import { readAmount, sidesOf } from "./stated-amounts.ts";

type Amount = NonNullable<Recipient["amount"]>;

/** The row's usual draft with the amount of one recipient laid over what it has; the quote is from BRL to AUD. */
function withAmount(rule: ScenarioRule, amount: Amount, index = 0): IntentDraft {
  const draft = completeDraft(rule);
  const recipients = (draft.recipients ?? []).map((recipient, at) =>
    at === index ? { ...recipient, amount: { ...recipient.amount, ...amount } } : recipient,
  );
  return { ...draft, recipients };
}
const judged = (draft: IntentDraft, changes: Partial<Facts> = {}) => evaluateIntent(draft, knownOf(draft, changes));
const missing = (draft: IntentDraft, changes: Partial<Facts> = {}) =>
  judged(draft, changes).requirements.map(({ path }) => path.replace("recipients.", ""));

const byPayer = namedRows.filter(({ rule }) => rule.fixes === "payerAmount");
const byPayee = namedRows.filter(({ rule }) => rule.fixes === "payeeAmount");
const byShare = namedRows.filter(({ rule }) => rule.fixes === "portionBps");
const [reissue] = namedRows.filter(({ rule }) => rule.fixes === "whichever_is_stated");
if (reissue === undefined) throw new Error("No row reissues");

describe("a stated currency", () => {
  test.each(byPayer)("of $row is the payer's, or the payee's beside an amount of the quote", ({ rule }) => {
    const [school, other] = ["4000.00", "4000.01"].map(
      (payerAmount) => (currency: string) => missing(withAmount(rule, { payerAmount, currency })),
    );
    expect([school?.("BRL"), other?.("BRL")]).toEqual([[], []]);
    expect([school?.("AUD"), other?.("AUD")]).toEqual([[], ["0.amount.currency"]]);
    expect([school?.("USD"), other?.("USD")]).toEqual([["0.amount.currency"], ["0.amount.currency"]]);
  });

  test.each(byPayee)("of $row is the payee's", ({ rule }) => {
    const inCurrency = (currency: string) => missing(withAmount(rule, { payeeAmount: "4000.00", currency }));
    expect([inCurrency("AUD"), inCurrency("BRL"), inCurrency("USD")]).toEqual([
      [],
      ["0.amount.currency"],
      ["0.amount.currency"],
    ]);
  });

  test.each([...byPayer, ...byShare].filter(({ rule }) => rule.needsLegs.length > 0))(
    "of the tenant's leg of $row is that of the others, and not the tenant's own",
    ({ rule }) => {
      const wanted = rule.executes === "link" ? "AUD" : "BRL";
      expect(missing(withAmount(rule, { currency: wanted }, 1))).toEqual([]);
      for (const currency of ["GBP", wanted === "AUD" ? "BRL" : "AUD"]) {
        const named = rule.executes === "link" ? "currency" : "1.amount.currency";
        expect(missing(withAmount(rule, { currency }, 1))).toEqual([named]);
      }
    },
  );

  test("of a reissue is that of whichever amount is stated", () => {
    const amountOf = (amount: Amount): IntentDraft => {
      const draft = completeDraft(reissue.rule);
      return { ...draft, recipients: (draft.recipients ?? []).map((recipient) => ({ ...recipient, amount })) };
    };
    expect(missing(amountOf({ payerAmount: "123.00", currency: "BRL" }))).toEqual([]);
    expect(missing(amountOf({ payerAmount: "123.00", currency: "AUD" }))).toEqual(["0.amount.currency"]);
    expect(missing(amountOf({ payeeAmount: "123.00", currency: "AUD" }))).toEqual([]);
    expect(missing(amountOf({ payeeAmount: "123.00", currency: "BRL" }))).toEqual(["0.amount.currency"]);
  });
});

describe("what the payee would receive", () => {
  const [tuition] = byPayer;
  if (tuition === undefined) throw new Error("No row is fixed by the payer");

  test("is never nothing: only the amount that would leave nothing is named", () => {
    for (const payerAmount of ["0.01", "0.010"]) {
      const { requirements } = judged(withAmount(tuition.rule, { payerAmount }));
      expect(requirements).toMatchObject([
        { path: "recipients.0.amount.payerAmount", reason: "The payee would receive nothing for 0.01 BRL" },
      ]);
    }
    expect(missing(withAmount(tuition.rule, { payerAmount: "0.02" }))).toEqual(["totalAmount"]);
  });
});

describe("the amount beside the fixed one", () => {
  const quoted = (rule: ScenarioRule) => rule.executes === "quoted_payment";

  test.each([
    ["what the quote tells", "1000.00", []],
    ["a minor unit less", "999.99", []],
    ["a minor unit more", "1000.010", []],
    ["two minor units more", "1000.02", ["0.amount.payeeAmount"]],
    ["anything else", "99999.00", ["0.amount.payeeAmount"]],
    ["a fraction of a minor unit", "1000.001", ["0.amount.payeeAmount"]],
  ])("is held against the quote: %s", (_, payeeAmount, paths) => {
    for (const { rule } of byPayer.filter((row) => quoted(row.rule))) {
      expect(missing(withAmount(rule, { payerAmount: "4000.00", payeeAmount }))).toEqual(paths);
      expect(missing(withAmount(rule, { payerAmount: "4000", payeeAmount, currency: "BRL" }))).toEqual(paths);
    }
  });

  test.each([
    ["4000.00", []],
    ["3999.99", []],
    ["3999.98", ["0.amount.payerAmount"]],
    ["1.00", ["0.amount.payerAmount"]],
  ])("may also be the payer's, which is held against the quote: %s", (payerAmount, paths) => {
    for (const { rule } of byPayee.filter((row) => quoted(row.rule))) {
      expect(missing(withAmount(rule, { payeeAmount: "1000.00", payerAmount }))).toEqual(paths);
    }
  });

  test("is the quote's own, or what the chosen variant gives, which differs between methods", () => {
    const [row] = byPayer;
    const draft = withAmount(row?.rule ?? reissue.rule, { payerAmount: "4000.00" });
    const costly = makeVariant([5001], { id: 900, fxRate: "0.24" });
    const card = {
      ...costly,
      payouts: costly.payouts.map((payout) => ({ ...payout, payerAmount: "4166.67", fxRate: "0.24" })),
    };
    const known = { quote: { ...quote([5001]), variants: [{ ...quote([5001]).variants[0], id: 1 }, card] as const } };
    const stating = (payeeAmount: string): IntentDraft => ({
      ...draft,
      recipients: (draft.recipients ?? []).map((one) => ({ ...one, amount: { ...one.amount, payeeAmount } })),
    });
    expect(missing(stating("1000.00"), known)).toEqual([]);
    expect(missing(stating("960.00"), known)).toEqual([]);
    expect(missing(stating("980.00"), known)).toEqual(["0.amount.payeeAmount"]);
  });

  test("of the tenant's leg is the same amount", () => {
    const [split] = byPayer.filter(({ rule }) => rule.needsLegs.length > 0);
    if (split === undefined) throw new Error("No split is fixed by the payer");
    expect(missing(withAmount(split.rule, { payeeAmount: "500.00" }, 1))).toEqual([]);
    expect(missing(withAmount(split.rule, { payeeAmount: "125.00" }, 1))).toEqual(["1.amount.payeeAmount"]);
  });

  test.each([...byPayee, ...byShare].filter(({ rule }) => !quoted(rule)))(
    "of $row, which has no quote, is ignored and reported as ignored",
    ({ rule }) => {
      const { requirements, controls } = judged(withAmount(rule, { payerAmount: "99999.999" }));
      expect([requirements, controls.ignored]).toEqual([[], ["recipients.0.amount.payerAmount"]]);
    },
  );
});

describe("zeros at the end of an amount", () => {
  test.each([...byPayer, ...byPayee])(
    "of $row change nothing, while digits that would have to be rounded are reported",
    ({ rule }) => {
      const field = rule.fixes as "payerAmount" | "payeeAmount";
      expect(missing(withAmount(rule, { [field]: "1000.00000" }))).toEqual([]);
      expect(missing(withAmount(rule, { [field]: "1000.00001" }))).toEqual([`0.amount.${field}`]);
    },
  );
});

/** A payee, rates and a recipient in any two currencies, with any amount, right and wrong. */
const anyLeg = fc.record({
  from: fc.constantFrom(...currencyCodes),
  to: fc.constantFrom(...currencyCodes),
  fxRate: fc.constantFrom("0.0001", "0.25", "1", "3.7", "1400"),
  units: fc.bigInt({ min: 1n, max: 10n ** 9n }),
  digits: fc.integer({ min: 0, max: 5 }),
  zeros: fc.integer({ min: 0, max: 6 }),
  fixes: fc.constantFrom("payerAmount", "payeeAmount", "whichever_is_stated"),
  isTenant: fc.boolean(),
});

describe("in any two currencies, an amount", () => {
  const legOf = ({
    from,
    to,
    fxRate,
    units,
    digits,
    fixes,
    isTenant,
  }: typeof anyLeg extends fc.Arbitrary<infer Leg> ? Leg : never) => {
    const currency = fixes === "payerAmount" || isTenant ? from : to;
    const text = units.toString().padStart(digits + 1, "0");
    const written = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
    const field = fixes === "payerAmount" ? fixes : "payeeAmount";
    const recipient: Recipient = { role: isTenant ? "tenant" : "public_payee", amount: { [field]: written } };
    const terms = makeVariant([], { fromCurrency: from, toCurrency: to, fxRate, payouts: [] });
    return { currency, written, field, recipient, terms, paid: payee(5001, { currencyCode: to }) } as const;
  };

  test("is read exactly or not at all, in the currency of its own side", () => {
    fc.assert(
      fc.property(anyLeg, (made) => {
        const { recipient, terms, paid, currency, written, field } = legOf(made);
        const stated = readAmount(recipient, made, paid, sidesOf(terms));
        expect(stated).toMatchObject({ field, currency, written });
        expect(stated.exact !== undefined).toBe(fitsMinorUnits(written, currency));
        if (stated.exact === undefined) return;
        expect(compareAmounts(stated.exact, written)).toBe(0);
        expect(stated.exact.split(".")[1]?.length ?? 0).toBe(minorUnitsOf(currency));
      }),
    );
  });

  test("moves the same with zeros at its end, and fixes its own side to the minor unit", () => {
    fc.assert(
      fc.property(anyLeg, (made) => {
        const { recipient, terms, paid, written, field, currency } = legOf(made);
        const longer = `${written}${written.includes(".") ? "" : "."}${"0".repeat(made.zeros + 1)}`;
        const amounts = legAmounts(recipient, made, terms, paid);
        expect(legAmounts({ ...recipient, amount: { [field]: longer } }, made, terms, paid)).toEqual(amounts);
        if (amounts === undefined) return;
        expect(compareAmounts(amounts[field], written)).toBe(0);
        expect(toMinorUnits(amounts[field], currency)).toBe(toMinorUnits(written, currency));
        expect(amounts.payeeCurrency).toBe(made.isTenant ? made.from : made.to);
      }),
    );
  });
});

describe("whatever amounts are stated, of recipients that are judged clean", () => {
  const cents = fc.bigInt({ min: 1n, max: 10n ** 6n }).map((count) => fromMinorUnits(count, "AUD"));
  const currency = fc.constantFrom("BRL", "AUD");
  const amounts = fc.oneof(
    fc.record({ payerAmount: cents }),
    fc.record({ payeeAmount: cents }),
    fc.record({ payerAmount: cents, payeeAmount: cents, currency }, { requiredKeys: [] }),
    fc.record({
      payerAmount: fc.constantFrom("4000", "0.01", "3999.995"),
      payeeAmount: fc.constantFrom("1000.000", "1000.01", "0.01"),
      currency,
    }),
  );

  test.each(namedRows.filter(({ rule }) => rule.executes !== "link"))(
    "every leg of $row can be paid, gives its payee something, and is within what the rail takes",
    ({ rule }) => {
      let clean = 0;
      const fixesNothing = { payerAmount: undefined, payeeAmount: undefined };
      fc.assert(
        fc.property(amounts, (amount) => {
          const bare = completeDraft(rule);
          const draft: IntentDraft = {
            ...bare,
            recipients: (bare.recipients ?? []).map((recipient) =>
              recipient.connectorPayeeId === TENANT_PAYEE_ID
                ? recipient
                : { ...recipient, amount: { ...recipient.amount, ...fixesNothing, ...amount } as Amount },
            ),
          };
          const known = knownOf(draft);
          if (evaluateIntent(draft, known).requirements.length > 0) return;
          clean += 1;
          const terms = makeVariant([5001, 5002]);
          const legs = (draft.recipients ?? []).map((recipient) => {
            const paid = known.payees.get(recipient.connectorPayeeId ?? 0);
            return paid && legAmounts(recipient, rule, terms, paid);
          });
          for (const leg of legs) expect(leg && toMinorUnits(leg.payeeAmount, leg.payeeCurrency) > 0n).toBe(true);
          if (rule.executes !== "quoted_payment") return;
          const sent = legs.reduce((sum, leg) => sum + toMinorUnits(leg?.payerAmount ?? "0", "BRL"), 0n);
          expect(sent >= toMinorUnits(terms.minAmount, "BRL") && sent <= toMinorUnits(terms.maxAmount, "BRL")).toBe(
            true,
          );
        }),
        { numRuns: 400 },
      );
      expect(clean).toBeGreaterThan(10);
    },
  );
});
