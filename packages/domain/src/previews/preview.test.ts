import { describe, expect, test } from "vitest";
import { facts, payee, QUOTE_ID, quote, storedIntent, variant } from "../../test/intent-fixture.ts";
import { by, previewed, split } from "../../test/preview-fixture.ts";
import { referenceRates } from "../amounts/exchange-rates.ts";
import { addAmounts } from "../amounts/money.ts";
import { transferTo } from "../batches/batch.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import { paymentWork, planPaymentOrder } from "../intents/payment-order.ts";
import type { Payee } from "../parties/payee.ts";
import { type PlannedWork, previewOf } from "./preview.ts";

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
          fxRate: "0.25",
          spread: "0.006",
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

  test("sums up in the order of the currencies, whoever comes first", () => {
    const [school, tenant] = split.recipients;
    const { delivered } = previewed({ ...split, recipients: [tenant, school] });
    expect(delivered.map(({ currency }) => currency)).toEqual(["AUD", "BRL"]);
  });

  test("is none without a quote, or without the chosen variant of it", () => {
    const known = by();
    const work = paymentWork(
      planPaymentOrder(storedIntent(), {
        ...{ variant: variant([5001]), payees: known.payees, payer: {}, payerKey: "ana", connectorPaymentId: 7 },
      }),
      quote(),
    );
    const { quote: _none, ...without } = known;
    const manualPayment = { ...storedIntent().instructions?.manualPayment, selectedQuoteVariantId: 999 };
    const astray = storedIntent({ instructions: { manualPayment } });
    const faulty = /^The payment \w+ has no quote$/;
    expect(() => previewOf(storedIntent(), work, without)).toThrow(faulty);
    expect(() => previewOf(astray, work, known)).toThrow(faulty);
  });

  test("has no commission where none is earned", () => {
    expect(previewed({ payer: { role: "tenant" } })).not.toHaveProperty("commission");
    expect(previewed({}, by({}, { commissionSpread: "0" }))).not.toHaveProperty("commission");
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
      role: "public_payee",
      connectorPayeeId: Number(id),
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
    const { legs, debited, charged, delivered, settlementMethod, settlementChannel, ...rest } = previewOf(
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
    expect([settlementMethod, settlementChannel]).toEqual(["dmt", "bank"]);
    expect(rest).not.toHaveProperty("quoteId");
    expect(rest).not.toHaveProperty("validUntil");
  });

  test("of one recipient tells how it is paid, too, and of what no rule allows there is none", () => {
    const work: PlannedWork = { kind: "bulk", variants, connectorPaymentId: 7 };
    const one = { ...batch, recipients: batch.recipients.slice(0, 1) };
    expect(previewOf(one, work, known)).toMatchObject({ settlementMethod: "dmt", settlementChannel: "bank" });
    const other = { ...batch, amountMode: "fixed_payee_amounts" } as const;
    expect(() => previewOf(other, work, known)).toThrow(/^The batch \w+ has no rule$/);
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
