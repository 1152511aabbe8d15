import type { DocumentRef, PayerDocumentRef } from "@intents/domain/parties/document-ref.ts";
import { digits } from "./digits.ts";
import { externalKeysOf } from "./external-keys.ts";
import { intentKeysOf } from "./intent-keys.ts";
import { objectKeysOf, type SavedDocumentId } from "./object-keys.ts";
import { webhookKeysOf } from "./webhook-keys.ts";

export type Key = Readonly<{ PK: string; SK: string }>;

/** Which intent. */
export type IntentKey = Readonly<{ tenantId: string; id: string }>;

/** The kinds of record that lists are made of. */
export type Listed = "INTENT" | "STUDENT" | "PAYER" | "PAYEE" | "COMMISSION" | "COMMISSION_REQUEST";

/** The shards of a counter lie in so many partitions. */
export const COUNTER_PARTITIONS = 2;

/** The form of the document ids that the service makes. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The kinds of records that may have a timer. */
export type TimerOwner = "INTENT" | "COMMISSION_REQUEST";

/**
 * All keys of a tenant's records: table keys, index keys, object keys in S3. No such key can be made without a tenant,
 * and no id leads out of its tenant's prefix (H60).
 */
export function keysOf(tenantId: string) {
  const tenant = `T#${tenantId}`;
  const single = (kind: string, id: string, sort = kind): Key => ({ PK: `${tenant}#${kind}#${id}`, SK: sort });
  const document = (id: string): Key | undefined => (UUID.test(id) ? single("DOCUMENT", id) : undefined);
  const payerDocument = ({ linkId, documentId }: PayerDocumentRef): Key =>
    single("LINKDOCUMENT", `${linkId}#${documentId}`);
  return {
    tenant: (): Key => ({ PK: tenant, SK: "TENANT" }),
    /** A partition of its own, so that one read may fetch it together with other records (Decision 023). */
    suspension: (): Key => ({ PK: `${tenant}#SUSPENSION`, SK: "SUSPENSION" }),
    timer: (id: string, owner: TimerOwner = "INTENT") => single(owner, id),
    /** A partition of its own, for the same reason as the audit's. */
    ledger: (intentId: string, bookingId: string) => single("LEDGER", intentId, bookingId),
    reconciliation: (id: string): Key => ({ PK: `${tenant}#RECONCILIATION`, SK: id }),
    /** The mark of an intent under review: one partition, so that a list reads all of a tenant's at once. */
    review: (id: string): Key => ({ PK: `${tenant}#REVIEW`, SK: id }),
    correction: (intentId: string, nth: number) => single("CORRECTION", intentId, digits(nth, 8)),
    /** The record of the intent that pays a failed or cancelled one again. */
    reissue: (reissuedId: string) => single("REISSUE", reissuedId),
    /** Partitions of their own, so that IAM can deny changing them (H56). */
    audit: (intentId: string, version: number) => single("AUDIT", intentId, digits(version, 8)),
    documentRead: (ownerId: string, id: string) => single("READ", ownerId, id),
    party: (kind: "STUDENT" | "PAYER", id: string) => single(kind, id),
    /** The trace of a party that its tenant has deleted. */
    formerParty: (kind: "STUDENT" | "PAYER", id: string) => single(kind, id, "FORMER"),
    savedDocument: (...[kind, partyId, id]: SavedDocumentId) => single(kind, partyId, `DOCUMENT#${id}`),
    /** A document that the tenant can name. Only a UUID has a key, so that no id leads to a payer's document. */
    document,
    /** A document that a payer uploaded on a link. */
    payerDocument,
    /** A document by whom it is of: a payer on a link, or the tenant, whose ids alone may have no key. */
    documentOf: (ref: DocumentRef): Key | undefined =>
      "linkId" in ref ? payerDocument(ref) : document(ref.documentId),
    quote: (id: string) => single("QUOTE", id),
    /** A quote for payers of one link. Other links and the tenant's intents cannot name it. */
    linkQuote: (linkId: string, id: string) => single("LINKQUOTE", `${linkId}#${id}`),
    /** The record of the one payment that was made by a link's quote. */
    linkSession: (linkId: string, quoteId: string) => single("LINKSESSION", `${linkId}#${quoteId}`),
    /** The record of the newest payment that was begun with a payer's secret, of which only the digest is known. */
    payerSecret: (linkId: string, secretHash: string) => single("PAYERSECRET", `${linkId}#${secretHash}`),
    /** The number of unpaid payments by a link from one source, which only a digest names. */
    payerSource: (linkId: string, source: string) => single("PAYERSOURCE", `${linkId}#${source}`),
    commission: (paymentId: number) => single("COMMISSION", String(paymentId)),
    correctedCommission: (...of: CorrectionKey) => ({ PK: `${tenant}#COMMISSION_CORRECTION`, SK: sortOf(...of) }),
    /** The commissions that no request holds. */
    outstanding: () => `${tenant}#OUTSTANDING`,
    /** The record of the request that an Idempotency-Key belongs to (H7). */
    keyBinding: (keyHash: string) => single("KEY", keyHash),
    /** A proposal that another operator has to agree to. */
    proposal: (wish: string) => single("PROPOSAL", wish),
    list: (kind: Listed) => `${tenant}#LIST#${kind}`,
    children: (intentId: string) => `${tenant}#CHILDREN#${intentId}`,
    byEmail: (kind: "STUDENT" | "PAYER", email: string) => `${tenant}#${kind}#EMAIL#${email.toLowerCase()}`,
    /** The traces of deleted parties that had an e-mail, of which only the digest is known. */
    byFormerEmail: (kind: "STUDENT" | "PAYER", emailHash: string) => `${tenant}#${kind}#FORMER#${emailHash}`,
    /** The part of a list of intents that is counted under one key: `list` is one of the three above. */
    facet: (list: string, countKey: string) => `${list}#${countKey}`,
    /** A part of what callers are told of changes, in the order of `place`. */
    event: (shard: number, place: string): Key => ({ PK: `${tenant}#EVENT#${shard}`, SK: place }),
    /** A shard of a counter: each partition bears as much as any, so that two bear twice that. */
    counter: (name: string, shard: number) =>
      single("COUNT", `${name}#${shard % COUNTER_PARTITIONS}`, digits(shard, 3)),
    ...intentKeysOf(tenantId),
    ...requestKeysOf(tenant, single),
    ...objectKeysOf(tenantId),
    ...webhookKeysOf(tenantId),
    ...externalKeysOf(tenantId),
  };
}

