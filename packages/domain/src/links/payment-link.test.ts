import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { payee, quote, storedIntent } from "../../test/intent-fixture.ts";
import { addAmounts, compareAmounts, fromMinorUnits } from "../amounts/money.ts";
import { toPublicFailure } from "../failure.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import { minorUnitsOf } from "../reference/currency.ts";
import type { Recipient } from "../scenarios/draft.ts";
import { lockedCountryOf, planPayouts, termsOf, toLinkQuoteAnswer, toPublicLink } from "./payment-link.ts";

const NOW_MS = Date.UTC(2026, 10, 22);

const linkOf = (changes: Partial<PaymentIntent>): PaymentIntent =>
  storedIntent({
    deliveryMode: "reusable_payment_link",
    amountMode: "fixed_payee_amounts",
    payer: { role: "unknown_link_payer" },
    status: "pending_link_payment",
    instructions: {},
    ...changes,
  });

const priced = (connectorPayeeId: number, payeeAmount: string, order?: number): Recipient => ({
  role: "education_provider",
  connectorPayeeId,
  amount: { payeeAmount, currency: "AUD" },
  ...(order !== undefined && { order }),
});

const shared = (portions: readonly number[], currency = "AUD") =>
  linkOf({
    useCase: "education_provider_tuition_with_tenant_split",
    amountMode: "free_entry_with_portions",
    recipients: portions.map((portionBps, index) => ({
      role: "education_provider",
      connectorPayeeId: 5001 + index,
      amount: { portionBps, currency },
    })),
  });

const payeesIn = (currencyCode = "AUD") =>
  new Map([5001, 5002, 5003].map((id) => [id, payee(id, { currencyCode })] as const));

describe("what a payer sees of a link", () => {
  test("is an allow-list: no other field of the intent is shown", () => {
    const link = linkOf({
      name: "Top secret",
      recipients: [
        { ...priced(5002, "10.5", 7), reference: "internal", purposeProofDocumentId: "p" },
        priced(5001, "90", 3),
      ],
      instructions: { paymentLink: { reference: "Fees", payFromCountryCode: "BR", isSingleUse: true } },
      publicLinkId: "token",
      auditHead: "head",
    });
    expect(termsOf(link, payeesIn())).toEqual({
      recipientName: "School 5001",
      amountType: "fixed",
      amount: "100.50",
      currency: "AUD",
      recipients: [
        { name: "School 5001", amount: "90.00", currency: "AUD" },
        { name: "School 5002", amount: "10.50", currency: "AUD" },
      ],
      reference: "Fees",
      payFromCountryCode: "BR",
      payFromCountryLocked: false,
      isSingleUse: true,
    });
  });

  test("has names that turn no text round, however they came to be stored", () => {
    const turning = new Map([[5001, payee(5001, { name: "Uni\u202eversity\u2066 of\u200f Sydney" })]]);
    expect(termsOf(linkOf({ recipients: [priced(5001, "1")] }), turning).recipientName).toBe("University of Sydney");
  });

  test("tells neither amounts nor shares when the payer enters the total", () => {
    const seen = termsOf(shared([9000, 1000]), payeesIn());
    expect(seen).toMatchObject({ amountType: "open", currency: "AUD" });
    expect(seen.recipients).toEqual([{ name: "School 5001" }, { name: "School 5002" }]);
    expect(seen).not.toHaveProperty("amount");
  });

  test.each<[string, Partial<Recipient>, number[]]>([
    ["the tenant's part, which says nothing of itself", { role: "tenant" }, [5001]],
    ["a commission", { role: "tenant", splitRole: "tenant_commission" }, [5001]],
    ["an agent's commission", { role: "public_payee", splitRole: "tenant_commission" }, [5001]],
    ["a fee", { role: "tenant", splitRole: "tenant_service_fee" }, [5001]],
    ["a tax", { role: "tenant", splitRole: "tenant_tax_component" }, [5001]],
    ["what is something else", { role: "public_payee", splitRole: "other" }, [5001]],
    ["a second principal", { role: "public_payee", splitRole: "principal_provider_amount" }, [5001, 5002]],
  ])("names the principal recipients beside %s: %j, %j", (_, second, named) => {
    const link = linkOf({ recipients: [priced(5001, "90"), { ...priced(5002, "10.50"), ...second }] });
    const seen = termsOf(link, payeesIn());
    expect(seen.recipients.map(({ name }) => name)).toEqual(named.map((id) => `School ${id}`));
    // The price is only what the named recipients get: a price for all would tell the rest by subtraction.
    expect(seen.amount).toBe(named.length === 1 ? "90.00" : "100.50");
  });

  test.each<[string, (Recipient["splitRole"] & string)[], string]>([
    ["who is paid something else, where nobody is principal", ["tenant_commission", "other"], "School 5002"],
    ["everybody, where all is the tenant's", ["tenant_commission", "tenant_service_fee"], "School 5001,School 5002"],
  ])("names %s", (_, splitRoles, named) => {
    const recipients = splitRoles.map((splitRole, at) => ({ ...priced(5001 + at, "45"), splitRole }));
    const { recipientName, recipients: seen } = termsOf(linkOf({ recipients }), payeesIn());
    expect(seen.map(({ name }) => name).join()).toBe(named);
    expect(named.startsWith(recipientName)).toBe(true);
  });

  const terms = termsOf(linkOf({ recipients: [priced(5001, "1")] }), payeesIn());

  test("says when it is closed, though its intent keeps its status", () => {
    expect(toPublicLink(terms, { isClosed: false }, NOW_MS)).toEqual({ status: "open", ...terms });
    expect(toPublicLink(terms, { isClosed: true, heldUntilMs: NOW_MS }, NOW_MS)).toEqual({
      status: "closed",
      ...terms,
    });
  });

  test.each([
    ["its end", NOW_MS + 600_000, NOW_MS + 600_000],
    ["a minute from now, when that is over and the rail is being asked", NOW_MS - 1, NOW_MS + 60_000],
  ])("says until when another payment holds it: %s", (_, heldUntilMs, untilMs) => {
    const held = { until: new Date(untilMs).toISOString() };
    expect(toPublicLink(terms, { isClosed: false, heldUntilMs }, NOW_MS)).toEqual({ status: "open", ...terms, held });
  });

  test.each([
    [{ payFromCountryCode: "BR", lockedFields: ["pay_from_country"] }, "BR"],
    [{ payFromCountryCode: "BR", lockedFields: [] }, undefined],
    [{ payFromCountryCode: "BR" }, undefined],
    [{ lockedFields: ["pay_from_country"] }, undefined],
  ] as const)("%j locks the country to %s", (paymentLink, country) => {
    expect(lockedCountryOf(linkOf({ instructions: { paymentLink } }))).toBe(country);
  });
});

