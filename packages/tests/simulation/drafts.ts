import { newLinkToken, newRecordId, newUuid } from "@intents/domain/ids.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { planDraft } from "@intents/domain/intents/plan-draft.ts";
import type { Caller } from "@intents/domain/parties/caller.ts";
import type { Quote } from "@intents/domain/quotes/quote.ts";
import type { IntentDraft, Recipient } from "@intents/domain/scenarios/draft.ts";
import { document, quote, tuition } from "@intents/domain/test/intent-fixture.ts";
import { withReissued } from "@intents/execution/drafts/reissue.ts";
import { addQuote } from "@intents/storage/intents/quotes.ts";
import { addDocument } from "@intents/storage/parties/documents.ts";
import type { People } from "./people.ts";
import type { Random } from "./random.ts";
import type { SimulatedWorld } from "./world.ts";

const references = {
  none: 8,
  "SANDBOX-FAIL": 1,
  "SANDBOX-PARTIAL": 1,
  "SANDBOX-OVERDUE": 1,
  "SANDBOX-DUPLICATE": 1,
  "SANDBOX-UNAVAILABLE": 1,
  "SANDBOX-TIMEOUT": 2,
};
const kinds = { tuition: 8, supplier: 4, split: 3, bulk: 4, link: 2 };
/** The countries that payers pay from, with their currencies: one corridor for each rail. */
const corridors = { BR: "BRL", NO: "NOK" } as const;

/** A quote for payments from one of the countries. */
export function quoteFrom(countryCode: keyof typeof corridors, payeeIds: readonly number[]): Quote {
  const made = quote(payeeIds);
  const fromCurrency = corridors[countryCode];
  const [first, ...others] = made.variants.map((variant) => ({
    ...variant,
    fromCurrency,
    payouts: variant.payouts.map((payout) => ({ ...payout, fromCurrency })),
  }));
  if (first === undefined) throw new Error("A quote has variants");
  return { ...made, countryCode, variants: [first, ...others] };
}

export const chooseCountry = (random: Random): keyof typeof corridors => random.weighted({ BR: 3, NO: 2 });