type Single = (kind: string, id: string, sort?: string) => Key;

/** The keys of requests for commissions. */
const requestKeysOf = (tenant: string, single: Single) => ({
  commissionRequest: (id: string) => single("COMMISSION_REQUEST", id),
  /** The requests on which a worker, or its successor, has to work on. */
  requestsAtWork: () => `${tenant}#REQUESTS_AT_WORK`,
  /** A part of the commissions that a request holds. */
  requestChunk: (id: string, chunk: number) => single("COMMISSION_REQUEST", id, `CHUNK#${digits(chunk, 6)}`),
});

/**
 * Names a commission that a correction made: the payment, and the correction's number. All of a tenant's are in one
 * partition, so that a request reads them at once.
 */
type CorrectionKey = readonly [paymentId: number, nth: number];
const sortOf = (...[paymentId, nth]: CorrectionKey): string => `${digits(paymentId, 16)}#${digits(nth, 8)}`;

type KeyMember = keyof ReturnType<typeof keysOf>;

/** Callers that may name a kind by its id in a request: the tenant, or a payer with the link. */
export const namedBy = {
  intent: ["tenant", "payer"],
  party: ["tenant"],
  savedDocument: ["tenant"],
  document: ["tenant"],
  payerDocument: ["payer"],
  quote: ["tenant"],
  linkQuote: ["payer"],
  commission: ["tenant"],
  commissionRequest: ["tenant"],
  webhook: ["tenant"],
  delivery: ["tenant"],
} as const satisfies Partial<Record<KeyMember, readonly ("tenant" | "payer")[]>>;

/** Kinds with ids of the service alone. A member of the builder in neither list does not compile. */
type Internal =
  | ("tenant" | "suspension" | "timer" | "response" | "leg" | "ledger")
  | ("audit" | "documentRead" | "reconciliation" | "review" | "correction" | "reissue")
  | ("formerParty" | "correctedCommission" | "outstanding" | "requestsAtWork" | "requestChunk" | "keyBinding")
  | ("proposal" | "list" | "children" | "facet" | "byEmail" | "byFormerEmail")
  | ("ofExternalId" | "recipientExternalId" | "intentMetadata" | "counter" | "event" | "linkSession")
  | ("payerSecret" | "payerSource" | "object" | "storedObject" | "savedFile" | "requestFile")
  | ("exportUpload" | "payerUpload" | "keptPayerUpload" | "documentOf" | "webhookProgress" | "webhookSecret")
  | ("waitingDeliveries" | "undelivered");
const _: Exclude<KeyMember, keyof typeof namedBy | Internal> extends never ? true : never = true;

/** Stands for an intent's id in the audit of operators' changes. */
export const OPERATOR = "OPERATOR";