describe("what is quoted for a link", () => {
  test("at a set price is the amount of each recipient, in order", () => {
    const link = linkOf({ recipients: [priced(5002, "10.5", 7), priced(5001, "90", 3)] });
    const planned = planPayouts(link, undefined, payeesIn());
    const payouts = planned.ok && planned.value.map(({ payee: { id }, amount }) => ({ id, amount }));
    expect(payouts).toEqual([
      { id: 5001, amount: "90.00" },
      { id: 5002, amount: "10.50" },
    ]);
  });

  test("with shares sums to what the payer entered, in every currency", () => {
    const portions = fc
      .tuple(fc.integer({ min: 1, max: 9998 }), fc.integer({ min: 1, max: 9998 }))
      .filter(([first, second]) => first + second < 10_000)
      .map(([first, second]) => [first, second, 10_000 - first - second]);
    const currency = fc.constantFrom("JPY", "AUD", "KWD");
    fc.assert(
      fc.property(portions, currency, fc.integer({ min: 1, max: 10 ** 9 }), (shares, code, units) => {
        const entered = fromMinorUnits(BigInt(units), code);
        const planned = planPayouts(shared(shares, code), entered, payeesIn(code));
        if (!planned.ok) {
          expect(planned.failure).toMatchObject({ problems: [expect.stringMatching(/too small/)] });
          return;
        }
        const amounts = planned.value.map(({ amount }) => amount);
        expect(compareAmounts(addAmounts(...amounts), entered)).toBe(0);
        amounts.forEach((amount, index) => {
          const exact = (units * (shares[index] ?? 0)) / 10_000;
          expect(Math.abs(Number(amount) * 10 ** (minorUnitsOf(code) ?? 0) - exact)).toBeLessThan(1);
          expect(Number(amount)).toBeGreaterThan(0);
        });
      }),
    );
  });

  test.each([
    ["an open amount that nobody entered", shared([9000, 1000]), undefined],
    ["a fraction of a minor unit", shared([9000, 1000]), "10.001"],
    ["yen with decimals", shared([10_000], "JPY"), "10.5"],
    ["a share of nothing", shared([9999, 1]), "0.01"],
    ["more than a JSON number carries", shared([9000, 1000]), "900719925474099.31"],
    ["an amount where the link sets it", linkOf({ recipients: [priced(5001, "90")] }), "90"],
  ])("refuses %s, naming the amount", (_, link, entered) => {
    const planned = planPayouts(link, entered, payeesIn());
    expect(planned).toMatchObject({
      ok: false,
      failure: { kind: "shape", problems: [expect.stringMatching(/^amount /)] },
    });
  });

  test("pays the tenant its part in the link's currency, whatever the tenant's own currency is", () => {
    const payees = new Map([...payeesIn(), [1001, payee(1001, { currencyCode: "INR" })]]);
    const { recipients } = shared([9000]);
    const tenant: Recipient = { role: "tenant", connectorPayeeId: 1001, amount: { portionBps: 1000, currency: "AUD" } };
    const planned = planPayouts({ ...shared([9000]), recipients: [...recipients, tenant] }, "10", payees);
    expect(planned.ok && planned.value).toMatchObject([
      { payee: { id: 5001, currencyCode: "AUD" }, amount: "9.00" },
      { payee: { id: 1001, currencyCode: "AUD" }, amount: "1.00" },
    ]);
  });
});

