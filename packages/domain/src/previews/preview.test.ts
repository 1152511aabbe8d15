import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { referenceRates } from "../amounts/exchange-rates.ts";
import { addAmounts } from "../amounts/money.ts";
import { transferTo } from "../batches/batch.ts";
import { facts, payee, QUOTE_ID, quote, storedIntent, variant } from "../intents/intent-fixture.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import { paymentWork, planPaymentOrder } from "../intents/payment-order.ts";
import type { Payee } from "../parties/payee.ts";
import type { Quote, QuoteVariant } from "../quotes/quote.ts";
import type { Facts } from "../requirements/finding.ts";
import type { Recipient } from "../scenarios/draft.ts";
import { canonicalOf, type PlannedWork, type Preview, previewOf } from "./preview.ts";

const by = (changes: Partial<QuoteVariant> = {}, terms: Partial<Quote> = {}): Facts =>
  facts({
    quote: { ...quote(), variants: [variant([5001, 5002], changes)], ...terms },
    payees: new Map([5001, 5002, 1001].map((id) => [id, payee(id)])),
  });

/** The preview of a payment by the quote in `known`. */
function previewed(changes: Partial<PaymentIntent> = {}, known = by(), connectorPaymentId = 7): Preview {
  const intent = storedIntent(changes);
  const { payees, quote: chosen = quote() } = known;
  const terms = { variant: chosen.variants[0], payees, payer: {}, payerKey: "ana", connectorPaymentId };
  return previewOf(intent, paymentWork(planPaymentOrder(intent, terms), chosen), known);
}

const recipient = (connectorPayeeId: number, payerAmount: string, more: Partial<Recipient> = {}): Recipient => ({
  role: "education_provider",
  connectorPayeeId,
  amount: { payerAmount },
  ...more,
});

const split = {
  useCase: "education_provider_tuition_with_tenant_split",
  recipients: [
    recipient(5001, "4000.00"),
    recipient(1001, "500.00", { role: "tenant", splitRole: "tenant_service_fee" }),
  ],
} as const satisfies Partial<PaymentIntent>;

describe("the preview of a payment", () => {
  test("says what is given, charged, received and earned, and until when its quote holds", () => {
    const { offer, quote: chosen } = by();
    expect(previewed()).toEqual({
      connector: { provider: offer.provider, action: offer.action, version: offer.version },
      quoteId: QUOTE_ID,
      selectedQuoteVariantId: 900,
      validUntil: chosen?.expiresOn,
      settlementMethod: "dmt",
      settlementChannel: "bank",
      debited: [{ currency: "BRL", amount: "4020.00" }],
      charged: [{ currency: "BRL", amount: "20.00" }],
      delivered: [{ currency: "AUD", amount: "1000.00" }],
      commission: { currency: "BRL", amount: "40.00", spread: "0.01" },
      legs: [
        {
          ...{ order: 0, payeeId: 5001, payeeName: "School 5001", splitRole: "principal_provider_amount" },
          ...{ payerAmount: "4000.00", payerCurrency: "BRL", payeeAmount: "1000.00", payeeCurrency: "AUD" },
          ...{ fxRate: "0.25", spread: "0.006" },
        },
      ],
    });
  });

  test("adds up by currency, and converts the tenant's own leg neither in amount nor in rate", () => {
    const { legs, debited, delivered, commission } = previewed(split);
    expect(legs[1]).toMatchObject({
      ...{ payerAmount: "500.00", payerCurrency: "BRL", payeeAmount: "500.00", payeeCurrency: "BRL" },
      ...{ fxRate: "1", spread: "0", splitRole: "tenant_service_fee" },
    });
    expect(debited).toEqual([{ currency: "BRL", amount: "4520.00" }]);
    expect(delivered).toEqual([
      { currency: "AUD", amount: "1000.00" },
      { currency: "BRL", amount: "500.00" },
    ]);
    expect(commission?.amount).toBe("40.00");
  });

  test("has no commission where none is earned, or where the quote has locked no terms", () => {
    expect(previewed({ payer: { role: "tenant" } })).not.toHaveProperty("commission");
    expect(previewed({}, by({}, { commissionSpread: "0" }))).not.toHaveProperty("commission");
    const { commissionSpread, ...earlier } = quote();
    expect(previewed({}, { ...by(), quote: earlier })).not.toHaveProperty("commission");
  });

  test("keeps the name of a payee that only another tenant may see to itself", () => {
    const payees = new Map([[5001, payee(5001, { tenantId: "1002" })]]);
    expect(previewed({}, { ...by(), payees }).legs[0]).not.toHaveProperty("payeeName");
  });
});

