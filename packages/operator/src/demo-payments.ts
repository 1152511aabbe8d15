import { referenceRates } from "@intents/domain/amounts/exchange-rates.ts";
import { newLinkToken, newNumericId, newRecordId, newUuid } from "@intents/domain/ids.ts";
import { planDraft } from "@intents/domain/intents/plan-draft.ts";
import type { IntentStatus } from "@intents/domain/intents/statuses.ts";
import type { Caller } from "@intents/domain/parties/caller.ts";
import { UNUSED_DOCUMENT_TTL_MS } from "@intents/domain/parties/document.ts";
import type { Payee } from "@intents/domain/parties/payee.ts";
import { type Tenant, tenantPayeeId } from "@intents/domain/parties/tenant.ts";
import { priceQuote } from "@intents/domain/quotes/pricing.ts";
import type { Quote } from "@intents/domain/quotes/quote.ts";
import { corridorOf } from "@intents/domain/rails/description.ts";
import type { IntentDraft } from "@intents/domain/scenarios/draft.ts";
import { createIntent } from "@intents/execution/drafts/create.ts";
import { railFor } from "@intents/execution/rails/ask.ts";
import type { Run } from "@intents/execution/run.ts";
import { submitIntent } from "@intents/execution/submit/submit.ts";
import { addQuote } from "@intents/storage/intents/quotes.ts";
import { addDocument } from "@intents/storage/parties/documents.ts";
import type { Cast, Person } from "./demo-cast.ts";

/** The means to make payments: the service's own operations, a tenant and a caller. */
export type Stagecraft = Readonly<{ run: Run; tenant: Tenant; caller: Caller; quoteTtlMs: number }>;

type Kind = "tuition" | "split" | "supplier" | "link";

/** The kinds of ten payments in a row, so that any number of payments is a mixture. One stays a draft, one fails. */
const mixture: readonly Readonly<{ kind: Kind; isDraft?: true; reference?: string }>[] = [
  { kind: "tuition" },
  { kind: "tuition" },
  { kind: "supplier" },
  { kind: "tuition" },
  { kind: "split" },
  { kind: "tuition" },
  { kind: "link" },
  { kind: "tuition", isDraft: true },
  { kind: "supplier" },
  { kind: "tuition", reference: "SANDBOX-FAIL" },
];

/** Makes the `index`-th payment of the demo, submits it unless it shall stay a draft, and tells its status. */
export async function makePayment(craft: Stagecraft, cast: Cast, index: number): Promise<IntentStatus> {
  const { run, caller } = craft;
  const id = newRecordId(run.now(), run.random);
  const { kind, isDraft, reference = `Demo ${id.slice(-8)}` } = mixture[index % mixture.length] ?? { kind: "tuition" };
  const draft = await drafts[kind](craft, cast, index, reference);
  const planned = planDraft(draft, caller, { id, publicLinkId: newLinkToken(run.random) });
  const { status } = await createIntent(run, planned, caller);
  if (isDraft === true) return status;
  const submitted = await submitIntent(run, { caller, intentId: id });
  if (!submitted.ok) throw new Error(`The demo's ${kind} ${id} was refused: ${JSON.stringify(submitted.failure)}`);
  return kind === "link" ? "pending_link_payment" : "executing";
}

type MakeDraft = (craft: Stagecraft, cast: Cast, index: number, reference: string) => Promise<IntentDraft>;

const pick = <Item>(items: readonly [Item, ...Item[]], index: number): Item => items[index % items.length] ?? items[0];
/** An amount from 900 to about 12,000, as tuition fees are. */
const amountOf = (index: number): string => `${900 + ((index * 1371) % 11_100)}.00`;

