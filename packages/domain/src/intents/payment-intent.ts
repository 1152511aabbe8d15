import type { PartyDetails } from "../parties/party.ts";
import type { RailAddress } from "../rails/description.ts";
import type { PaymentLeg, TransactionBankDetails } from "../rails/rail.ts";
import type { IntentDraft, Recipient } from "../scenarios/draft.ts";
import type { SplitRole } from "../scenarios/scenario.ts";
import { waitSeconds } from "./claim.ts";
import type { IntentStatus } from "./statuses.ts";
import type { Submission } from "./submission.ts";

/** One recipient's part of an execution. */
export type ExecutionLeg = Readonly<{
  order: number;
  payeeId: number;
  splitRole: SplitRole;
  payerAmount: string;
  /** The payee's amount, and both currencies. The record of a released draft does not keep them. */
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
  /** When the rail first told that the payer's money came in; absent where it never did. */
  receivedAt?: string;
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
  /** The tenant's spread on the principal, by the quote; a batch has none, and earns nothing. */
  commissionSpread?: string;
  cause?: string;
}>;

/** The account and the amount for the deposit of a payer who pays by bank transfer. */
export type ConnectorPayment = Readonly<{
  transactionBankDetails: TransactionBankDetails;
  /** The payment id: the payer must quote it. */
  reference: string;
  dueDate: string;
  /** The deposit in the payer's currency: payouts and fee; of a batch, the current need of its recipients. */
  amount: string;
  /** Of a batch: the deposit as it was announced to rail and payer, whatever its recipients need now. */
  announced?: string;
  /** Of a batch: all that came in, where the rail tells it. */
  received?: string;
  currency: string;
  payouts: readonly Payout[];
}>;

/** A recipient's share of a deposit. */
type Payout = Readonly<{
  payeeName: string;
  payerAmount: string;
  payerCurrency: string;
  payeeAmount: string;
  payeeCurrency: string;
  reference: string;
}>;

type PayerChoice = Readonly<{
  quoteId: string;
  selectedQuoteVariantId: number;
  /** How it is paid, and the payee's currency per 1 of the payer's. */
  settlementMethod: string;
  fxRate: string;
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
    /** A draft without it has no metadata, which stand beside it. */
    mayHaveMetadata?: true;
    createdFrom?: Readonly<{ paymentIntentId: string }>;
    /** Only of a payment by a link. */
    payerChoice?: PayerChoice;
    /** A digest of where the payer came from, by which the unpaid payments by a link are counted. */
    payerSource?: string;
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
export const inFlight = ({ status, submission }: ClaimedIntent, nowMs: number, leaseMs: number) =>
  ({ kind: "in_flight", status, retryAfterSeconds: waitSeconds(submission, nowMs, leaseMs) }) as const;

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
type PlannedLeg = Omit<PaymentLeg, "payeeName"> &
  Partial<Pick<PaymentLeg, "payeeName">> &
  Readonly<{ payerCurrency?: string }>;
