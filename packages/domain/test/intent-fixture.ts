import { referenceRates } from "../src/amounts/exchange-rates.ts";
import type { PaymentIntent } from "../src/intents/payment-intent.ts";
import type { PaymentDocument } from "../src/parties/document.ts";
import type { Payee } from "../src/parties/payee.ts";
import type { Quote, QuoteVariant, VariantMeta } from "../src/quotes/quote.ts";
import type { RailDescription } from "../src/rails/description.ts";
import type { Facts } from "../src/requirements/finding.ts";
import type { IntentDraft } from "../src/scenarios/draft.ts";

export const NOW_MS = Date.UTC(2026, 10, 21, 9);
const AT = new Date(NOW_MS).toISOString();

export const STUDENT_ID = "0198c0ffee00aabbccddeeff";
export const IDENTITY_ID = "b8e21878-fed6-4538-a01e-9fc8196e196f";
export const PROOF_ID = "3161087a-bbd9-4cb2-957a-d43d3492d6bb";
export const QUOTE_ID = "3f0e5b0c-6c1e-4b1c-9f0a-2a9d1f1b7c55";

export const payee = (id: number, changes: Partial<Payee> = {}): Payee => ({
  id,
  name: `School ${id}`,
  countryCode: "AU",
  currencyCode: "AUD",
  createdAt: AT,
  ...changes,
});

const payout = (payeeId: number) => ({
  payeeId,
  fromCurrency: "BRL",
  toCurrency: "AUD",
  payerAmount: "4000.00",
  payeeAmount: "1000.00",
  fxRate: "0.25",
});

const eta: VariantMeta["eta"] = { disbursement: { unit: "days", min: 1, max: 3 } };
const byTransfer: VariantMeta = { category: "bank-transfer", uiFlow: "bank-details", eta, noticeKeys: [] };
const byCheckout: VariantMeta = { category: "card", uiFlow: "redirect", eta, noticeKeys: [] };

export const variant = (payeeIds: readonly number[], changes: Partial<QuoteVariant> = {}): QuoteVariant => ({
  id: 900,
  settlementMethod: "dmt",
  settlementChannel: "bank",
  fromCurrency: "BRL",
  toCurrency: "AUD",
  fromAmount: "4020.00",
  fxRate: "0.25",
  fee: "20.00",
  minAmount: "50.00",
  maxAmount: "50000.00",
  spread: "0.006",
  marketRate: "0.2515",
  commissionBeneficiaryId: 1001,
  commission: "40.00",
  meta: byTransfer,
  payouts: payeeIds.map(payout),
  ...changes,
});

export const quote = (payeeIds: readonly number[] = [5001]): Quote => ({
  quoteId: QUOTE_ID,
  countryCode: "BR",
  paymentType: "provider",
  createdAt: AT,
  expiresOn: new Date(NOW_MS + 1_800_000).toISOString(),
  hasInstallments: false,
  commissionSpread: "0.01",
  variants: [
    variant(payeeIds),
    variant(payeeIds, { id: 901, settlementMethod: "card", settlementChannel: "checkout", meta: byCheckout }),
  ],
});

export const document = (documentId: string, changes: Partial<PaymentDocument> = {}): PaymentDocument => ({
  documentId,
  source: "upload",
  objectKey: `tmp/1001/${documentId}`,
  contentType: "application/pdf",
  fileName: "passport.pdf",
  sizeBytes: 400,
  sha256: "00",
  expiresAtMs: NOW_MS + 3_600_000,
  ...changes,
});

/** A rail that serves every corridor. */
const rail: RailDescription = {
  name: "sandbox",
  address: "embedded",
  remembersMs: 29 * 86_400_000,
  maxUsd: "2000000",
  questionMax: 100,
  corridors: "all",
};

/** Everything that the drafts below may name. */
export const facts = (changes: Partial<Facts> = {}): Facts => ({
  tenantId: "1001",
  permissions: [],
  offer: {
    provider: "sandbox",
    action: "manual_payment",
    version: "1.0.0",
    maxRecipients: 10,
    acceptedLimitations: [],
  },
  rail,
  nowMs: NOW_MS,
  rates: referenceRates,
  quote: quote(),
  payees: new Map([5001, 5002, 5003].map((id) => [id, payee(id)])),
  parties: new Map([[STUDENT_ID, { firstName: "Ana", lastName: "Silva", email: "Ana@Example.com" }]]),
  documents: new Map([IDENTITY_ID, PROOF_ID].map((id) => [id, document(id)])),
  ...changes,
});

/** Manual tuition with everything that its rule asks for. */
export const tuition = {
  useCase: "education_provider_tuition",
  deliveryMode: "manual",
  amountMode: "payer_fixed",
  payer: { role: "student", partyId: STUDENT_ID },
  recipients: [{ role: "education_provider", connectorPayeeId: 5001, amount: { payerAmount: "4000.00" } }],
  instructions: {
    manualPayment: {
      quoteId: QUOTE_ID,
      selectedQuoteVariantId: 900,
      purpose: "undergraduate",
      countryCode: "BR",
      payerIdentityDocumentId: IDENTITY_ID,
    },
  },
  termsAccepted: true,
} as const satisfies IntentDraft;

export const storedIntent = (changes: Partial<PaymentIntent> = {}): PaymentIntent => ({
  ...tuition,
  id: "019a00000000aabbccddeeff",
  tenantId: "1001",
  version: 1,
  status: "draft",
  createdAt: AT,
  updatedAt: AT,
  createdBy: "demo-user",
  statusHistory: [{ status: "draft", at: AT, by: "demo-user" }],
  executions: [],
  ...changes,
});
