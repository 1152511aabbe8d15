import type { ErrorRow } from "./error-row.ts";
import { errorTable } from "./errors.ts";

/** True of every call: the gateway answers some of these errors without knowing which call it was. */
const AGAIN =
  "Where the call takes an Idempotency-Key, send it again by the same one; of another change, look first whether it was kept";

/** Errors that are not about the content of a request: faults of ours, and errors that the gateway itself answers. */
export const faultTable = {
  bad_request: {
    status: 400,
    message: "The request cannot be read",
    next: "Look at the encoding of its path and body, and at proxies and time-outs between you and the service.",
  },
  unauthorized: errorTable.unauthorized,
  too_large: errorTable.too_large,
  firewall: {
    status: 403,
    message: "The firewall refused the request: it looks like an attack, or too many come from your address",
    next: "Send fewer; if a legal request is refused, tell support its X-Request-Id and the time.",
  },
  // Only the local gateway answers it: deployed, requests for other names never come here.
  misdirected: {
    status: 421,
    message: "This service has another name than the Host that was asked for",
    next: "Use the address that the start printed, or set BASE_URL.",
  },
  uri_too_long: {
    status: 414,
    message: "The address is too long",
    next: "Ask for less in one filter: split a long list of values.",
  },
  header_too_large: {
    status: 431,
    message: "The headers are too large",
    next: "Leave out headers and cookies that nobody asked for.",
  },
  internal: {
    status: 500,
    code: "[GEN9000]",
    message: "Something went wrong on our side",
    next: `${AGAIN}; support needs details.requestId.`,
    retry: "later",
  },
  bad_gateway: {
    status: 502,
    code: "[GEN9000]",
    message: "Something went wrong on our side",
    next: `${AGAIN}.`,
    retry: "later",
  },
  timeout: {
    status: 504,
    code: "[GEN9000]",
    message: "The service took too long to answer",
    next: `${AGAIN}.`,
    retry: "later",
  },
} as const satisfies Record<string, Omit<ErrorRow, "bindsKey">>;

export type FaultName = keyof typeof faultTable;
