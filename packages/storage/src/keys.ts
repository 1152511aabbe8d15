import { createHash } from "node:crypto";
import { type PayerDocumentRef, parseFormerId } from "@intents/domain/document-ref.ts";

export type Key = Readonly<{ PK: string; SK: string }>;

/** The kinds of record that lists are made of. */
export type Listed = "INTENT" | "STUDENT" | "PAYER" | "PAYEE" | "COMMISSION" | "COMMISSION_REQUEST";

/** An id of a document as we mint them. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What can wait for a time. */
export type TimerOwner = "INTENT" | "COMMISSION_REQUEST";

/**
 * Every key of a tenant's records: table keys, index keys, object keys in S3. There is no way to make one without a
 * tenant, and no id can lead out of its tenant's prefix (H60).
 */
export function keysOf(tenantId: string) {
  const tenant = `T#${tenantId}`;
  const single = (kind: string, id: string, sort = kind): Key => ({ PK: `${tenant}#${kind}#${id}`, SK: sort });
  return {
    tenant: (): Key => ({ PK: tenant, SK: "TENANT" }),
    intent: (id: string) => single("INTENT", id),
    timer: (id: string, owner: TimerOwner = "INTENT") => single(owner, id, "TIMER"),
    /** The exact answer of the submit that executed the intent (H6). */
    response: (id: string) => single("INTENT", id, "RESPONSE"),
    /** A partition of its own, for the same reason as the audit's. */
    ledger: (intentId: string, entryId: string) => single("LEDGER", intentId, entryId),
    reconciliation: (id: string): Key => ({ PK: `${tenant}#RECONCILIATION`, SK: id }),
    /** Which intent pays a failed or cancelled one again. */
    reissue: (reissuedId: string) => single("REISSUE", reissuedId),
    /** One recipient of a batch. */
    leg: (id: string, order: number) => single("INTENT", id, `LEG#${String(order).padStart(9, "0")}`),
    /** A partition of its own, so that IAM can deny changing it (H56). */
    audit: (intentId: string, version: number, step: number) =>
      single("AUDIT", intentId, `${String(version).padStart(8, "0")}#${String(step).padStart(3, "0")}`),
    party: (kind: "STUDENT" | "PAYER", id: string) => single(kind, id),
    savedDocument: (kind: "STUDENT" | "PAYER", partyId: string, id: string) => single(kind, partyId, `DOCUMENT#${id}`),
    /** A document that the tenant can name. What is no UUID has no key, so that no id leads to a document of a payer. */
    document: (id: string): Key | undefined => (UUID.test(id) ? single("DOCUMENT", id) : undefined),
    /** What a payer uploaded on a link. */
    payerDocument: ({ linkId, documentId, isFormer }: PayerDocumentRef): Key =>
      isFormer ? single("DOCUMENT", `${linkId}-${documentId}`) : single("LINKDOCUMENT", `${linkId}#${documentId}`),
    quote: (id: string) => single("QUOTE", id),
    /** A quote for payers of one link: no other link, and no intent of the tenant's, can name it. */
    linkQuote: (linkId: string, id: string) => single("LINKQUOTE", `${linkId}#${id}`),
    /** Which payment was made of a link's quote: one at most. */
    linkSession: (linkId: string, quoteId: string) => single("LINKSESSION", `${linkId}#${quoteId}`),
    commission: (paymentId: number) => single("COMMISSION", String(paymentId)),
    /** The commissions that no request holds. */
    outstanding: () => `${tenant}#OUTSTANDING`,
    commissionRequest: (id: string) => single("COMMISSION_REQUEST", id),
    /** A part of the commissions that a request holds. */
    requestChunk: (id: string, chunk: number) =>
      single("COMMISSION_REQUEST", id, `CHUNK#${String(chunk).padStart(6, "0")}`),
    /** Which request an Idempotency-Key belongs to (H7). */
    keyBinding: (keyHash: string) => single("KEY", keyHash, "BINDING"),
    /** The partition in which Powertools keeps its record of an Idempotency-Key. */
    idempotency: (keyHash: string) => single("KEY", keyHash).PK,
    list: (kind: Listed) => `${tenant}#LIST#${kind}`,
    children: (intentId: string) => `${tenant}#CHILDREN#${intentId}`,
    byEmail: (kind: "STUDENT" | "PAYER", email: string) => `${tenant}#${kind}#EMAIL#${email.toLowerCase()}`,
    /** The part of a list of intents that is counted under one key: `list` is one of the three above. */
    facet: (list: string, countKey: string) => `${list}#${countKey}`,
    /** A caller's walk through one query's pages, in the disposable table; `skip` is where a page of it begins. */
    walk: (clientId: string, queryHash: string, skip: number): Key => ({
      PK: `${tenant}#WALK#${clientId}#${queryHash}`,
      SK: String(skip).padStart(8, "0"),
    }),
    counter: (name: string, shard: number): Key => ({
      PK: `${tenant}#COUNT#${name}`,
      SK: String(shard).padStart(3, "0"),
    }),
    object: (area: "tmp" | "kept" | "exports", id: string) => `${area}/${tenantId}/${id}`,
    /** The bytes that a payer uploaded. */
    payerUpload: (linkId: string, documentId: string) => `tmp/payers/${tenantId}/${linkId}/${documentId}`,
    /** A copy of them that belongs to one execution alone, so that whoever deletes it takes it from nobody else. */
    keptPayerUpload: ({ linkId, documentId }: PayerDocumentRef, executionId: string) =>
      `kept/payers/${tenantId}/${linkId}/${documentId}/${executionId}`,
  };
}

