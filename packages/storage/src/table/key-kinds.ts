import type { keysOf } from "./keys.ts";

type Tenants = ReturnType<typeof keysOf>;
type Area = Parameters<Tenants["object"]>[0];
type StoredArea = Parameters<Tenants["storedObject"]>[1];
type Exported = Extract<keyof typeof import("./shared-keys.ts") | "historyCopyKey", `${string}Key`>;

/** The keys of the key builder, by their names in code; objects are apart by their areas. */
export type KeyName =
  | Exclude<keyof Tenants, "object" | "storedObject">
  | `object ${Area}`
  | `storedObject ${StoredArea}`
  | Exclude<Exported, "changeKey" | `parse${string}`>
  | "dueShard"
  | "watchShard"
  | `parse${"KeptPayerUpload" | "SavedFile" | "RequestFile"}`
  | "SWEPT";

/** A kind of key: where it leads, and what functions may do there. Operators have permissions of their own. */
export type KeyKind = Readonly<{
  /** The main table, one of its indexes, the objects of the bucket, the list of them, or the copies. */
  at: "main" | `main/index/${string}` | "documents" | "bucket" | "history";
  /** The partition keys, or the names of objects, as IAM writes patterns: `*` is any text. */
  like: readonly string[];
  /** Similar keys of other kinds. */
  unlike?: readonly string[];
  /** The only attributes that a write may name, if not all. */
  only?: readonly string[];
  /** The IAM actions that functions may have. A function gets those of them that its code contains. */
  may: readonly string[];
  /** Its records are never changed (H56): a function is denied that, whatever else allows it. */
  isHistory?: true;
}>;

/** The operations on records, by their names in IAM. */
const verbs = {
  get: "GetItem",
  batch: "BatchGetItem",
  query: "Query",
  check: "ConditionCheckItem",
  put: "PutItem",
  update: "UpdateItem",
  delete: "DeleteItem",
} as const;
type Does = readonly (keyof typeof verbs)[];

/** Records in the table itself. */
const records = (does: Does, ...like: readonly string[]): KeyKind => ({
  at: "main",
  like,
  may: does.map((verb) => `dynamodb:${verbs[verb]}`),
});
const history = (like: string, does: Does): KeyKind => ({ ...records(does, like), isHistory: true });
const entries = (index: string, ...like: readonly string[]): KeyKind => ({
  at: `main/index/${index}`,
  like,
  may: ["dynamodb:Query"],
});
const objects = (
  like: string,
  ...may: readonly ("GetObject" | "PutObject" | "DeleteObject" | "AbortMultipartUpload")[]
): KeyKind => ({
  at: "documents",
  like: [like],
  may: may.map((action) => `s3:${action}`),
});

/**
 * The attributes that a scan of the main table may name. IAM sees no keys of a scan, so that these keep it from secrets,
 * which lie in attributes of their own.
 */
export const scannedAttributes = [
  ...(["PK", "SK", "doc", "parts", "listSK", "version", "changeSK", "facetPK"] as const),
  ...(["expiresAtMs", "objectKey", "executionId", "consumedBy"] as const),
];
export type ScannedAttribute = (typeof scannedAttributes)[number];

/**
 * All kinds of keys. The permissions of functions are made of this table and of the names that their code contains
 * (Decision 023). A kind that an index or a record needs besides is one more row, which no policy repeats.
 */