describe("the preview of a batch", () => {
  const wages = [
    ["5001", "100.00"],
    ["5003", "200.00"],
    ["5001", "100.00"],
  ] as const;
  const batch = storedIntent({
    useCase: "payroll_payment",
    deliveryMode: "bulk",
    amountMode: "mixed_composite",
    payer: { role: "tenant" },
    recipients: wages.map(([id, payeeAmount]) => ({
      ...{ role: "public_payee", connectorPayeeId: Number(id) },
      amount: { payeeAmount, currency: id === "5003" ? "CAD" : "AUD" },
    })),
    instructions: { manualPayment: { countryCode: "AU", purpose: "other" } },
  });
  const canadian = payee(5003, { countryCode: "CA", currencyCode: "CAD" });
  const known = facts({
    payees: new Map<number, Payee>([
      [5001, payee(5001)],
      [5003, canadian],
    ]),
  });
  const variants = [...known.payees.values()].map((one) => {
    const transfer = transferTo(one, "AU", { ...known, rates: referenceRates });
    if (!transfer.ok) throw new Error(transfer.failure.reason);
    return transfer.value;
  });

  test("shows each recipient with rate, fee and reference, and adds up each currency", () => {
    const { legs, debited, charged, delivered, settlementMethod, ...rest } = previewOf(
      batch,
      { kind: "bulk", variants, connectorPaymentId: 7 },
      known,
    );
    expect(legs.map(({ payeeId, reference }) => [payeeId, reference])).toEqual([
      [5001, undefined],
      [5003, undefined],
      [5001, "line 2"],
    ]);
    expect(legs[1]).toMatchObject({ fxRate: variants[1]?.fxRate, spread: variants[1]?.spread, fee: variants[1]?.fee });
    const fees = legs.map(({ fee = "" }) => fee);
    expect(charged).toEqual([{ currency: "AUD", amount: addAmounts(...fees) }]);
    const given = legs.map(({ payerAmount = "" }) => payerAmount);
    expect(debited).toEqual([{ currency: "AUD", amount: addAmounts(...given, ...fees) }]);
    expect(delivered).toEqual([
      { currency: "AUD", amount: "200.00" },
      { currency: "CAD", amount: "200.00" },
    ]);
    expect(settlementMethod).toBe("dmt");
    expect(rest).not.toHaveProperty("quoteId");
    expect(rest).not.toHaveProperty("validUntil");
  });
});

describe("the preview of a link", () => {
  const link = (changes: Partial<PaymentIntent>) =>
    storedIntent({
      deliveryMode: "reusable_payment_link",
      payer: { role: "unknown_link_payer" },
      instructions: { paymentLink: { reference: "Semester 1" } },
      ...changes,
    });
  const work: PlannedWork = { kind: "link" };

  test("at a set price says what is received, and leaves what is given to the quotes of its payers", () => {
    const amount = { payeeAmount: "99", currency: "AUD" };
    const fixed = link({
      amountMode: "fixed_payee_amounts",
      recipients: [{ role: "education_provider", connectorPayeeId: 5001, reference: "own", amount }],
    });
    const { connector, ...stated } = previewOf(fixed, work, by());
    expect(stated).toEqual({
      debited: [],
      charged: [],
      delivered: [{ currency: "AUD", amount: "99.00" }],
      legs: [
        {
          ...{ order: 0, payeeId: 5001, payeeName: "School 5001", splitRole: "principal_provider_amount" },
          ...{ payeeAmount: "99.00", payeeCurrency: "AUD", reference: "Semester 1" },
        },
      ],
    });
  });

  test("at an open amount says the shares alone", () => {
    const amount = (portionBps: number) => ({ portionBps, currency: "AUD" });
    const open = link({
      useCase: "education_provider_tuition_with_tenant_split",
      amountMode: "free_entry_with_portions",
      recipients: [
        { role: "education_provider", connectorPayeeId: 5001, amount: amount(9000) },
        { role: "tenant", connectorPayeeId: 1001, amount: amount(1000) },
      ],
    });
    const { legs, delivered } = previewOf(open, work, by());
    expect(delivered).toEqual([]);
    expect(legs.map(({ portionBps, payeeAmount, splitRole }) => [portionBps, payeeAmount, splitRole])).toEqual([
      [9000, undefined, "principal_provider_amount"],
      [1000, undefined, "tenant_commission"],
    ]);
  });
});

