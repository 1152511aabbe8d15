import type { Client, Data, ErrorBody, Intent, Reply } from "./client.ts";
import { create, newKey } from "./tuition.ts";

export type Paid = Intent &
  Readonly<{
    connectorPayment?: Readonly<{
      reference: string;
      amount: string;
      currency: string;
      payouts: readonly Readonly<{ payerAmount: string; payeeAmount: string }>[];
    }>;
    bulkProgress?: Readonly<{ total: number; completed: number; failed: number }>;
  }>;

/** Creates an intent and submits it. */
export async function submitNew<Body = Data<Paid>>(client: Client, body: object): Promise<Reply<Body>> {
  const { id } = await create(client, body);
  return client.submit<Body>(id, newKey());
}

/** The submitted intent; throws unless submit succeeded. */
export async function pay(client: Client, body: object): Promise<Paid> {
  const { status, body: answer } = await submitNew(client, body);
  if (status !== 200) throw new Error(JSON.stringify(answer));
  return answer.data;
}

/** The missing requirements in the answer to a submit that is refused. */
export async function refusedFor(client: Client, body: object) {
  const { status, body: refusal } = await submitNew<ErrorBody>(client, body);
  return { status, code: refusal.code, missing: refusal.details?.["missingRequirements"] };
}

type Recipient = Readonly<{ amount?: Readonly<Record<string, unknown>> }> & Readonly<Record<string, unknown>>;
export type Body = Readonly<{ recipients: readonly Recipient[] }> & Readonly<Record<string, unknown>>;

/** The body with one recipient changed; `undefined` leaves a field out. */
export const withRecipient = <B extends Body>(body: B, index: number, changes: object, amount: object = {}) => ({
  ...body,
  recipients: body.recipients.map((recipient, at) =>
    at === index ? { ...recipient, ...changes, amount: { ...recipient.amount, ...amount } } : recipient,
  ),
});

/** A complete split of a student's payment between a school and the tenant, with shares of 90 % and 10 %. */
export async function splitBody(client: Client) {
  const [{ _id: partyId }, quote, me, ...documents] = await Promise.all([
    client.newStudent(),
    client.newQuote(),
    client.must<Readonly<{ paymentAccess: Readonly<{ tenantId: number }> }>>("GET", "/v2/users/me"),
    client.uploadPdf(),
    client.uploadPdf(),
    client.uploadPdf(),
  ]);
  const [payout] = quote.payouts;
  const body = {
    useCase: "education_provider_tuition_with_tenant_split",
    deliveryMode: "manual",
    amountMode: "payer_fixed",
    payer: { role: "student", partyId },
    recipients: [
      {
        role: "education_provider",
        connectorPayeeId: 5001,
        purposeProofDocumentId: documents[0],
        amount: { payerAmount: payout?.payerAmount.toFixed(2), portionBps: 9000 },
      },
      {
        role: "tenant",
        splitRole: "tenant_commission",
        connectorPayeeId: Number(me.paymentAccess.tenantId),
        purposeProofDocumentId: documents[1],
        amount: { payerAmount: "500.00", portionBps: 1000 },
      },
    ],
    instructions: {
      manualPayment: {
        quoteId: quote.quoteId,
        selectedQuoteVariantId: quote.variants[0].id,
        purpose: "undergraduate",
        countryCode: "BR",
        payerIdentityDocumentId: documents[2],
      },
    },
    termsAccepted: true,
  };
  return { body, quote };
}

const tenantPays = { deliveryMode: "manual", amountMode: "recipient_fixed", payer: { role: "tenant" } } as const;
let amounts = 0;

/** A supplier payment or a refund, by `useCase`, with an amount that no other has. */
export async function fixedReceiptBody(client: Client, useCase: string, payeeAmount = (1200 + ++amounts).toFixed(2)) {
  const payouts = [{ payeeId: 5010, amount: Number(payeeAmount) }];
  const quote = await client.newQuote({ payouts, countryCode: "GB", paymentType: "company" });
  const body = {
    ...tenantPays,
    useCase,
    recipients: [{ role: "public_payee", connectorPayeeId: 5010, amount: { payeeAmount } }],
    instructions: {
      manualPayment: {
        quoteId: quote.quoteId,
        selectedQuoteVariantId: quote.variants[0].id,
        purpose: useCase === "tenant_funded_refund" ? "refund" : "other",
        countryCode: "GB",
      },
    },
    termsAccepted: true,
  };
  return { body, quote };
}

/** A complete allowance, which a student pays to another person. */
export async function allowanceBody(client: Client) {
  const [{ body, quote }, { _id: partyId }, payerIdentityDocumentId] = await Promise.all([
    fixedReceiptBody(client, "allowance_payment"),
    client.newStudent(),
    client.uploadPdf(),
  ]);
  const manualPayment = { ...body.instructions.manualPayment, purpose: "allowance-payment", payerIdentityDocumentId };
  return { body: { ...body, payer: { role: "student", partyId }, instructions: { manualPayment } }, quote };
}

const link = {
  deliveryMode: "reusable_payment_link",
  payer: { role: "unknown_link_payer" },
  termsAccepted: true,
} as const;

/** A link at a set price. */
export const priceLinkBody = (useCase = "education_provider_tuition") => ({
  ...link,
  useCase,
  amountMode: "fixed_payee_amounts",
  recipients: [{ role: "public_payee", connectorPayeeId: 5001, amount: { payeeAmount: "99.00", currency: "AUD" } }],
});

/** A link for one payee, whose payer enters the amount. */
export const openLinkBody = (useCase = "education_provider_tuition") => ({
  ...link,
  useCase,
  amountMode: "free_entry_with_portions",
  recipients: [{ role: "public_payee", connectorPayeeId: 5001, amount: { portionBps: 10_000, currency: "AUD" } }],
});

/** A link whose payer enters a total, which is split by shares. */
export const shareLinkBody = () => ({
  ...link,
  useCase: "education_provider_tuition_with_tenant_split",
  amountMode: "free_entry_with_portions",
  recipients: [
    { role: "education_provider", connectorPayeeId: 5001, amount: { portionBps: 9000, currency: "AUD" } },
    { role: "tenant", connectorPayeeId: 1001, amount: { portionBps: 1000, currency: "AUD" } },
  ],
});

/** A payroll of `count` people in two currencies, at amounts that no other has. */
export const payrollBody = (count: number, references: readonly string[] = []) => ({
  useCase: "payroll_payment",
  deliveryMode: "bulk",
  amountMode: "mixed_composite",
  payer: { role: "tenant" },
  recipients: Array.from({ length: count }, (_, index) => ({
    role: "public_payee",
    connectorPayeeId: index % 2 === 0 ? 5002 : 5010,
    purpose: "other",
    reference: references[index] ?? `pay ${index}`,
    amount: { payeeAmount: `${100 + ++amounts}.00`, currency: index % 2 === 0 ? "CAD" : "AUD" },
  })),
  instructions: { manualPayment: { countryCode: "AU", purpose: "other" } },
  termsAccepted: true,
});