export const keyKinds: Readonly<Record<KeyName, KeyKind | readonly KeyKind[]>> = {
  tenant: { ...records(["get"], "T#*"), unlike: ["T#*#*"] },
  suspension: records(["get", "batch"], "T#*#SUSPENSION"),
  intent: records(["get", "batch", "query"], "T#*#INTENT#*"),
  writtenIntent: records(["put"], "T#*#INTENT#*"),
  notedIntent: records(["update"], "T#*#INTENT#*"),
  awaitedIntent: {
    ...records(["update"], "T#*#INTENT#*"),
    only: ["PK", "SK", "version", "dueAt", "dueShard", "timer", "watchPK", "watchSK"],
  },
  // The timer of a request for commissions is in its record, whose key the setter names.
  timer: records(["get", "update"], "T#*#INTENT#*"),
  response: records(["get", "batch", "put"], "T#*#INTENT#*"),
  leg: records(["get", "query"], "T#*#INTENT#*"),
  writtenLeg: records(["put"], "T#*#INTENT#*"),
  partKey: records(["batch"], "T#*#INTENT#*"),
  writtenPartKey: records(["put"], "T#*#INTENT#*"),
  ledger: history("T#*#LEDGER#*", ["put"]),
  // Operators alone read the books.
  toldLedger: records([], "T#*#LEDGER#*"),
  audit: history("T#*#AUDIT#*", ["put"]),
  toldAudit: records(["query"], "T#*#AUDIT#*"),
  // One name is for who leaves a trace of a read, the other for who tells the tenant of it.
  documentRead: history("T#*#READ#*", ["put"]),
  toldReads: records(["query"], "T#*#READ#*"),
  recipientExternalId: records(["put"], "T#*#INTENT#*"),
  intentMetadata: records(["get", "batch", "query"], "T#*#METADATA"),
  addedMetadata: records(["put"], "T#*#METADATA"),
  writtenMetadata: records(["put", "delete"], "T#*#METADATA"),
  reconciliation: records(["get", "query"], "T#*#RECONCILIATION"),
  writtenReconciliation: records(["put"], "T#*#RECONCILIATION"),
  review: records(["get", "batch", "query", "check"], "T#*#REVIEW"),
  writtenReview: records(["put"], "T#*#REVIEW"),
  // Operators alone correct; what counts of it stands in the mark of the review.
  correction: records([], "T#*#CORRECTION#*"),
  reissue: records(["batch"], "T#*#REISSUE#*"),
  takenReissue: records(["put"], "T#*#REISSUE#*"),
  freedReissue: records(["delete"], "T#*#REISSUE#*"),
  party: records(["get", "batch", "check"], "T#*#STUDENT#*", "T#*#PAYER#*"),
  writtenParty: records(["put", "delete"], "T#*#STUDENT#*", "T#*#PAYER#*"),
  formerParty: records(["put"], "T#*#STUDENT#*", "T#*#PAYER#*"),
  savedDocument: records(["get", "query"], "T#*#STUDENT#*", "T#*#PAYER#*"),
  addedSavedDocument: records(["put"], "T#*#STUDENT#*", "T#*#PAYER#*"),
  deletedSavedDocument: records(["delete"], "T#*#STUDENT#*", "T#*#PAYER#*"),
  document: records(["batch"], "T#*#DOCUMENT#*"),
  addedDocument: records(["put"], "T#*#DOCUMENT#*"),
  payerDocument: records(["batch"], "T#*#LINKDOCUMENT#*"),
  addedPayerDocument: records(["put"], "T#*#LINKDOCUMENT#*"),
  heldDocument: records(["update"], "T#*#DOCUMENT#*"),
  heldPayerDocument: records(["update"], "T#*#LINKDOCUMENT#*"),
  forgottenDocument: records(["delete"], "T#*#LINKDOCUMENT#*", "T#*#DOCUMENT#*"),
  quote: records(["get", "batch"], "T#*#QUOTE#*"),
  addedQuote: records(["put"], "T#*#QUOTE#*"),
  linkQuote: records(["batch"], "T#*#LINKQUOTE#*"),
  addedLinkQuote: records(["put"], "T#*#LINKQUOTE#*"),
  linkSession: records(["get", "batch", "put"], "T#*#LINKSESSION#*"),
  payerSecret: records(["get", "put"], "T#*#PAYERSECRET#*"),
  payerSource: records(["batch"], "T#*#PAYERSOURCE#*"),
  countedSource: records(["update"], "T#*#PAYERSOURCE#*"),
  commission: records(["batch"], "T#*#COMMISSION#*"),
  writtenCommission: records(["put"], "T#*#COMMISSION#*"),
  correctedCommission: records(["batch", "query"], "T#*#COMMISSION_CORRECTION"),
  writtenCorrectedCommission: records(["put"], "T#*#COMMISSION_CORRECTION"),
  commissionRequest: records(["get", "batch", "query"], "T#*#COMMISSION_REQUEST#*"),
  writtenRequest: records(["put", "update", "delete"], "T#*#COMMISSION_REQUEST#*"),
  awaitedRequest: {
    ...records(["update"], "T#*#COMMISSION_REQUEST#*"),
    only: ["PK", "SK", "ownerPK", "dueAt", "dueShard", "timer"],
  },
  requestChunk: records(["get", "put", "delete"], "T#*#COMMISSION_REQUEST#*"),
  keyBinding: records(["batch"], "T#*#KEY#*"),
  addedBinding: records(["put"], "T#*#KEY#*"),
  keptBinding: records(["update"], "T#*#KEY#*"),
  freedBinding: records(["delete"], "T#*#KEY#*"),
  // Operators' own, as the registers are: functions have nothing to do there.
  proposal: records([], "T#*#PROPOSAL#*"),
  counter: records(["query"], "T#*#COUNT#*"),
  changedCounter: records(["update"], "T#*#COUNT#*"),
  event: records(["put"], "T#*#EVENT#*"),
  toldEvent: records(["query"], "T#*#EVENT#*"),
  identifiedEvent: records(["batch"], "T#*#EVENT#*"),
  // An event stays as it happened, but for the tenant's own id of the payment.
  strippedEvent: { ...records(["update"], "T#*#EVENT#*"), only: ["PK", "SK", "externalId"] },
  webhook: records(["get", "query"], "T#*#WEBHOOK"),
  writtenWebhook: records(["put", "delete"], "T#*#WEBHOOK"),
  webhookProgress: records(["get", "put", "delete"], "T#*#WEBHOOK"),
  nudgedProgress: records(["update"], "T#*#WEBHOOK"),
  // The function that puts secrets cannot read them, and the one that signs cannot put them.
  keptSecret: records(["put", "update", "delete"], "T#*#WEBHOOKSECRET"),
  signingSecret: records(["get"], "T#*#WEBHOOKSECRET"),
  delivery: records(["get", "batch", "query"], "T#*#DELIVERY#*"),
  writtenDelivery: records(["put"], "T#*#DELIVERY#*"),
  waitingDeliveries: entries("byDue", "T#*#DELIVERY#*#WAITING"),
  undelivered: entries("byOwner", "T#*#DELIVERY#*#UNDELIVERED#*"),
  apiKeyKey: records(["get", "batch"], "APIKEY#*"),
  linkKey: records(["get"], "LINK#*"),
  addedLinkKey: records(["put"], "LINK#*"),
  changedLinkKey: records(["update"], "LINK#*"),
  payeeKey: records(["get", "batch"], "PAYEE#*"),
  addedPayeeKey: records(["put"], "PAYEE#*"),
  paymentKey: records(["get"], "PAYMENT#*"),
  takenPaymentKey: records(["put"], "PAYMENT#*"),
  cursorKey: records(["get", "put"], "CURSOR#*"),
  sweptKey: records(["get", "batch"], "CURSOR#*"),
  movedSweptKey: records(["update"], "CURSOR#*"),
  railKey: records(["get", "query", "update"], "RAIL#*"),
  aloneKey: records(["put", "delete"], "RAIL#*"),
  maintenanceKey: records(["get"], "SETTING#MAINTENANCE"),
  webhookRegisterKey: records(["query"], "WEBHOOKS"),
  registeredWebhookKey: records(["put", "delete"], "WEBHOOKS"),
  spreadKey: records(["get", "update"], "SETTING#SPREAD"),

  outstanding: entries("byOwner", "T#*#OUTSTANDING"),
  list: [entries("byCreation", "T#*#LIST#*"), entries("byChange", "T#*#LIST#*")],
  requestsAtWork: entries("byOwner", "T#*#REQUESTS_AT_WORK"),
  children: entries("byOwner", "T#*#CHILDREN#*"),
  byEmail: entries("byOwner", "T#*#STUDENT#EMAIL#*", "T#*#PAYER#EMAIL#*"),
  ofExternalId: entries("byExternalId", "T#*#EXTERNALID#*"),
  // Operators alone look for people.
  byFormerEmail: { ...entries("byOwner", "T#*#STUDENT#FORMER#*", "T#*#PAYER#FORMER#*"), may: [] },
  facet: [entries("byFacet", "T#*#LIST#*"), entries("byOwnerFacet", "T#*#CHILDREN#*")],
  dueShard: entries("byDue", "DUE#*"),
  tenantRegisterKey: entries("byFacet", "REGISTER#TENANTS"),
  registerKey: { ...entries("byFacet", "REGISTER#APIKEYS#*"), may: [] },
  watchShard: entries("byWatch", "WATCH#*"),

  "object tmp": objects("tmp/*", "PutObject"),
  "object kept": objects("kept/*", "PutObject"),
  "object exports": objects("exports/*", "PutObject", "GetObject"),
  savedFile: objects("saved/*", "PutObject"),
  requestFile: objects("requests/*", "PutObject"),
  "storedObject tmp": objects("tmp/*", "GetObject"),
  "storedObject kept": objects("kept/*", "GetObject"),
  "storedObject saved": objects("saved/*", "GetObject"),
  "storedObject requests": objects("requests/*", "GetObject"),
  deletedUpload: objects("kept/*", "DeleteObject"),
  deletedSaved: objects("saved/*", "DeleteObject"),
  deletedRequestFile: objects("requests/*", "DeleteObject"),
  exportUpload: objects("exporting/*", "GetObject", "PutObject", "AbortMultipartUpload"),
  payerUpload: objects("payers/tmp/*", "PutObject"),
  readPayerUpload: objects("payers/tmp/*", "GetObject"),
  // A record names it; who copies or deletes the object has a name of their own.
  keptPayerUpload: objects("payers/kept/*"),
  copiedPayerUpload: objects("payers/kept/*", "PutObject"),
  deletedPayerUpload: objects("payers/kept/*", "DeleteObject"),
  // The daily sweep deletes the files that it finds.
  parseKeptPayerUpload: objects("payers/kept/*", "DeleteObject"),
  parseSavedFile: objects("saved/*", "DeleteObject"),
  parseRequestFile: objects("requests/*", "DeleteObject"),
  // A copy can be added, and by nobody read, replaced or deleted: operators compare them with their own credentials.
  historyCopyKey: { at: "history", like: ["T#*#LEDGER#*", "T#*#AUDIT#*", "T#*#READ#*"], may: ["s3:PutObject"] },
  SWEPT: { at: "bucket", like: ["payers/kept/*", "saved/*", "requests/*"], may: ["s3:ListBucket"] },
};
