import type { Claim } from "./claim.ts";
import type { PaymentOrder } from "./connector.ts";
import type { PayerDocumentRef } from "./document-ref.ts";
import type { PartyDetails } from "./party.ts";
import type { QuoteVariant } from "./quote.ts";
import type { RailAddress } from "./rails.ts";

/** What a submission does: one payment, or one for every recipient at rates locked per currency. */
export type SubmittedWork =
  | Readonly<{ kind: "payment"; order: PaymentOrder; variant: QuoteVariant }>
  /** `connectorPaymentId` numbers the deposit for all; batches that were claimed before there was one have none. */
  | Readonly<{ kind: "bulk"; variants: readonly QuoteVariant[]; connectorPaymentId?: number }>;

/** Our own payment ids that a claim takes; the recipients of a batch get theirs later. */
export const paymentIdsOf = (work: SubmittedWork): number[] =>
  work.kind === "payment" ? [work.order.connectorPaymentId] : [work.connectorPaymentId].flatMap((id) => id ?? []);

/** A submit in progress: the claim, and everything needed to ask the rail the same question again. */
export type Submission = Claim &
  Readonly<{
    /** Where the rail is asked; claims that are older than the addresses of rails name none. */
    rail?: RailAddress;
    /** Hash of the Idempotency-Key, when one came with the request. */
    keyHash?: string;
    /** How often the rail was asked without telling the outcome. */
    asked: number;
    work: SubmittedWork;
    /** The tenant's documents that it has reserved. */
    documentIds: readonly string[];
    /** The payer's, of a payment by a link. */
    payerDocuments?: readonly PayerDocumentRef[];
    payer: PartyDetails;
    subject?: PartyDetails;
    /** The user of the key that submitted it, or `payer`. */
    actor: string;
  }>;