const drafts: Readonly<Record<Kind, MakeDraft>> = {
  tuition: async (craft, cast, index, reference) => {
    const person = pick(cast.students, index);
    const school = pick(cast.schools, index);
    const quote = await newQuote(craft, school, amountOf(index), person.countryCode);
    const { payerAmount } = firstPayout(quote);
    return {
      ...tuitionOf(person),
      useCase: "education_provider_tuition",
      recipients: [{ role: "education_provider", connectorPayeeId: school.id, reference, amount: { payerAmount } }],
      instructions: { manualPayment: await manualPayment(craft, quote, person) },
    };
  },
  split: async (craft, cast, index, reference) => {
    const person = pick(cast.students, index);
    const school = pick(cast.schools, index);
    const quote = await newQuote(craft, school, amountOf(index), person.countryCode);
    const { payerAmount } = firstPayout(quote);
    return {
      ...tuitionOf(person),
      useCase: "education_provider_tuition_with_tenant_split",
      recipients: [
        {
          role: "education_provider",
          connectorPayeeId: school.id,
          reference,
          amount: { payerAmount, portionBps: 9500 },
          purposeProofDocumentId: await mintDocument(craft, person),
        },
        {
          role: "tenant",
          connectorPayeeId: tenantPayeeId(craft.tenant.tenantId),
          splitRole: "tenant_service_fee",
          amount: { payerAmount: "150.00", portionBps: 500 },
          purposeProofDocumentId: await mintDocument(craft, person),
        },
      ],
      instructions: { manualPayment: await manualPayment(craft, quote, person) },
    };
  },
  supplier: async (craft, { supplier }, index, reference) => {
    const payeeAmount = amountOf(index);
    const quote = await newQuote(craft, supplier, payeeAmount, craft.tenant.countryCode);
    return {
      useCase: "supplier_payment",
      deliveryMode: "manual",
      amountMode: "recipient_fixed",
      termsAccepted: true,
      payer: { role: "tenant" },
      recipients: [{ role: "public_payee", connectorPayeeId: supplier.id, reference, amount: { payeeAmount } }],
      instructions: { manualPayment: { ...termsOf(quote), purpose: "other" } },
    };
  },
  link: async (_craft, { supplier }, index, reference) => ({
    name: `Invoice ${index + 1}`,
    useCase: "generic_service_invoice",
    deliveryMode: "reusable_payment_link",
    amountMode: "fixed_payee_amounts",
    termsAccepted: true,
    payer: { role: "unknown_link_payer" },
    recipients: [
      {
        role: "public_payee",
        connectorPayeeId: supplier.id,
        amount: { payeeAmount: amountOf(index), currency: supplier.currencyCode },
      },
    ],
    instructions: { paymentLink: { reference } },
  }),
};

const tuitionOf = ({ studentId }: Person) =>
  ({
    deliveryMode: "manual",
    amountMode: "payer_fixed",
    payer: { role: "student", partyId: studentId },
    termsAccepted: true,
  }) as const;

async function newQuote(craft: Stagecraft, payee: Payee, amount: string, countryCode: string): Promise<Quote> {
  const { run, tenant, quoteTtlMs } = craft;
  const { tenantId, commissionSpread } = tenant;
  const nowMs = run.now();
  let variantId = newNumericId(nowMs, run.random);
  const { rail } = railFor(run, corridorOf(countryCode, [payee]));
  const request = { payouts: [{ payee, amount }], countryCode, rail, tenantId, commissionSpread };
  const priced = priceQuote({ ...request, paymentType: "provider" }, referenceRates, () => variantId++);
  if (!priced.ok) throw new Error(`The demo's quote was refused: ${JSON.stringify(priced.failure)}`);
  const quote: Quote = {
    quoteId: newUuid(run.random),
    ...priced.value,
    createdAt: new Date(nowMs).toISOString(),
    expiresOn: new Date(nowMs + quoteTtlMs).toISOString(),
  };
  await addQuote(run.table, tenantId, quote);
  return quote;
}

function firstPayout({ variants: [{ payouts }] }: Quote) {
  const [payout] = payouts;
  if (payout === undefined) throw new Error("A quote has no payout");
  return payout;
}

const termsOf = ({ quoteId, countryCode, variants: [{ id: selectedQuoteVariantId }] }: Quote) => {
  return { quoteId, countryCode, selectedQuoteVariantId };
};

const manualPayment = async (craft: Stagecraft, quote: Quote, person: Person) => ({
  ...termsOf(quote),
  purpose: "undergraduate" as const,
  payerIdentityDocumentId: await mintDocument(craft, person),
});

/** The id of a document for one payment, minted from the person's saved passport. */
async function mintDocument({ run, tenant }: Stagecraft, { passport }: Person): Promise<string> {
  const { legacyDocumentId, type, createdAt, ...file } = passport;
  const documentId = newUuid(run.random);
  const expiresAtMs = run.now() + UNUSED_DOCUMENT_TTL_MS;
  await addDocument(run.table, tenant.tenantId, { documentId, source: "saved", expiresAtMs, ...file });
  return documentId;
}
