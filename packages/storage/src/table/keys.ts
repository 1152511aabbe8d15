import { createHash } from "node:crypto";
import { type DocumentRef, type PayerDocumentRef, parseFormerId } from "@intents/domain/parties/document-ref.ts";

export type Key = Readonly<{ PK: string; SK: string }>;

/** Which intent. */
export type IntentKey = Readonly<{ tenantId: string; id: string }>;

/** The kinds of record that lists are made of. */
export type Listed = "INTENT" | "STUDENT" | "PAYER" | "PAYEE" | "COMMISSION" | "COMMISSION_REQUEST";

/** The areas of the bucket: what expires by itself, what is kept, and what callers download. */
type Area = "tmp" | "kept" | "exports";

/** The shards of a counter lie in so many partitions. */
export const COUNTER_PARTITIONS = 2;

/** The form of the document ids that the service makes. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type SavedDocumentId = readonly [kind: "STUDENT" | "PAYER", partyId: string, id: string];

/** The kinds of records that may have a timer. */
export type TimerOwner = "INTENT" | "COMMISSION_REQUEST";

/**
 * All keys of a tenant's records: table keys, index keys, object keys in S3. No such key can be made without a tenant,
 * and no id leads out of its tenant's prefix (H60).
 */
export function keysOf(tenantId: string) {
  const tenant = `T#${tenantId}`;
  const single = (kind: string, id: string, sort = kind): Key => ({ PK: `${tenant}#${kind}#${id}`, SK: sort });
  return {
    tenant: (): Key => ({ PK: tenant, SK: "TENANT" }),
    /** A partition of its own, so that one read may fetch it together with other records (Decision 023). */
    suspension: (): Key => ({ PK: `${tenant}#SUSPENSION`, SK: "SUSPENSION" }),
    intent: (id: string) => single("INTENT", id),
    /** The record that has a timer. */
    timer: (id: string, owner: TimerOwner = "INTENT") => single(owner, id),
    /** The exact answer of the submit that executed the intent (H6). */
    response: (id: string) => single("INTENT", id, "RESPONSE"),
    /** A partition of its own, for the same reason as the audit's. */
    ledger: (intentId: string, bookingId: string) => single("LEDGER", intentId, bookingId),
    reconciliation: (id: string): Key => ({ PK: `${tenant}#RECONCILIATION`, SK: id }),
    /** The record of the intent that pays a failed or cancelled one again. */
    reissue: (reissuedId: string) => single("REISSUE", reissuedId),
    /** One recipient of a batch. */
    leg: (id: string, order: number) => single("INTENT", id, `LEG#${String(order).padStart(9, "0")}`),
    /** A partition of its own, so that IAM can deny changing it (H56). */
    audit: (intentId: string, version: number) => single("AUDIT", intentId, String(version).padStart(8, "0")),
    party: (kind: "STUDENT" | "PAYER", id: string) => single(kind, id),
    /** The same for code that writes it: what only reads parties may not (Decision 023). */
    writtenParty: (kind: "STUDENT" | "PAYER", id: string) => single(kind, id),
    /** The trace of a party that its tenant has deleted. */
    formerParty: (kind: "STUDENT" | "PAYER", id: string) => single(kind, id, "FORMER"),
    savedDocument: (...[kind, partyId, id]: SavedDocumentId) => single(kind, partyId, `DOCUMENT#${id}`),
    /** The same for code that adds it, in a partition that only few may write to. */
    addedSavedDocument: (...[kind, partyId, id]: SavedDocumentId) => single(kind, partyId, `DOCUMENT#${id}`),
    /** A document that the tenant can name. Only a UUID has a key, so that no id leads to a payer's document. */
    document: (id: string): Key | undefined => (UUID.test(id) ? single("DOCUMENT", id) : undefined),
    /** A document that a payer uploaded on a link. */
    payerDocument: ({ linkId, documentId, isFormer }: PayerDocumentRef): Key =>
      isFormer ? single("DOCUMENT", `${linkId}-${documentId}`) : single("LINKDOCUMENT", `${linkId}#${documentId}`),
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
    /** The commissions that no request holds. */
    outstanding: () => `${tenant}#OUTSTANDING`,
    commissionRequest: (id: string) => single("COMMISSION_REQUEST", id),
    /** The same for code that writes it: what only reads requests may not (Decision 023). */
    writtenRequest: (id: string) => single("COMMISSION_REQUEST", id),
    /** A part of the commissions that a request holds. */
    requestChunk: (id: string, chunk: number) =>
      single("COMMISSION_REQUEST", id, `CHUNK#${String(chunk).padStart(6, "0")}`),
    /** The record of the request that an Idempotency-Key belongs to (H7). */
    keyBinding: (keyHash: string) => single("KEY", keyHash),
    /** What one operator proposed and another has to agree to. */
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
      single("COUNT", `${name}#${shard % COUNTER_PARTITIONS}`, String(shard).padStart(3, "0")),
    ...objectKeysOf(tenantId),
  };
}

