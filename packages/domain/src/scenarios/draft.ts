import type { PartyDetails } from "../parties/party.ts";
import type { PayerRole, Purpose, RecipientRole, Scenario, SplitRole } from "./scenario.ts";

export type Party = Readonly<{ role: PayerRole; partyId?: string; details?: PartyDetails }>;

/** Every field is optional, because a draft may be incomplete; the rules say which of them submit needs. */
export type Recipient = Readonly<{
  role?: RecipientRole;
  order?: number;
  connectorPayeeId?: number;
  splitRole?: SplitRole;
  purposeProofDocumentId?: string;
  reference?: string;
  externalId?: string;
  purpose?: Purpose;
  amount?: Readonly<{ payerAmount?: string; payeeAmount?: string; currency?: string; portionBps?: number }>;
}>;

export type ManualPayment = Readonly<{
  quoteId?: string;
  selectedQuoteVariantId?: number;
  purpose?: Purpose;
  countryCode?: string;
  payerIdentityDocumentId?: string;
  quotePayoutOrderConfirmed?: boolean;
}>;

export type PaymentLink = Readonly<{
  reference?: string;
  payFromCountryCode?: string;
  lockedFields?: readonly "pay_from_country"[];
  isSingleUse?: boolean;
}>;

/** Names the failed or cancelled intent whose parties and recipients are paid again. */
export type Reissue = Readonly<{ paymentIntentId?: string }>;

export type Instructions = Readonly<{ manualPayment?: ManualPayment; paymentLink?: PaymentLink; reissue?: Reissue }>;

/** The fields of an intent that its caller may state; all others are the service's. */
export type IntentDraft = Scenario &
  Readonly<{
    name?: string;
    /** The tenant's own id of it; recipients have their own. Neither is copied into a reissue, nor told to a rail. */
    externalId?: string;
    payer: Party;
    subject?: Party;
    recipients?: readonly Recipient[];
    instructions?: Instructions;
    termsAccepted: true;
  }>;

/** Every document that an intent names, with the path that names it. */
export function documentsOf(intent: Pick<IntentDraft, "instructions" | "recipients">) {
  const identity = intent.instructions?.manualPayment?.payerIdentityDocumentId;
  const proofs = (intent.recipients ?? []).map((recipient, index) => ({
    path: `recipients.${index}.purposeProofDocumentId`,
    documentId: recipient.purposeProofDocumentId,
  }));
  return [...proofs, { path: "instructions.manualPayment.payerIdentityDocumentId", documentId: identity }].filter(
    (named): named is { path: string; documentId: string } => named.documentId !== undefined,
  );
}

/** Recipients in their stable position: by `order`, which defaults to the place in the array. */
export const inOrder = (recipients: readonly Recipient[]): (Recipient & { order: number; index: number })[] =>
  recipients
    .map((recipient, index) => ({ ...recipient, order: recipient.order ?? index, index }))
    .toSorted((left, right) => left.order - right.order);

/** The intent that this one pays again; undefined unless this one is a reissue. */
export function reissuedBy({ amountMode, instructions }: Pick<IntentDraft, "amountMode" | "instructions">): string[] {
  const reissuedId = instructions?.reissue?.paymentIntentId;
  return amountMode === "legacy_reissue" && reissuedId !== undefined ? [reissuedId] : [];
}
