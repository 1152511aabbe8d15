import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NOW_MS, payee, quote as quoteFixture, storedIntent, variant } from "../../test/intent-fixture.ts";
import { referenceRates } from "../amounts/exchange-rates.ts";
import { addAmounts, compareAmounts, fromMinorUnits } from "../amounts/money.ts";
import { newRecordId } from "../ids.ts";
import { priceQuote } from "../quotes/pricing.ts";
import { planLinkOrder, planLinkSubmission, takesItsQuote } from "./link-payment.ts";
import { planPayouts } from "./payment-link.ts";

const payees = new Map([5001, 1001].map((id) => [id, payee(id)]));
const details = { firstName: "Rui", lastName: "Silva", email: "Rui@Example.com" };
const CHILD_ID = newRecordId(NOW_MS, (count) => new Uint8Array(count));

const link = storedIntent({
  useCase: "education_provider_tuition_with_tenant_split",
  deliveryMode: "reusable_payment_link",
  amountMode: "free_entry_with_portions",
  payer: { role: "unknown_link_payer" },
  status: "pending_link_payment",
  recipients: [
    {
      role: "tenant",
      connectorPayeeId: 1001,
      order: 9,
      splitRole: "tenant_commission",
      amount: { portionBps: 1234, currency: "AUD" },
    },
    {
      role: "education_provider",
      connectorPayeeId: 5001,
      order: 2,
      reference: "own",
      purposeProofDocumentId: "proof",
      amount: { portionBps: 8766, currency: "AUD" },
    },
  ],
  instructions: { paymentLink: { reference: "Fees" } },
});

/** The payment that somebody in Brazil makes who enters `entered`, in each way that there is to pay. */
function paymentsOf(entered: string, from = link) {
  const payouts = planPayouts(from, entered, payees);
  if (!payouts.ok) throw new Error("The amount cannot be shared");
  let ids = 900;
  const request = {
    payouts: payouts.value,
    countryCode: "BR",
    paymentType: "provider",
    rail: { maxUsd: "2000000" },
    tenantId: "1001",
    commissionSpread: "0.01",
  } as const;
  const priced = priceQuote(request, referenceRates, () => ids++);
  if (!priced.ok) throw new Error("The quote was refused");
  const quote = { ...quoteFixture(), ...priced.value };
  const payer = { id: CHILD_ID, details, source: "source" };
  return quote.variants.map((chosen) => {
    const child = planLinkSubmission(from, { quote, variant: chosen, documentIds: ["d"] }, payer);
    const order = planLinkOrder(child, {
      variant: chosen,
      payees,
      payer: details,
      payerKey: "rui@example.com",
      connectorPaymentId: 7,
      returnUrl: "https://pay.example/pay/plink_x",
    });
    return { child, order, chosen };
  });
}

describe("a payment by a link", () => {
  test("copies the link's recipients in order, with the amount that each gets and the link's reference", () => {
    const [{ child, order } = { child: link, order: undefined }] = paymentsOf("1000.01");
    const { recipients, ...intent } = child;
    const at = new Date(NOW_MS).toISOString();
    expect(intent).toEqual({
      ...{ id: CHILD_ID, tenantId: link.tenantId, version: 0, status: "draft" },
      ...{ useCase: link.useCase, deliveryMode: "payment_link_submission", amountMode: link.amountMode },
      payer: { role: "unknown_link_payer", details },
      instructions: link.instructions,
      termsAccepted: true,
      createdFrom: { paymentIntentId: link.id },
      payerChoice: {
        ...{ quoteId: quoteFixture().quoteId, selectedQuoteVariantId: 900, countryCode: "BR", documentIds: ["d"] },
        settlementMethod: "dmt",
        fxRate: expect.stringMatching(/^0\.\d+$/),
      },
      payerSource: "source",
      ...{ createdAt: at, updatedAt: at, createdBy: "payer" },
      statusHistory: [{ status: "draft", at, by: "payer" }],
      executions: [],
    });
    expect(recipients).toEqual([
      {
        role: "education_provider",
        connectorPayeeId: 5001,
        order: 2,
        reference: "Fees",
        amount: { portionBps: 8766, currency: "AUD", payeeAmount: "876.61" },
      },
      {
        role: "tenant",
        connectorPayeeId: 1001,
        order: 9,
        splitRole: "tenant_commission",
        reference: "Fees",
        amount: { portionBps: 1234, currency: "AUD", payeeAmount: "123.40" },
      },
    ]);
    expect(order).toMatchObject({
      intentId: CHILD_ID,
      payerKey: "rui@example.com",
      returnUrl: "https://pay.example/pay/plink_x",
      legs: [
        {
          order: 2,
          payeeId: 5001,
          payeeName: "School 5001",
          payeeAmount: "876.61",
          payeeCurrency: "AUD",
          reference: "Fees",
        },
        { order: 9, payeeId: 1001, payeeAmount: "123.40", payeeCurrency: "AUD", reference: "Fees" },
      ],
    });
  });

  test("keeps a recipient's own reference when the link has none", () => {
    const [first] = paymentsOf("100", { ...link, instructions: {} });
    expect(first?.order.legs.map(({ reference }) => reference)).toEqual(["own", undefined]);
  });

  test("moves exactly the entered amount for exactly the quoted price", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 10 ** 9 }), (units) => {
        const entered = fromMinorUnits(BigInt(units), "AUD");
        for (const { child, order, chosen } of paymentsOf(entered)) {
          const received = child.recipients.map(({ amount }) => amount?.payeeAmount ?? "");
          expect(compareAmounts(addAmounts(...received), entered)).toBe(0);
          expect(order.legs.map(({ payeeAmount }) => payeeAmount)).toEqual(received);
          expect(compareAmounts(order.totalAmount, chosen.fromAmount)).toBe(0);
          const paid = addAmounts(order.fee, ...order.legs.map(({ payerAmount }) => payerAmount));
          expect(compareAmounts(paid, order.totalAmount)).toBe(0);
        }
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    [{}, true],
    [{ minAmount: "4000.01" }, false],
    [{ minAmount: "4000.00" }, true],
    [{ maxAmount: "4000.00" }, true],
    [{ maxAmount: "3999.99" }, false],
  ])("that sends 4000 and a fee of 20 within %j: %s", (changes, fits) => {
    expect(takesItsQuote(variant([5001], changes))).toBe(fits);
  });
});
