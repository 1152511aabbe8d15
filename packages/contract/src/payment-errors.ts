import type { ErrorTable } from "./error-row.ts";

/** Refusals about a payment, its quote or its rail. */
export const paymentErrors = {
  requirements: {
    status: 400,
    code: "[GEN9002]",
    message: "The payment intent does not meet its requirements",
    next: "Add what details.requirements names in a new intent, and submit that with a new key; a dry-run finds nearly all of them without paying.",
    bindsKey: true,
  },
  // Not bound: the same key may succeed once the review has ended.
  under_review: {
    status: 400,
    code: "[GEN9002]",
    message: "A payment of this money is under review; nothing was done",
    next: "Wait for the event paymentIntent.reviewClosed of the payment that details.requirements names, and send the very same request again.",
    bindsKey: false,
  },
  quote_not_found: {
    status: 404,
    code: "[QOT0002]",
    message: "No such quote",
    next: "Compare its id with the answer that gave it to you, or take a new quote.",
    details: ["quoteId"],
    bindsKey: true,
  },
  wrong_status: {
    status: 409,
    code: "[GEN9009]",
    message: "The intent's status does not allow this",
    next: "Read the intent, and go on from its status.",
    details: ["status"],
    bindsKey: true,
  },
  // Not bound: another request holds the submission, and this one may succeed once that request has ended.
  in_flight: {
    status: 409,
    code: "[GEN9009]",
    message: "Another request is being carried out",
    next: "Send the very same request again after Retry-After.",
    details: ["status"],
    bindsKey: false,
    retry: "told",
  },
  // Not bound: the key gets its answer once a person has found out whether the rail took the payment.
  in_recovery: {
    status: 409,
    code: "[GEN9009]",
    message: "The payment is being looked into",
    next: "Do not submit it again, but follow the intent's status; ask support after an hour.",
    details: ["status"],
    bindsKey: false,
  },
  // Not bound: the key is for what the caller agrees to next.
  preview_changed: {
    status: 409,
    code: "[GEN9009]",
    message: "The preview does not hold any more; nothing was done",
    next: "Do a dry-run again, show its preview, and submit with the new hash; the same key may be used.",
    details: ["status", "previewHash"],
    bindsKey: false,
  },
  // Not bound: the same key may succeed once the rail's dedup window has passed.
  duplicate_transaction: {
    status: 409,
    code: "[PAY0003]",
    message: "The connector found a duplicate transaction",
    next: "If it is a repeat by mistake, do nothing; if it is meant, send it again later with the same key, or make a new intent with another recipient reference.",
    bindsKey: false,
    retry: "later",
  },
  quote_expired: {
    status: 422,
    code: "[QOT0001]",
    message: "The selected quote has expired",
    next: "Take a new quote, make a new intent with it, and submit that with a new key.",
    details: ["quoteId", "expiresOn"],
    bindsKey: true,
  },
  pair_unavailable: {
    status: 422,
    code: "[QOT0003]",
    message: "The currency pair is unavailable",
    next: "Choose another country or currency to pay from, or another payee.",
    details: ["fromCurrency", "toCurrency", "reason"],
    bindsKey: true,
  },
  rail_refused: {
    status: 422,
    code: "[PAY0004]",
    message: "The connector refused the payment",
    next: "Nothing was paid: make a new intent without what details.reason says, and submit that with a new key.",
    details: ["reason"],
    bindsKey: true,
  },
  not_simulated: {
    status: 409,
    code: "[PAY0005]",
    message: "The rail is not a sandbox: what happens there is not for a tester to say",
    next: "Test with a payment of a sandbox.",
    bindsKey: false,
  },
  cannot_happen: {
    status: 409,
    code: "[PAY0006]",
    message: "This cannot happen to a payment in this state",
    next: "Do what details.reason says, or test with a new payment.",
    details: ["reason", "status"],
    bindsKey: false,
  },
  outcome_unknown: {
    status: 502,
    code: "[PAY0002]",
    message: "The outcome is not known yet",
    next: "Send the very same request again, with its Idempotency-Key if it has one: it finds out, and never pays twice.",
    bindsKey: false,
    retry: "later",
  },
  rail_unavailable: {
    status: 503,
    code: "[PAY0001]",
    message: "The connector is unavailable; nothing was paid",
    next: "Send the very same request again after Retry-After.",
    retryAfterSeconds: 5,
    bindsKey: false,
    retry: "told",
  },
} as const satisfies Partial<ErrorTable>;
