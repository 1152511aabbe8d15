import type { RouteGroup } from "@intents/contract/route.ts";
import type { RecordKindName } from "@intents/storage/table/record-kinds.ts";

/**
 * A function's actions on records of a kind. `get` reads by key, alone or in a batch; `check` is a condition of a
 * transaction; `list` names objects; `abort` gives up an upload in parts.
 */
export type Verb =
  | ("get" | "query" | "check" | "put" | "update" | "delete" | "scan")
  | ("list" | "abort" | "send" | "receive" | "follow");

/** The functions that no route leads to. */
export type UnroutedFunction =
  | ("authorizer" | "fallback")
  | ("advance-intent" | "dispatch-due" | "daily" | "deliver-webhooks" | "copy-history");
export type FunctionName = RouteGroup | UnroutedFunction;
export type FunctionGrants = Readonly<Partial<Record<RecordKindName, readonly Verb[]>>>;

/** The gate before every handler: maintenance and the rate limits. */
const served: FunctionGrants = { maintenance: ["get"], rateWindow: ["update"] };
/** The gate of a function that tenants' keys change something by. */
const keyed: FunctionGrants = { ...served, apiKey: ["get"], suspension: ["get"] };

/** A transaction that changes an intent tells the tenant's webhooks, and counts. */
const moving: FunctionGrants = {
  audit: ["put"],
  event: ["put"],
  counter: ["update"],
  ledger: ["put"],
  spread: ["get", "update"],
  webhook: ["query"],
  webhookMessage: ["send"],
};

/** A submit, its recovery, and the settlement of its payment by what the rail answers. */
const paying: FunctionGrants = {
  ...moving,
  commission: ["put"],
  commissionCorrection: ["put"],
  idempotencyKey: ["update", "delete"],
  link: ["get", "update"],
  payee: ["get"],
  payerSource: ["update"],
  payment: ["put"],
  railSecret: ["get"],
  reconciliation: ["get", "put"],
  reissue: ["delete"],
  review: ["get", "check", "put"],
  /** The simulated rail's table, in a sandbox. */
  sandboxRail: ["get", "check", "put", "update", "delete"],
  payerFile: ["delete"],
};

/**
 * The grants of every function: all that its role may do, and nothing else. A call without its grant fails in the tests of
 * the service, and a grant without a call fails in `test:whole`.
 */