/** The names of a tenant's objects in S3. */
function objectKeysOf(tenantId: string) {
  return {
    object: (area: Area, id: string) => `${area}/${tenantId}/${id}`,
    /** The file of a saved document: it names its record, so that the sweep finds a file without one. */
    savedFile: (...[kind, partyId, id]: SavedDocumentId) => `kept/${tenantId}/${kind}/${partyId}/${id}`,
    /** An invoice or a proof: it names its request, for the same reason. */
    requestFile: (requestId: string, id: string) => `kept/${tenantId}/COMMISSION_REQUEST/${requestId}/${id}`,
    /** The name of an object that a record holds. Throws unless it lies in one of these areas of the tenant. */
    storedObject: (objectKey: string, ...areas: readonly Area[]) => ownObject(tenantId, objectKey, areas),
    /** The same of what is kept, for code that deletes it: what only reads files may not (Decision 023). */
    deletedObject: (objectKey: string) => ownObject(tenantId, objectKey, ["kept"]),
    /** The place where a large export is put together. */
    exportUpload: (id: string) => `tmp/exports/${tenantId}/${id}`,
    /** The bytes that a payer uploaded. */
    payerUpload: (linkId: string, documentId: string) => `tmp/payers/${tenantId}/${linkId}/${documentId}`,
    /** A copy of those bytes for one execution alone, so that no other execution needs it when it is deleted. */
    keptPayerUpload: ({ linkId, documentId }: PayerDocumentRef, executionId: string) =>
      `kept/payers/${tenantId}/${linkId}/${documentId}/${executionId}`,
  };
}

function ownObject(tenantId: string, objectKey: string, areas: readonly Area[]): string {
  if (areas.some((area) => objectKey.startsWith(`${area}/${tenantId}/`))) return objectKey;
  throw new Error(`A record of tenant ${tenantId} leads to ${objectKey}, which is no object of its own`);
}

/**
 * Who may name what by an id in a request: the tenant that owns it, or a payer who has the link. Ids of all other kinds
 * are made and read by the service alone.
 */
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
  ...{ tenant: [], timer: [], response: [], ledger: [], reconciliation: [], reissue: [], leg: [], audit: [] },
  ...{ linkSession: [], outstanding: [], requestChunk: [], keyBinding: [], list: [], children: [], byEmail: [] },
  ...{ facet: [], counter: [], object: [], storedObject: [], payerUpload: [], keptPayerUpload: [] },
  ...{
    savedFile: [],
    requestFile: [],
    formerParty: [],
    byFormerEmail: [],
    exportUpload: [],
    payerSecret: [],
    payerSource: [],
    proposal: [],
    suspension: [],
    event: [],
  },
} as const satisfies Record<OwnKind, readonly ("tenant" | "payer")[]>;

/** The kinds of keys, without second names for what writes or deletes. */
type OwnKind = Exclude<
  keyof ReturnType<typeof keysOf>,
  "writtenParty" | "writtenRequest" | "addedSavedDocument" | "deletedObject"
>;

/** The prefix of all objects that are kept longer than an upload. */
export const KEPT = "kept/";

