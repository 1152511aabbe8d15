import type { ErrorName } from "./errors.ts";

/** Advice to payers of a link where the tenant's does not fit: payers have no intents, keys and operators. */
export const payerAdvice: Readonly<Partial<Record<ErrorName, string>>> = {
  shape: "Correct what message lists and details.errors names by path, and send it again.",
  requirements: "Change what details.requirements names, and send it again.",
  wrong_status: "Unless the payment was made, take a new quote, and begin again with it.",
  in_recovery: "Do not pay again, but follow its status; ask who published the link after an hour.",
  duplicate_transaction:
    "If it is a repeat by mistake, do nothing; if it is meant, take a new quote after Retry-After, and begin again with it.",
  link_closed: "Ask who published it for a new one.",
  link_under_review: "Do not pay again now: ask who published it.",
  quote_expired: "Take a new quote, and begin again with it.",
  pair_unavailable: "Choose another country to pay from.",
  rail_refused: "Nothing was paid: take a new quote, and begin again without what details.reason says.",
  upload_budget: "Go on after details.endsOn, which Retry-After tells as well.",
  outcome_unknown: "Send the very same request again: it finds out, and never pays twice.",
  rail_unavailable: "Nothing was paid: take a new quote after Retry-After, and begin again with it.",
};
