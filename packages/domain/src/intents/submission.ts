import type { Metadata } from "../metadata.ts";
import type { PayerDocumentRef } from "../parties/document-ref.ts";
import type { PartyDetails } from "../parties/party.ts";
import type { QuoteVariant } from "../quotes/quote.ts";
import type { RailAddress } from "../rails/description.ts";
import type { PaymentOrder } from "../rails/rail.ts";
import type { Claim } from "./claim.ts";

/** The part of an order that a claim keeps: intent and submission have the rest. */
export type FrozenOrder = Omit<PaymentOrder, "tenantId" | "intentId" | "payer">;

/** One payment; `commissionSpread` is that of its quote. */
export type PaymentWork = Readonly<{ kind: "payment"; order: FrozenOrder; commissionSpread: string }>;

/** The work of a submission: one payment, or one for every recipient at rates locked per currency. */
export type SubmittedWork =
  | PaymentWork
  /** `connectorPaymentId` numbers the one deposit. */
  | Readonly<{ kind: "bulk"; variants: readonly QuoteVariant[]; connectorPaymentId: number }>;

/** The payment ids of ours that a claim takes; the recipients of a batch get theirs later. */
export const paymentIdsOf = (work: SubmittedWork): number[] => [
  (work.kind === "payment" ? work.order : work).connectorPaymentId,
];

/** A submit in progress: the claim, and everything that is needed to send the rail the same order again. */
export type Submission = Claim &
  Readonly<{
    /** The rail that is asked. */
    rail: RailAddress;
    /** Hash of the Idempotency-Key, when one came with the request. */
    keyHash?: string;
    /** The number of times that the rail was asked without telling the outcome. */
    asked: number;
    work: SubmittedWork;
    /** The tenant's documents that the submission has reserved. */
    documentIds: readonly string[];
    /** The payer's documents that the submission has reserved, for a payment by a link. */
    payerDocuments?: readonly PayerDocumentRef[];
    payer: PartyDetails;
    /** The tenant's metadata when it was claimed, which its answer tells. */
    metadata?: Metadata;
    subject?: PartyDetails;
    /** The user of the key that submitted it, or `payer`. */
    actor: string;
    /** The client of that key. */
    clientId?: string;
  }>;
