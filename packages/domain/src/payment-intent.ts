import { leaseSeconds } from "./claim.ts";
import type { PaymentLeg, TransactionBankDetails } from "./connector.ts";
import type { IntentStatus } from "./intent-states.ts";
import type { PartyDetails } from "./party.ts";
import type { RailAddress } from "./rails.ts";
import type { Submission } from "./submission.ts";

// The closed vocabularies of SPEC, "Payment intent".
export const useCases = [
  "education_provider_tuition",
  "education_provider_tuition_with_tenant_split",
  "supplier_payment",
  "payroll_payment",
  "tenant_funded_refund",
  "allowance_payment",
  "generic_service_invoice",
  "owed_commission_invoice",
  "legacy_transaction_reissue",
] as const;
export const deliveryModes = ["manual", "reusable_payment_link", "payment_link_submission", "bulk"] as const;
export const amountModes = [
  "payer_fixed",
  "recipient_fixed",
  "fixed_payee_amounts",
  "free_entry_with_portions",
  "mixed_composite",
  "legacy_reissue",
] as const;
export const payerRoles = [
  "student",
  "family",
  "agent",
  "tenant",
  "external_school",
  "external_partner",
  "unknown_link_payer",
] as const;
export const recipientRoles = ["education_provider", "public_payee", "tenant"] as const;
export const splitRoles = [
  "principal_provider_amount",
  "tenant_commission",
  "tenant_service_fee",
  "tenant_tax_component",
  "other",
] as const;
/** `comission` is spelled so by the specification, and only so accepted. */
export const purposes = [
  "undergraduate",
  "postgraduate",
  "high-school",
  "vocational",
  "language-course",
  "professional-year",
  "exchange-program",
  "accommodation",
  "allowance-payment",
  "other",
  "refund",
  "scholarship",
  "loan",
  "other-request",
  "comission",
] as const;

export type UseCase = (typeof useCases)[number];
export type DeliveryMode = (typeof deliveryModes)[number];
export type AmountMode = (typeof amountModes)[number];
export type PayerRole = (typeof payerRoles)[number];
export type RecipientRole = (typeof recipientRoles)[number];
export type SplitRole = (typeof splitRoles)[number];
export type Purpose = (typeof purposes)[number];

/** The fields that decide which rule applies. */
export type Scenario = Readonly<{
  useCase: UseCase;
  deliveryMode: DeliveryMode;
  amountMode: AmountMode;
  payer: Readonly<{ role: PayerRole }>;
}>;

export type Party = Readonly<{ role: PayerRole; partyId?: string; details?: PartyDetails }>;

/** Every field is optional, because a draft may be incomplete; the rules say which of them submit needs. */
export type Recipient = Readonly<{
  role?: RecipientRole;
  order?: number;
  connectorPayeeId?: number;
  splitRole?: SplitRole;
  purposeProofDocumentId?: string;
  reference?: string;
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
    payer: Party;
    subject?: Party;
    recipients?: readonly Recipient[];
    instructions?: Instructions;
    termsAccepted: true;
  }>;

/** One recipient's part of an execution. */
export type ExecutionLeg = Readonly<{
  order: number;
  payeeId: number;
  splitRole: SplitRole;
  payerAmount: string;
  /** What the payee gets, and both currencies; absent from executions that an earlier version stored. */
  payerCurrency?: string;
  payeeAmount?: string;
  payeeCurrency?: string;
  status: "executing" | "cleared" | "failed";
  reason?: string;
}>;

/** One attempt to move the money, as it ended; `cause` says why it failed. */
export type Execution = Readonly<{
  executionId: string;
  connector: string;
  status: "executing" | "completed" | "failed" | "partially_completed" | "cancelled";
  startedAt: string;
  endedAt?: string;
  connectorPaymentIds: readonly number[];
  /** The rail's own id, where the execution is one payment. */
  railPaymentId?: string;
  paymentLinkUrl?: string;
  checkoutUrl?: string;
  /** The payer and subject as they were when the submit claimed the intent. */
  payer: PartyDetails;
  subject?: PartyDetails;
  /** The payer's currency, in which `fee` and the legs' `payerAmount` are. */
  currency: string;
  fee: string;
  legs: readonly ExecutionLeg[];
  cause?: string;
}>;