export const functionGrants: Readonly<Record<FunctionName, FunctionGrants>> = {
  authorizer: { apiKey: ["get"] },
  docs: {},
  fallback: {},
  home: {},
  openapi: served,
  lookup: { ...served, payee: ["get"] },
  reserved: { ...served, apiKey: ["get"] },
  rates: { ...keyed, tenant: ["get"], payee: ["get"], quote: ["get", "put"] },
  payees: { ...keyed, tenant: ["get"], payee: ["get", "put"], counter: ["query", "update"], list: ["query"] },
  documents: { ...keyed, document: ["put"], upload: ["put"] },
  parties: {
    ...keyed,
    party: ["get", "query", "check", "put", "delete"],
    counter: ["query", "update"],
    list: ["query"],
    changes: ["query"],
    partyEmail: ["query"],
    externalId: ["query"],
    document: ["get", "put"],
    documentRead: ["query", "put"],
    upload: ["get"],
    paymentFile: ["get", "put"],
    savedFile: ["get", "put", "delete"],
  },
  commissions: {
    ...keyed,
    tenant: ["get"],
    commission: ["get", "put"],
    commissionCorrection: ["get", "query", "put"],
    commissionRequest: ["get", "query", "put", "update", "delete"],
    counter: ["query", "update"],
    list: ["query"],
    outstanding: ["query"],
    event: ["put"],
    webhook: ["query"],
    webhookMessage: ["send"],
    spread: ["get", "update"],
    requestFile: ["get", "put", "delete"],
    exportFile: ["get", "put"],
    exportPart: ["get", "put", "abort"],
  },
  "payment-intents": {
    ...keyed,
    ...paying,
    intent: ["get", "query", "put", "update"],
    audit: ["query", "put"],
    event: ["query", "put"],
    counter: ["query", "update"],
    metadata: ["get", "query", "put", "delete"],
    idempotencyKey: ["get", "put", "update", "delete"],
    link: ["get", "put", "update"],
    reconciliation: ["get", "query", "put"],
    reissue: ["get", "put", "delete"],
    review: ["get", "query", "check", "put"],
    quote: ["get"],
    party: ["get"],
    document: ["get", "update"],
    payerDocument: ["get", "update"],
    upload: ["get"],
    paymentFile: ["put"],
    list: ["query"],
    changes: ["query"],
    facet: ["query"],
    children: ["query"],
    childFacet: ["query"],
    outstanding: ["query"],
    externalId: ["query"],
  },
  "payment-links": {
    ...served,
    ...paying,
    suspension: ["get"],
    tenant: ["get"],
    intent: ["get", "put"],
    metadata: ["get", "put"],
    linkQuote: ["get", "put"],
    linkSession: ["get", "put"],
    payerSecret: ["get", "put"],
    payerSource: ["get", "update"],
    payerDocument: ["get", "put", "update"],
    payerUpload: ["get", "put"],
    payerFile: ["put", "delete"],
  },
  "payer-page": { ...served, suspension: ["get"], tenant: ["get"], link: ["get"], intent: ["get"], review: ["get"] },
  webhooks: {
    ...keyed,
    audit: ["put"],
    webhook: ["get", "query", "put", "delete"],
    webhookSecret: ["put", "update", "delete"],
    webhookRegister: ["put", "delete"],
    delivery: ["get", "query", "put"],
    undelivered: ["query"],
    webhookMessage: ["send"],
  },
  "sandbox-rail": { ...served, sandboxRail: ["get", "query", "update", "delete"] },
  "sandbox-testing": {
    ...keyed,
    event: ["put"],
    intent: ["get", "query", "put", "update"],
    link: ["get", "update"],
    linkQuote: ["get", "put"],
    quote: ["get", "put"],
    payment: ["get"],
    spread: ["get", "update"],
    webhook: ["query"],
    webhookMessage: ["send"],
    workMessage: ["send"],
    railQuestion: ["send"],
    sandboxRail: ["get", "query", "update", "delete"],
  },

  "dispatch-due": {
    timer: ["query"],
    watch: ["query"],
    cursor: ["get", "update"],
    spread: ["get", "update"],
    workMessage: ["send"],
    railQuestion: ["send"],
    webhookRegister: ["query"],
    webhook: ["get", "query"],
    delivery: ["get", "query"],
    waitingDelivery: ["query"],
    event: ["query"],
    webhookMessage: ["send"],
  },
  "advance-intent": {
    ...paying,
    intent: ["get", "query", "put", "update"],
    commission: ["get", "put"],
    commissionCorrection: ["query", "put"],
    commissionRequest: ["get", "put", "update", "delete"],
    document: ["update"],
    payerDocument: ["get", "update"],
    timer: ["query"],
    watch: ["query"],
    cursor: ["get", "update"],
    railState: ["get", "query", "put", "update", "delete"],
    workMessage: ["send", "receive"],
    railQuestion: ["send", "receive"],
  },
  /** Sweeps, the match of books and rails, and the check of unattended work; it restores timers, watches and list entries. */
  daily: {
    everything: ["scan"],
    intent: ["get", "query"],
    intentTimer: ["update"],
    commissionRequest: ["get"],
    commissionRequestTimer: ["update"],
    reconciliation: ["query"],
    review: ["get"],
    party: ["get", "delete"],
    document: ["delete"],
    payerDocument: ["get", "delete"],
    counter: ["query"],
    cursor: ["get", "put"],
    spread: ["get", "update"],
    tenantRegister: ["query"],
    changes: ["query"],
    facet: ["query"],
    requestsAtWork: ["query"],
    paymentFile: ["delete"],
    savedFile: ["list", "delete"],
    requestFile: ["list", "delete"],
    payerFile: ["list", "delete"],
    sandboxRail: ["scan"],
    railSecret: ["get"],
  },
  "deliver-webhooks": {
    webhook: ["get", "query", "put", "update"],
    webhookSecret: ["get"],
    delivery: ["get", "query", "put"],
    waitingDelivery: ["query"],
    event: ["get", "query", "put"],
    webhookMessage: ["send", "receive"],
  },
  /** It reads nothing by itself: the stream hands it every change. */
  "copy-history": { historyCopy: ["put"], change: ["follow"] },
};