describe("a quote as payers see it", () => {
  test("shows neither margins nor the ids of payees", () => {
    const link = linkOf({ recipients: [priced(5001, "1000")] });
    const answer = toLinkQuoteAnswer(link, quote([5001]), payeesIn());
    expect(answer).toMatchObject({
      amount: 1000,
      currency: "AUD",
      payouts: [{ name: "School 5001", payerAmount: 4000 }],
    });
    expect(answer.variants[0]).toMatchObject({ fromAmount: 4020, feesAndCharges: 20, isWithinLimits: true });
    const text = JSON.stringify(answer);
    expect(text).not.toMatch(/"fee"|spread|marketRate|commission|Beneficiary|payeeId|paymentType|5001,|1001/);
  });

  test("sums up the tenant's part and the rail's fee, each of which alone stands nowhere", () => {
    const [school, tenant] = [priced(5001, "900"), { ...priced(5002, "100"), role: "tenant" as const }];
    const terms = (payeeId: number, payerAmount: string, payeeAmount: string) => ({
      ...{ payeeId, fromCurrency: "BRL", toCurrency: "AUD", payerAmount, payeeAmount, fxRate: "0.25" },
    });
    const payouts = [terms(5001, "3600.00", "900.00"), terms(5002, "400.00", "100.00")];
    const [first, ...others] = quote().variants;
    const split = {
      ...quote(),
      variants: [{ ...first, payouts }, ...others.map((one) => ({ ...one, payouts }))] as const,
    };
    const answer = toLinkQuoteAnswer(linkOf({ recipients: [school, tenant] }), split, payeesIn());
    expect(answer).toMatchObject({
      amount: 900,
      payouts: [{ name: "School 5001", payeeAmount: 900, payerAmount: 3600 }],
    });
    expect(answer.variants.map(({ feesAndCharges }) => feesAndCharges)).toEqual([420, 420]);
    expect(JSON.stringify(answer)).not.toMatch(/School 5002|\b(100|400|20)\b/);
  });
});

test("a refusal tells payers nothing in the words of the rail, or of a recipient's country", () => {
  const refused = toPublicFailure({ kind: "rail_refused", reason: "the account of Demo Agency is closed" });
  expect(refused).toEqual({ kind: "rail_refused", reason: "the payment cannot be carried out this way" });
  const pair = { fromCurrency: "BRL", toCurrency: "AUD", reason: "no payment can be made to KP" };
  expect(JSON.stringify(toPublicFailure({ kind: "pair_unavailable", ...pair }))).not.toContain("KP");
  expect(toPublicFailure({ kind: "link_closed" })).toEqual({ kind: "link_closed" });
});