/** Where everything lies that is kept longer than an upload. */
export const KEPT = "kept/";

/** A kept copy of what a payer uploaded. One of the former kind belongs to whichever execution has the document. */
export type KeptPayerUpload = Readonly<{ tenantId: string; ref: PayerDocumentRef; executionId?: string }>;

/** Whose copy an object key is; undefined when it is none of a payer's upload. */
export function parseKeptPayerUpload(objectKey: string): KeptPayerUpload | undefined {
  const own = /^kept\/payers\/(?<tenantId>[^/]+)\/(?<linkId>[^/]+)\/(?<documentId>[^/]+)\/(?<executionId>[^/]+)$/;
  const { tenantId = "", linkId = "", documentId = "", executionId } = own.exec(objectKey)?.groups ?? {};
  if (executionId !== undefined) return { tenantId, ref: { linkId, documentId }, executionId };
  const [, owner, id] = /^kept\/([^/]+)\/([^/]+)$/.exec(objectKey) ?? [];
  const ref = id === undefined ? undefined : parseFormerId(id);
  return owner === undefined || ref === undefined ? undefined : { tenantId: owner, ref };
}

// What is looked up before the tenant is known.

export const apiKeyKey = (clientId: string): Key => ({ PK: `APIKEY#${clientId}`, SK: "APIKEY" });

export const linkKey = (token: string): Key => ({ PK: `LINK#${token}`, SK: "LINK" });

export const payeeKey = (payeeId: number): Key => ({ PK: `PAYEE#${payeeId}`, SK: "PAYEE" });

/** Our own payment ids are unique over all tenants: banks know a payment by nothing else. */
export const paymentKey = (paymentId: number): Key => ({ PK: `PAYMENT#${paymentId}`, SK: "PAYMENT" });

/** Where a daily job that walks everything goes on. */
export const cursorKey = (job: string): Key => ({ PK: `CURSOR#${job}`, SK: "CURSOR" });

/** The partition of the timer index that an intent's timer lies in. */
export const dueShard = (shard: number): string => `DUE#${shard}`;

/** Spreads ids over `shards`, the same way every time. */
export const shardOf = (id: string, shards: number): number =>
  createHash("sha256").update(id).digest().readUInt32BE(0) % shards;

/** Whose timer a key of the timer index is; an intent's unless it names another owner. */
export function parseTimerKey(PK: string): { tenantId: string; intentId: string; owner?: TimerOwner } | undefined {
  const [, tenantId, owner, intentId] = /^T#([^#]+)#(INTENT|COMMISSION_REQUEST)#([^#]+)$/.exec(PK) ?? [];
  if (tenantId === undefined || intentId === undefined) return undefined;
  return { tenantId, intentId, ...(owner === "COMMISSION_REQUEST" && { owner }) };
}

/** A partition that belongs to one intent. */
export type Owned = Readonly<{ tenantId: string; kind: "INTENT" | "LEDGER" | "AUDIT"; id: string }>;

/** Whose partition a key of the table lies in; undefined when no intent's, as the operators' audit is. */
export function parseOwnedKey(PK: string): Owned | undefined {
  const [, tenantId, kind, id] = /^T#([^#]+)#(INTENT|LEDGER|AUDIT)#([^#]+)$/.exec(PK) ?? [];
  if (tenantId === undefined || id === undefined || id === OPERATOR) return undefined;
  return { tenantId, kind: kind as Owned["kind"], id };
}

/** In place of an intent's id: the audit of what operators changed. */
export const OPERATOR = "OPERATOR";
