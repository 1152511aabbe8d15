import type { keysOf } from "./keys.ts";

type Tenants = ReturnType<typeof keysOf>;
type Area = Parameters<Tenants["object"]>[0];
type StoredArea = Parameters<Tenants["storedObject"]>[1];
type Exported = Extract<keyof typeof import("./shared-keys.ts") | "historyCopyKey", `${string}Key`>;

/** What the key builder makes, by the name by which code asks for it; objects are apart by their areas. */
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
  /** What is like those and is not of this kind. */
  unlike?: readonly string[];
  /** The only attributes that a write may name, if not all. */
  only?: readonly string[];
  /** The IAM actions that functions may have. A function gets those of them that its code contains. */
  may: readonly string[];
  /** Its records are never changed (H56): a function is denied that, whatever else allows it. */
  isHistory?: true;
}>;

const read = ["GetItem", "BatchGetItem", "Query", "ConditionCheckItem"].map((action) => `dynamodb:${action}`);
const add = [...read, "dynamodb:PutItem"];
const change = [...add, "dynamodb:UpdateItem", "dynamodb:DeleteItem"];

/** Records in the table itself. */
const records = (may: readonly string[], ...like: readonly string[]): KeyKind => ({ at: "main", like, may });
const history = (like: string, may = add): KeyKind => ({ ...records(may, like), isHistory: true });
const entries = (index: string, ...like: readonly string[]): KeyKind => ({
  at: `main/index/${index}`,
  like,
  may: read,
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
  tenant: { ...records(read, "T#*"), unlike: ["T#*#*"] },
  suspension: records(read, "T#*#SUSPENSION"),
  intent: records(read, "T#*#INTENT#*"),
  writtenIntent: records(change, "T#*#INTENT#*"),
  awaitedIntent: {
    ...records(["dynamodb:UpdateItem"], "T#*#INTENT#*"),
    only: ["PK", "SK", "version", "dueAt", "dueShard", "timer", "watchPK", "watchSK"],
  },
  // That of a request for commissions is the request's own, which is named by whoever sets its timer.
  timer: records(change, "T#*#INTENT#*"),
  response: records(change, "T#*#INTENT#*"),
  leg: records(read, "T#*#INTENT#*"),
  writtenLeg: records(change, "T#*#INTENT#*"),
  partKey: records(read, "T#*#INTENT#*"),
  writtenPartKey: records(add, "T#*#INTENT#*"),
  ledger: history("T#*#LEDGER#*"),
  audit: history("T#*#AUDIT#*"),
  // One name is for who leaves a trace of a read, the other for who tells the tenant of it.
  documentRead: history("T#*#READ#*", ["dynamodb:PutItem"]),
  toldReads: records(["dynamodb:Query"], "T#*#READ#*"),
  recipientExternalId: records(add, "T#*#INTENT#*"),
  intentMetadata: records(change, "T#*#METADATA"),
  reconciliation: records(change, "T#*#RECONCILIATION"),
  review: records(add, "T#*#REVIEW"),
  // Operators alone correct; what counts of it stands in the mark of the review.
  correction: records([], "T#*#CORRECTION#*"),
  reissue: records(change, "T#*#REISSUE#*"),
  party: records(read, "T#*#STUDENT#*", "T#*#PAYER#*"),
  writtenParty: records(change, "T#*#STUDENT#*", "T#*#PAYER#*"),
  formerParty: records(add, "T#*#STUDENT#*", "T#*#PAYER#*"),
  savedDocument: records([...read, "dynamodb:DeleteItem"], "T#*#STUDENT#*", "T#*#PAYER#*"),
  addedSavedDocument: records(add, "T#*#STUDENT#*", "T#*#PAYER#*"),
  document: records(change, "T#*#DOCUMENT#*"),
  // Uploads of a former version were the tenant's documents.
  payerDocument: records(change, "T#*#LINKDOCUMENT#*", "T#*#DOCUMENT#*"),
  quote: records(add, "T#*#QUOTE#*"),
  linkQuote: records(add, "T#*#LINKQUOTE#*"),
  linkSession: records(change, "T#*#LINKSESSION#*"),
  payerSecret: records(add, "T#*#PAYERSECRET#*"),
  payerSource: records(change, "T#*#PAYERSOURCE#*"),
  commission: records(change, "T#*#COMMISSION#*"),
  correctedCommission: records(change, "T#*#COMMISSION_CORRECTION"),
  commissionRequest: records(read, "T#*#COMMISSION_REQUEST#*"),
  writtenRequest: records(change, "T#*#COMMISSION_REQUEST#*"),
  awaitedRequest: {
    ...records(["dynamodb:UpdateItem"], "T#*#COMMISSION_REQUEST#*"),
    only: ["PK", "SK", "ownerPK", "dueAt", "dueShard", "timer"],
  },
  requestChunk: records(change, "T#*#COMMISSION_REQUEST#*"),
  keyBinding: records(change, "T#*#KEY#*"),
  // Operators' own, as the registers are: functions have nothing to do there.
  proposal: records([], "T#*#PROPOSAL#*"),
  counter: records(change, "T#*#COUNT#*"),
  event: records(add, "T#*#EVENT#*"),
  webhook: records(read, "T#*#WEBHOOK"),
  writtenWebhook: records(change, "T#*#WEBHOOK"),
  webhookProgress: records(change, "T#*#WEBHOOK"),
  // The function that puts secrets cannot read them, and the one that signs cannot put them.
  keptSecret: records(["dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem"], "T#*#WEBHOOKSECRET"),
  signingSecret: records(["dynamodb:GetItem"], "T#*#WEBHOOKSECRET"),
  delivery: records(add, "T#*#DELIVERY#*"),
  waitingDeliveries: entries("byDue", "T#*#DELIVERY#*#WAITING"),
  undelivered: entries("byOwner", "T#*#DELIVERY#*#UNDELIVERED#*"),
  apiKeyKey: records(read, "APIKEY#*"),
  linkKey: records(change, "LINK#*"),
  payeeKey: records(read, "PAYEE#*"),
  addedPayeeKey: records(add, "PAYEE#*"),
  paymentKey: records(read, "PAYMENT#*"),
  takenPaymentKey: records(add, "PAYMENT#*"),
  cursorKey: records(change, "CURSOR#*"),
  railKey: records(change, "RAIL#*"),
  aloneKey: records(change, "RAIL#*"),
  maintenanceKey: records(read, "SETTING#MAINTENANCE"),
  webhookRegisterKey: records(change, "WEBHOOKS"),
  allChangesKey: records(add, "SETTING#CHANGES"),
  spreadKey: records(["dynamodb:GetItem", "dynamodb:UpdateItem"], "SETTING#SPREAD"),
  listedKey: {
    ...records(["dynamodb:UpdateItem"], "T#*#INTENT#*", "T#*#STUDENT#*", "T#*#PAYER#*"),
    only: ["PK", "SK", "version", "changeSK"],
  },

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
  registersKey: records([], "SETTING#REGISTERS"),
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