/** A kept copy of a payer's upload. Without `executionId` it is of an earlier version, and the document's holder's. */
export type KeptPayerUpload = Readonly<{ tenantId: string; ref: PayerDocumentRef; executionId?: string }>;

/** The copy that an object key stands for; undefined when it is no copy of a payer's upload. */
export function parseKeptPayerUpload(objectKey: string): KeptPayerUpload | undefined {
  const own = /^kept\/payers\/(?<tenantId>[^/]+)\/(?<linkId>[^/]+)\/(?<documentId>[^/]+)\/(?<executionId>[^/]+)$/;
  const { tenantId = "", linkId = "", documentId = "", executionId } = own.exec(objectKey)?.groups ?? {};
  if (executionId !== undefined) return { tenantId, ref: { linkId, documentId }, executionId };
  const [, owner, id] = /^kept\/([^/]+)\/([^/]+)$/.exec(objectKey) ?? [];
  const ref = id === undefined ? undefined : parseFormerId(id);
  return owner === undefined || ref === undefined ? undefined : { tenantId: owner, ref };
}

// The keys of records that are looked up before the tenant is known.

export const apiKeyKey = (clientId: string): Key => ({ PK: `APIKEY#${clientId}`, SK: "APIKEY" });

/** The list of all tenants, in an index. */
export const tenantRegisterKey = "REGISTER#TENANTS";

/** The operators' list of a tenant's keys: the index holds ids only, hashes of secrets lie in the key's own record alone. */
export const registerKey = (tenantId: string): string => `REGISTER#APIKEYS#${tenantId}`;

export const linkKey = (token: string): Key => ({ PK: `LINK#${token}`, SK: "LINK" });

export const payeeKey = (payeeId: number): Key => ({ PK: `PAYEE#${payeeId}`, SK: "PAYEE" });

/** The same for code that adds it: what only reads payees may not (Decision 023). */
export const addedPayeeKey = (payeeId: number): Key => payeeKey(payeeId);

/** Payment ids are unique over all tenants, because banks know a payment by nothing else. */
export const paymentKey = (paymentId: number): Key => ({ PK: `PAYMENT#${paymentId}`, SK: "PAYMENT" });

/** The same for code that takes an id: what only looks for a payment may not (Decision 023). */
export const takenPaymentKey = (paymentId: number): Key => paymentKey(paymentId);

/** The place at which a daily job that goes through everything continues. */
export const cursorKey = (job: string): Key => ({ PK: `CURSOR#${job}`, SK: "CURSOR" });

/** A part of an intent that is too long to be written with every change, beside the intent in its partition. */
export const partKey = ({ PK }: Key, name: string): Key => ({ PK, SK: `PART#${name}` });

/** Whether callers are turned away. */
export const maintenanceKey: Key = { PK: "SETTING#MAINTENANCE", SK: "SETTING" };

/** The item that says that every record is in the index of changes. */
export const allChangesKey: Key = { PK: "SETTING#CHANGES", SK: "SETTING" };

/** The item that says that every tenant and key is in the operators' lists. */
export const registersKey: Key = { PK: "SETTING#REGISTERS", SK: "SETTING" };

/** The item that says over how many partitions timers and watches have ever been spread. */
export const spreadKey: Key = { PK: "SETTING#SPREAD", SK: "SETTING" };

/** The saved document that an object key stands for; undefined when it is another file, or of an earlier version. */
export function parseSavedFile(objectKey: string) {
  const [, tenantId, kind, partyId, id] = /^kept\/([^/]+)\/(STUDENT|PAYER)\/([^/]+)\/([^/]+)$/.exec(objectKey) ?? [];
  if (tenantId === undefined || partyId === undefined || id === undefined) return undefined;
  return { tenantId, kind: kind as "STUDENT" | "PAYER", partyId, id };
}

/** The request for commissions that an object key stands for; undefined when it is another file, or of an earlier version. */
export function parseRequestFile(objectKey: string) {
  const [, tenantId, requestId] = /^kept\/([^/]+)\/COMMISSION_REQUEST\/([^/]+)\/[^/]+$/.exec(objectKey) ?? [];
  return tenantId === undefined || requestId === undefined ? undefined : { tenantId, requestId };
}