/** Makes up a tenant's drafts that submit may take, with the quotes, documents and people that they name. */
export function openDrafts({ table, run }: SimulatedWorld, random: Random, caller: Caller, people: People) {
  const { tenantId } = caller;
  const documents: string[] = [];

  /** The id of a document: mostly of a new one, sometimes of one that another draft names as well. */
  async function chooseDocument(): Promise<string> {
    if (documents.length > 0 && random.chance(0.15)) return random.pick(documents);
    const documentId = newUuid(random.bytes);
    const expiresAtMs = run.now() + 30 * 86_400_000;
    await addDocument(table, tenantId, document(documentId, { source: "saved", expiresAtMs }));
    documents.push(documentId);
    return documentId;
  }

  async function chooseQuote(countryCode: keyof typeof corridors, payeeIds: readonly number[]): Promise<string> {
    const quoteId = newUuid(random.bytes);
    const expiresOn = new Date(run.now() + 1_800_000).toISOString();
    await addQuote(table, tenantId, { ...quoteFrom(countryCode, payeeIds), quoteId, expiresOn });
    return quoteId;
  }

  // There are only a few amounts, so that the rail's duplicate check meets some of them again.
  const chooseAmount = () => `${random.chance(0.2) ? 1000 : 1000 + random.below(8000)}.00`;
  function withReference(recipient: Recipient): Recipient {
    const reference = random.weighted(references);
    return reference === "none" ? recipient : { ...recipient, reference };
  }
  const choosePayer = async () => ({ role: "student", partyId: await people.chooseStudent(tenantId) }) as const;
  const choosePayees = () => (random.chance(0.3) ? [5001, 5002] : [5001]);

  async function manualPayment(payeeIds: readonly number[], selectedQuoteVariantId: number) {
    const countryCode = chooseCountry(random);
    const quoteId = await chooseQuote(countryCode, payeeIds);
    const { purpose } = tuition.instructions.manualPayment;
    return { quoteId, selectedQuoteVariantId, purpose, countryCode, quotePayoutOrderConfirmed: true };
  }

  const make: Record<keyof typeof kinds, () => Promise<IntentDraft>> = {
    tuition: async () => {
      const payeeIds = choosePayees();
      const payment = await manualPayment(payeeIds, random.chance(0.2) ? 901 : 900);
      const recipients = payeeIds.map((connectorPayeeId) =>
        withReference({ role: "education_provider", connectorPayeeId, amount: { payerAmount: chooseAmount() } }),
      );
      const payerIdentityDocumentId = await chooseDocument();
      const payer = await choosePayer();
      return {
        ...tuition,
        payer,
        recipients,
        instructions: { manualPayment: { ...payment, payerIdentityDocumentId } },
      };
    },
    supplier: async () => {
      const payeeIds = choosePayees();
      return {
        ...{ useCase: "supplier_payment", deliveryMode: "manual", amountMode: "recipient_fixed", termsAccepted: true },
        payer: { role: "tenant" },
        recipients: payeeIds.map((connectorPayeeId) =>
          withReference({ role: "public_payee", connectorPayeeId, amount: { payeeAmount: chooseAmount() } }),
        ),
        instructions: { manualPayment: await manualPayment(payeeIds, 900) },
      };
    },
    split: async () => {
      const payment = await manualPayment([5001], 900);
      const school = { role: "education_provider", connectorPayeeId: 5001 } as const;
      const ours = { role: "tenant", connectorPayeeId: Number(tenantId), splitRole: "tenant_commission" } as const;
      const amounts = [
        { payerAmount: chooseAmount(), portionBps: 9000 },
        { payerAmount: "100.00", portionBps: 1000 },
      ];
      return {
        ...tuition,
        payer: await choosePayer(),
        useCase: "education_provider_tuition_with_tenant_split",
        recipients: [
          withReference({ ...school, amount: amounts[0]!, purposeProofDocumentId: await chooseDocument() }),
          { ...ours, amount: amounts[1]!, purposeProofDocumentId: await chooseDocument() },
        ],
        instructions: { manualPayment: { ...payment, payerIdentityDocumentId: await chooseDocument() } },
      };
    },
    bulk: async () => ({
      ...{ useCase: "payroll_payment", deliveryMode: "bulk", amountMode: "mixed_composite", termsAccepted: true },
      payer: { role: "tenant" },
      recipients: Array.from({ length: random.chance(0.1) ? 24 : 1 + random.below(4) }, () =>
        withReference({
          role: "public_payee",
          connectorPayeeId: 5001 + random.below(3),
          amount: { payeeAmount: chooseAmount(), currency: "AUD" },
        }),
      ),
      instructions: { manualPayment: { countryCode: chooseCountry(random), purpose: "other" } },
    }),
    link: async () => ({
      useCase: "generic_service_invoice",
      deliveryMode: "reusable_payment_link",
      amountMode: "fixed_payee_amounts",
      payer: { role: "unknown_link_payer" },
      recipients: [
        { role: "public_payee", connectorPayeeId: 5001, amount: { payeeAmount: chooseAmount(), currency: "AUD" } },
      ],
      instructions: { paymentLink: { reference: "invoice", isSingleUse: random.chance(0.5) } },
      termsAccepted: true,
    }),
  };

  const draftOf = (draft: IntentDraft): PaymentIntent => {
    const ids = { id: newRecordId(run.now(), random.bytes), publicLinkId: newLinkToken(random.bytes) };
    return planDraft(draft, caller, ids);
  };

  return {
    make: async (): Promise<{ kind: string; intent: PaymentIntent }> => {
      const kind = random.weighted(kinds);
      return { kind, intent: draftOf(await make[kind]()) };
    },
    /** A draft that pays a payment of tuition again, which has ended. */
    reissue: async (reissued: PaymentIntent): Promise<PaymentIntent> => {
      const payeeIds = reissued.recipients.flatMap(({ connectorPayeeId }) => connectorPayeeId ?? []);
      const payment = await manualPayment(payeeIds, 900);
      const draft: IntentDraft = {
        ...{ useCase: "legacy_transaction_reissue", deliveryMode: "manual", amountMode: "legacy_reissue" },
        payer: { role: reissued.payer.role },
        instructions: {
          reissue: { paymentIntentId: reissued.id },
          manualPayment: { ...payment, payerIdentityDocumentId: await chooseDocument() },
        },
        termsAccepted: true,
      };
      return draftOf(await withReissued(table, tenantId, draft));
    },
  };
}