/** The account and the amount for the deposit of a payer who pays by bank transfer. */
export type ConnectorPayment = Readonly<{
  transactionBankDetails: TransactionBankDetails;
  /** The payment id: the payer must quote it. */
  reference: string;
  dueDate: string;
  /** What to deposit, in the payer's currency: the payouts and the fee. */
  amount: string;
  currency: string;
  payouts: readonly Readonly<{ payeeName: string; payerAmount: string; payeeAmount: string; reference: string }>[];
}>;

type PayerChoice = Readonly<{
  quoteId: string;
  selectedQuoteVariantId: number;
  countryCode: string;
  documentIds: readonly string[];
}>;

/** An operator's order to pay no further recipients of a batch, for a while (held) or for good (cancelled). */
export type Stop = Readonly<{ how: "held" | "cancelled"; at: string; by: string; reason: string }>;

export type StatusStep = Readonly<{ status: IntentStatus; at: string; by: string }>;

export type PaymentIntent = IntentDraft &
  Readonly<{
    id: string;
    tenantId: string;
    version: number;
    status: IntentStatus;
    recipients: readonly Recipient[];
    publicLinkId?: string;
    createdFrom?: Readonly<{ paymentIntentId: string }>;
    /** What the payer chose, for a payment by a link. */
    payerChoice?: PayerChoice;
    /** When a single-use link was closed by its first successful payment. The link keeps its status. */
    linkClosedAt?: string;
    createdAt: string;
    updatedAt: string;
    createdBy: string;
    statusHistory: readonly StatusStep[];
    executions: readonly Execution[];
    connectorPayment?: ConnectorPayment;
    executionPlan?: ExecutionPlan;
    submission?: Submission;
    /** The rail that took the execution. */
    rail?: RailAddress;
    stopped?: Stop;
    /** When the rail expects the running execution to have settled, milliseconds since 1970. */
    expectedSettlementMs?: number;
    /** Hash of the newest audit entry; the next one is chained to it (H56). */
    auditHead?: string;
    lastConnectorPaymentId?: number;
    lastPaymentLinkUrl?: string;
    lastExecutionConnector?: string;
    bulkProgress?: BatchProgress;
  }>;

/** An intent that a worker is paying, or was paying when it died. */
export type ClaimedIntent = PaymentIntent & Readonly<{ submission: Submission }>;

export const isClaimed = (intent: PaymentIntent): intent is ClaimedIntent => intent.submission !== undefined;

/** The refusal of a change to a claimed intent while a worker is paying it. */
export const inFlight = ({ status, submission }: ClaimedIntent, nowMs: number) =>
  ({ kind: "in_flight", status, retryAfterSeconds: leaseSeconds(submission, nowMs) }) as const;

/** The progress of a batch in recipients. `cancelled` ones were never paid, because an operator stopped the batch. */
export type BatchProgress = Readonly<{ total: number; completed: number; failed: number; cancelled?: number }>;

/** The plan that `/draft` compiled: what the rail would be asked to do, at the terms of the quote chosen then. */
export type ExecutionPlan = Readonly<{
  compiledAt: string;
  connector: Readonly<{ provider: string; action: string; version: string }>;
  quoteId: string;
  selectedQuoteVariantId: number;
  settlementMethod: string;
  settlementChannel: string;
  currency: string;
  totalAmount: string;
  fee: string;
  legs: readonly PlannedLeg[];
}>;

/** A planned leg. It lacks its payee's name where the payee is another tenant's. */
export type PlannedLeg = Omit<PaymentLeg, "payeeName"> & Partial<Pick<PaymentLeg, "payeeName">>;

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
