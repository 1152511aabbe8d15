import type { Failure } from "@intents/domain/failure.ts";

/** How a refusal looks to a caller, and whether an Idempotency-Key stays bound to it. */
export type ErrorRow<Detail extends string = string> = Readonly<{
  status: number;
  /** Bracketed public code; absent where the specification shows none. */
  code?: `[${string}]`;
  message: string;
  /** The `Retry-After` of a refusal that knows no time of its own. */
  retryAfterSeconds?: number;
  /** Headers that always come with it. */
  headers?: Readonly<Record<string, string>>;
  /** The fields of the failure that callers are told, under `details`. */
  details?: readonly Detail[];
  /** Whether a replay with the same key must return this same answer (SPEC, "Idempotency behavior on a retry"; H9). */
  bindsKey: boolean;
  /** When the same request, by the same key, may succeed: `told`: as its `Retry-After` says; `later`: after a while. */
  retry?: "told" | "later";
}>;

type ErrorTable = {
  readonly [Kind in Failure["kind"]]: ErrorRow<Exclude<keyof Extract<Failure, { kind: Kind }> & string, "kind">>;
};

/** The whole catalogue. Codes that the specification does not show are ours (Decision 005). */
export const errorTable = {
  shape: { status: 400, message: "Bad Request", bindsKey: true },
  requirements: {
    status: 400,
    code: "[GEN9002]",
    message: "The payment intent does not meet its requirements",
    bindsKey: true,
  },
  unauthorized: {
    status: 401,
    code: "[GEN9001]",
    message: "A valid X-API-Key is required",
    headers: { "WWW-Authenticate": "ApiKey" },
    bindsKey: false,
  },
  permission: {
    status: 403,
    code: "[GEN9004]",
    message: "The key lacks a permission that this needs",
    details: ["reason", "legacyConstraint", "failedRequirements"],
    bindsKey: true,
  },
  // Not bound: the same key may succeed once the tenant is no longer suspended.
  tenant_suspended: {
    status: 403,
    code: "[GEN9006]",
    message: "The organization is suspended: nothing new is done for it, and what was submitted goes on",
    bindsKey: false,
  },
  not_found: {
    status: 404,
    code: "[GEN9003]",
    message: "No such resource: compare its id with the answer that gave it to you",
    details: ["resource"],
    bindsKey: true,
  },
  quote_not_found: { status: 404, code: "[QOT0002]", message: "No such quote", details: ["quoteId"], bindsKey: true },
  method_not_allowed: {
    status: 405,
    code: "[GEN9005]",
    message: "This path does not take this method",
    details: ["allow"],
    bindsKey: false,
  },
  wrong_status: {
    status: 409,
    code: "[GEN9009]",
    message: "The intent's status does not allow this: read the intent, and go on from its status",
    details: ["status"],
    bindsKey: true,
  },
  // Not bound: another request holds the submission, and this one may succeed once that request has ended.
  in_flight: {
    status: 409,
    code: "[GEN9009]",
    message: "Another request is being carried out: send the very same one again after Retry-After",
    details: ["status"],
    bindsKey: false,
    retry: "told",
  },
  // Not bound: the key gets its answer once a person has found out whether the rail took the payment.
  in_recovery: {
    status: 409,
    code: "[GEN9009]",
    message: "The payment is being looked into; do not submit it again, but follow its status",
    details: ["status"],
    bindsKey: false,
  },
  // Not bound: the key is for what the caller agrees to next.
  preview_changed: {
    status: 409,
    code: "[GEN9009]",
    message: "The preview does not hold any more; nothing was done",
    details: ["status", "previewHash"],
    bindsKey: false,
  },
  // Not bound: the same key may succeed once the rail's dedup window has passed.
  duplicate_transaction: {
    status: 409,
    code: "[PAY0003]",
    message:
      "The connector found a duplicate transaction: send it again later, or, if it is meant, with another recipient reference",
    bindsKey: false,
    retry: "later",
  },
  commission_state: {
    status: 409,
    code: "[COM0001]",
    message: "The state of the commissions does not allow this",
    details: ["reason", "status", "paymentIds"],
    bindsKey: true,
  },
  link_not_found: {
    status: 404,
    code: "[LNK0001]",
    message: "No such payment link: check its address; a link exists from its submit on",
    bindsKey: false,
  },
  link_closed: { status: 410, code: "[LNK0002]", message: "The payment link is closed", bindsKey: false },
  link_held: {
    status: 409,
    code: "[LNK0003]",
    message: "Somebody else is about to pay this link",
    bindsKey: false,
    retry: "told",
  },
  hold_kept: {
    status: 409,
    code: "[LNK0004]",
    message: "The payment was not called off, and may be paid at any moment",
    bindsKey: false,
    retry: "told",
  },
  link_crowded: {
    status: 409,
    code: "[LNK0005]",
    message: "As many payments by this link as may be were begun from here, and not paid",
    details: ["limit"],
    bindsKey: false,
  },
  stale: {
    status: 412,
    code: "[GEN9012]",
    message: "The resource has changed since the caller read it",
    bindsKey: false,
  },
  too_large: {
    status: 413,
    code: "[GEN9013]",
    message: "The request is too large",
    details: ["limitBytes"],
    bindsKey: false,
  },
  media_type: {
    status: 415,
    code: "[GEN9015]",
    message: "Unsupported media type",
    details: ["expected"],
    bindsKey: false,
  },
  content_encoding: {
    status: 415,
    code: "[GEN9015]",
    message: "A request's body must not be compressed",
    headers: { "Accept-Encoding": "identity" },
    details: ["contentEncoding"],
    bindsKey: false,
  },
  key_reused: { status: 422, message: "The Idempotency-Key was used with a different request", bindsKey: false },
  quote_expired: {
    status: 422,
    code: "[QOT0001]",
    message: "The selected quote has expired",
    details: ["quoteId", "expiresOn"],
    bindsKey: true,
  },
  pair_unavailable: {
    status: 422,
    code: "[QOT0003]",
    message: "The currency pair is unavailable",
    details: ["fromCurrency", "toCurrency", "reason"],
    bindsKey: true,
  },
  rail_refused: {
    status: 422,
    code: "[PAY0004]",
    message: "The connector refused the payment",
    details: ["reason"],
    bindsKey: true,
  },
  rate_limited: { status: 429, message: "Too many requests", bindsKey: false, retry: "told" },
  upload_budget: {
    status: 429,
    message: "The budget for uploads of this day is used up",
    details: ["limitBytes", "endsOn"],
    bindsKey: false,
    retry: "told",
  },
  not_implemented: { status: 501, code: "[GEN9501]", message: "Not available yet", bindsKey: false },
  not_simulated: {
    status: 409,
    code: "[PAY0005]",
    message: "The rail is not a sandbox: what happens there is not for a tester to say",
    bindsKey: false,
  },
  cannot_happen: {
    status: 409,
    code: "[PAY0006]",
    message: "This cannot happen to a payment that stands like this",
    details: ["reason", "status"],
    bindsKey: false,
  },
  outcome_unknown: {
    status: 502,
    code: "[PAY0002]",
    message: "The outcome is not known yet: send the very same request again, with its Idempotency-Key if it has one",
    bindsKey: false,
    retry: "later",
  },
  rail_unavailable: {
    status: 503,
    code: "[PAY0001]",
    message: "The connector is unavailable; nothing was paid",
    retryAfterSeconds: 5,
    bindsKey: false,
    retry: "told",
  },
  maintenance: { status: 503, message: "The service is under maintenance", bindsKey: false, retry: "told" },
  busy: { status: 503, message: "The service is busy; nothing was changed", bindsKey: false, retry: "told" },
  store_failed: {
    status: 503,
    code: "[GEN9000]",
    message: "A store of the service fails; look what was kept before you send a change again without its key",
    bindsKey: false,
    retry: "later",
  },
} as const satisfies ErrorTable;

/** Errors that are not about the content of a request: faults of ours, and errors that the gateway itself answers. */
export const faultTable = {
  bad_request: { status: 400, message: "The request cannot be read" },
  unauthorized: errorTable.unauthorized,
  too_large: errorTable.too_large,
  firewall: {
    status: 403,
    message: "The firewall refused the request: it looks like an attack, or too many come from your address",
  },
  // Only the local gateway answers it: deployed, requests for other names never come here.
  misdirected: { status: 421, message: "This service has another name than the Host that was asked for" },
  uri_too_long: { status: 414, message: "The address is too long" },
  header_too_large: { status: 431, message: "The headers are too large" },
  internal: { status: 500, code: "[GEN9000]", message: "Something went wrong on our side", retry: "later" },
  bad_gateway: { status: 502, code: "[GEN9000]", message: "Something went wrong on our side", retry: "later" },
  timeout: { status: 504, code: "[GEN9000]", message: "The service took too long to answer", retry: "later" },
} as const satisfies Record<string, Omit<ErrorRow, "bindsKey">>;

export type ErrorName = Failure["kind"];
export type FaultName = keyof typeof faultTable;
