/** The place of a kind: the main table, one of its indexes, a bucket, the disposable tables, a queue, a secret, the stream. */
export type Place =
  | "main"
  | `main/index/${string}`
  | "documents"
  | "history"
  | "windows"
  | "rail"
  | "queue"
  | "lane"
  | "webhooks"
  | "secret"
  | "stream";

/** A kind of record, index entry or object, as IAM tells it from others. */
export type RecordKind = Readonly<{
  at: Place;
  /** The partition keys, or the names of objects, as IAM writes patterns: `*` is any text. Without, all of the place. */
  like?: readonly string[];
  /** Similar keys of other kinds. */
  unlike?: readonly string[];
  /** The only attributes that a write may name, if not all. */
  only?: readonly string[];
  /** Its records are never changed or deleted (H56): every function is denied that, whatever else allows it. */
  isHistory?: true;
}>;

const record = (...like: readonly string[]): RecordKind => ({ at: "main", like });
const history = (like: string): RecordKind => ({ at: "main", like: [like], isHistory: true });
const entry = (index: string, ...like: readonly string[]): RecordKind => ({ at: `main/index/${index}`, like });
const object = (...like: readonly string[]): RecordKind => ({ at: "documents", like });

/**
 * The attributes that a scan of the main table may name. IAM sees no keys of a scan, so that these keep it from secrets,
 * which lie in attributes of their own.
 */
export const scannedAttributes = [
  ...(["PK", "SK", "doc", "parts", "listSK", "version", "changeSK", "facetPK"] as const),
  ...(["expiresAtMs", "objectKey", "executionId", "consumedBy"] as const),
];
export type ScannedAttribute = (typeof scannedAttributes)[number];

/** All kinds of what is stored. Every key that a key builder makes belongs to a row. */
export const recordKinds = {
  tenant: { ...record("T#*"), unlike: ["T#*#*"] },
  suspension: record("T#*#SUSPENSION"),
  apiKey: record("APIKEY#*"),
  /** An intent, and beside it its parts, legs, external ids and the answer of its submit. */
  intent: record("T#*#INTENT#*"),
  intentTimer: {
    ...record("T#*#INTENT#*"),
    only: ["PK", "SK", "version", "dueAt", "dueShard", "timer", "watchPK", "watchSK"],
  },
  ledger: history("T#*#LEDGER#*"),
  audit: history("T#*#AUDIT#*"),
  documentRead: history("T#*#READ#*"),
  metadata: record("T#*#METADATA"),
  reconciliation: record("T#*#RECONCILIATION"),
  review: record("T#*#REVIEW"),
  correction: record("T#*#CORRECTION#*"),
  reissue: record("T#*#REISSUE#*"),
  party: record("T#*#STUDENT#*", "T#*#PAYER#*"),
  document: record("T#*#DOCUMENT#*"),
  payerDocument: record("T#*#LINKDOCUMENT#*"),
  quote: record("T#*#QUOTE#*"),
  link: record("LINK#*"),
  linkQuote: record("T#*#LINKQUOTE#*"),
  linkSession: record("T#*#LINKSESSION#*"),
  payerSecret: record("T#*#PAYERSECRET#*"),
  payerSource: record("T#*#PAYERSOURCE#*"),
  payee: record("PAYEE#*"),
  payment: record("PAYMENT#*"),
  commission: record("T#*#COMMISSION#*"),
  commissionCorrection: record("T#*#COMMISSION_CORRECTION"),
  commissionRequest: record("T#*#COMMISSION_REQUEST#*"),
  commissionRequestTimer: {
    ...record("T#*#COMMISSION_REQUEST#*"),
    only: ["PK", "SK", "ownerPK", "dueAt", "dueShard", "timer"],
  },
  idempotencyKey: record("T#*#KEY#*"),
  proposal: record("T#*#PROPOSAL#*"),
  counter: record("T#*#COUNT#*"),
  event: record("T#*#EVENT#*"),
  webhook: record("T#*#WEBHOOK"),
  webhookSecret: record("T#*#WEBHOOKSECRET"),
  webhookRegister: record("WEBHOOKS"),
  delivery: record("T#*#DELIVERY#*"),
  cursor: record("CURSOR#*"),
  railState: record("RAIL#*"),
  maintenance: record("SETTING#MAINTENANCE"),
  spread: record("SETTING#SPREAD"),
  /** All records, by their attributes without secrets. */
  everything: { at: "main", only: scannedAttributes },

  list: entry("byCreation", "T#*#LIST#*"),
  changes: entry("byChange", "T#*#LIST#*"),
  facet: entry("byFacet", "T#*#LIST#*"),
  tenantRegister: entry("byFacet", "REGISTER#TENANTS"),
  keyRegister: entry("byFacet", "REGISTER#APIKEYS#*"),
  childFacet: entry("byOwnerFacet", "T#*#CHILDREN#*"),
  children: entry("byOwner", "T#*#CHILDREN#*"),
  outstanding: entry("byOwner", "T#*#OUTSTANDING"),
  requestsAtWork: entry("byOwner", "T#*#REQUESTS_AT_WORK"),
  partyEmail: entry("byOwner", "T#*#STUDENT#EMAIL#*", "T#*#PAYER#EMAIL#*"),
  formerPartyEmail: entry("byOwner", "T#*#STUDENT#FORMER#*", "T#*#PAYER#FORMER#*"),
  undelivered: entry("byOwner", "T#*#DELIVERY#*#UNDELIVERED#*"),
  waitingDelivery: entry("byDue", "T#*#DELIVERY#*#WAITING"),
  timer: entry("byDue", "DUE#*"),
  watch: entry("byWatch", "WATCH#*"),
  externalId: entry("byExternalId", "T#*#EXTERNALID#*"),

  upload: object("tmp/*"),
  paymentFile: object("kept/*"),
  savedFile: object("saved/*"),
  requestFile: object("requests/*"),
  payerUpload: object("payers/tmp/*"),
  payerFile: object("payers/kept/*"),
  exportFile: object("exports/*"),
  exportPart: object("exporting/*"),
  historyCopy: { at: "history", like: ["T#*#LEDGER#*", "T#*#AUDIT#*", "T#*#READ#*"] },

  rateWindow: { at: "windows" },
  sandboxRail: { at: "rail" },
  workMessage: { at: "queue" },
  railQuestion: { at: "lane" },
  webhookMessage: { at: "webhooks" },
  railSecret: { at: "secret" },
  change: { at: "stream" },
} as const satisfies Readonly<Record<string, RecordKind>>;

export type RecordKindName = keyof typeof recordKinds;