/** The key of a record of those kinds of lists whose records change, as a scan has found it. */
export const listedKey = ({ PK, SK }: Readonly<Record<string, unknown>>): Key => ({ PK: String(PK), SK: String(SK) });

/** The place of a record among those of its kind by their last change: ids break ties. */
export const changeKey = (updatedAt: string, id: string): string => `${updatedAt}#${id}`;

/** What is known of how a rail answers. */
export const railKey = (rail: string): Key => ({ PK: `RAIL#${rail}`, SK: "RAIL" });

/** The partition of the index of watches that those of an intent lie in. */
export const watchShard = (shard: number): string => `WATCH#${shard}`;

/** The partition of the timer index that an intent's timer lies in. */
export const dueShard = (shard: number): string => `DUE#${shard}`;

/** Spreads ids over `shards`, the same way every time. */
export const shardOf = (id: string, shards: number): number =>
  createHash("sha256").update(id).digest().readUInt32BE(0) % shards;

/** The owner of the timer or leg with this key: an intent, unless the key names another kind of record. */
export function parseTimerKey(PK: string): { tenantId: string; id: string; owner?: TimerOwner } | undefined {
  const [, tenantId, owner, id] = /^T#([^#]+)#(INTENT|COMMISSION_REQUEST)#([^#]+)$/.exec(PK) ?? [];
  if (tenantId === undefined || id === undefined) return undefined;
  return { tenantId, id, ...(owner === "COMMISSION_REQUEST" && { owner }) };
}

/** The owner of a document's record: the tenant or a payer, by `ref`, or the party on which it is saved. */
export type DocumentOwner = Readonly<{ tenantId: string }> &
  (Readonly<{ ref: DocumentRef }> | Readonly<{ kind: "STUDENT" | "PAYER"; partyId: string }>);

/** The owner of the document's record in a partition; undefined for other partitions. */
export function parseDocumentKey(PK: string): DocumentOwner | undefined {
  const [, tenantId, kind, id] = /^T#([^#]+)#(DOCUMENT|LINKDOCUMENT|STUDENT|PAYER)#(.+)$/.exec(PK) ?? [];
  if (tenantId === undefined || kind === undefined || id === undefined) return undefined;
  if (kind === "STUDENT" || kind === "PAYER") return { tenantId, kind, partyId: id };
  if (kind === "DOCUMENT") return { tenantId, ref: parseFormerId(id) ?? { documentId: id } };
  const [linkId = "", documentId = ""] = id.split("#");
  return { tenantId, ref: { linkId, documentId } };
}

/** A partition that belongs to one intent. */
export type Owned = Readonly<{ tenantId: string; kind: "INTENT" | "LEDGER" | "AUDIT"; id: string }>;

/** The intent that a partition belongs to; undefined for other partitions, such as the operators' audit. */
export function parseOwnedKey(PK: string): Owned | undefined {
  const [, tenantId, kind, id] = /^T#([^#]+)#(INTENT|LEDGER|AUDIT)#([^#]+)$/.exec(PK) ?? [];
  if (tenantId === undefined || id === undefined || id === OPERATOR) return undefined;
  return { tenantId, kind: kind as Owned["kind"], id };
}

/** The tenant that a partition belongs to. */
export const tenantOf = (PK: string): string => PK.split("#")[1] ?? "";

/** The partitions of the history: ledgers and audits, the operators' included. */
export const isHistory = (PK: string): boolean => /^T#[^#]+#(LEDGER|AUDIT)#[^#]+$/.test(PK);

/**
 * The name of an entry's copy. It ends in the hash of the entry, so that to copy it again changes nothing, and the copy
 * of a replaced entry lies beside that of the one before.
 */
export const historyCopyKey = ({ PK, SK }: Key, doc: string): string =>
  `${PK}/${SK}/${createHash("sha256").update(doc).digest("hex")}`;

/** Stands for an intent's id in the audit of operators' changes. */
export const OPERATOR = "OPERATOR";