describe("the text that is hashed", () => {
  const text = canonicalOf(previewed(split));

  test("is the same for the same plan, whatever its payment id is and whoever reads it", () => {
    expect(canonicalOf(previewed(split, by(), 8))).toBe(text);
    expect(canonicalOf(JSON.parse(JSON.stringify(previewed(split))) as Preview)).toBe(text);
  });

  const [school, tenant] = split.recipients;
  const other =
    (changes: Partial<PaymentIntent>, known = by()) =>
    () =>
      previewed({ ...split, ...changes }, known);
  const renamed = new Map([...by().payees, [1001, payee(1001, { name: "Renamed" })]]);
  const offer = { ...by().offer, provider: "another" };
  test.each<[string, () => Preview]>([
    ["an amount", other({ recipients: [recipient(5001, "4000.01"), tenant] })],
    ["what the payee gets for it", other({}, by({ payouts: [], fxRate: "0.26" }))],
    ["the rate", other({}, by({ fxRate: "0.26" }))],
    ["the spread", other({}, by({ spread: "0.007" }))],
    ["the fee", other({}, by({ fee: "20.01" }))],
    ["the payer's currency", other({}, by({ fromCurrency: "EUR" }))],
    ["the payee", other({ recipients: [recipient(5002, "4000.00"), tenant] })],
    ["a payee's name", other({}, { ...by(), payees: renamed })],
    ["the quote", other({}, by({}, { quoteId: crypto.randomUUID() }))],
    ["the quote's end", other({}, by({}, { expiresOn: new Date(0).toISOString() }))],
    ["the way to pay", other({}, by({ settlementMethod: "card" }))],
    ["its channel", other({}, by({ settlementChannel: "checkout" }))],
    ["the terms of the commission", other({}, by({}, { commissionSpread: "0.02" }))],
    ["the rail", other({}, { ...by(), offer })],
    [
      "the order",
      other({
        recipients: [
          { ...school, order: 2 },
          { ...tenant, order: 1 },
        ],
      }),
    ],
    ["what a leg is booked as", other({ recipients: [school, { ...tenant, splitRole: "tenant_commission" }] })],
    ["a reference", other({ recipients: [{ ...school, reference: "term 1" }, tenant] })],
  ])("changes with %s", (_, change) => {
    expect(canonicalOf(change())).not.toBe(text);
  });

  const words = fc.string({ maxLength: 6 });
  const sum = fc.record({ currency: words, amount: words });
  const leg = fc.record(
    {
      order: fc.nat(3),
      payeeId: fc.nat(3),
      payeeName: words,
      payerAmount: words,
      payeeAmount: words,
      reference: words,
    },
    { requiredKeys: ["order", "payeeId"] },
  );
  const previews = fc.record(
    {
      ...{ connector: fc.record({ provider: words, action: words, version: words }) },
      ...{ quoteId: words, validUntil: words, legs: fc.array(leg, { maxLength: 2 }) },
      ...{ debited: fc.array(sum, { maxLength: 2 }), charged: fc.array(sum, { maxLength: 1 }) },
    },
    { requiredKeys: ["connector", "debited", "legs"] },
  ) as unknown as fc.Arbitrary<Preview>;
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, part]) => [name, shuffled(part)]),
    );
  };

  test("does not depend on the order in which fields were written", () => {
    fc.assert(
      fc.property(previews, (preview) => {
        expect(canonicalOf(shuffled(preview) as Preview)).toBe(canonicalOf(preview));
      }),
    );
  });

  test("tells everything, so that no two previews share it", () => {
    fc.assert(
      fc.property(previews, (preview) => {
        const [, version, told = ""] = /^(preview \d+) (.*)$/s.exec(canonicalOf(preview)) ?? [];
        expect(version).toBe("preview 1");
        expect(JSON.parse(told)).toEqual(preview);
      }),
    );
  });
});
