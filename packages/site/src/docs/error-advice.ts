import type { ErrorName, FaultName } from "@intents/contract/errors.ts";

/** What a guide tells of an error beside what its answer says: how it comes about, and what to do. */
type Advice = Readonly<{ cause: string; todo: string }>;

/** A row for every refusal and every fault; one that is missing does not compile. */
export const errorAdvice: Readonly<Record<ErrorName | FaultName, Advice>> = {
  shape: {
    cause: "A field, parameter or header is missing, unknown or not of its form.",
    todo: "Correct what `message` lists and `details.errors` names by path; send it with a new `Idempotency-Key`.",
  },
  requirements: {
    cause: "The draft lacks something that its scenario needs, or a payee is not visible to who submits.",
    todo: "Add what `details.requirements` names, each with a reason and with what satisfies it, in a new intent; a dry-run finds nearly all of them without paying.",
  },
  unauthorized: {
    cause: "The `X-API-Key` is missing, mistyped, encoded, revoked, or past its end.",
    todo: "Send `<CLIENT_ID>:<SECRET>` as it was given to you, joined by one colon; ask for a new key if it worked before.",
  },
  permission: {
    cause: "The key lacks a permission, a scope, or an address that it may be used from.",
    todo: "Ask the operator for what `details.failedRequirements` names; it takes effect within a minute.",
  },
  tenant_suspended: {
    cause: "Your organization is suspended.",
    todo: "Ask the operator why. Until then you can read everything, and follow what was submitted, by `GET`.",
  },
  not_found: {
    cause: "The id or the path does not exist, or belongs to another organization.",
    todo: "Compare the id with the answer that gave it to you; ids of the sandbox do not exist in production.",
  },
  quote_not_found: { cause: "No quote has this id, or it is another organization's.", todo: "Take a new quote." },
  method_not_allowed: {
    cause: "The path exists, but not with this method.",
    todo: "Use a method that the header `Allow` names.",
  },
  wrong_status: {
    cause: "The intent is past the point where this can be done, such as a submit of what is submitted.",
    todo: "Read the intent, and go on from its `status`.",
  },
  in_flight: {
    cause: "Another request with this intent or this key is still being carried out.",
    todo: "Send the very same request again after `Retry-After`: it gets the answer of the first.",
  },
  in_recovery: {
    cause: "It is not known yet whether the rail took the payment, and people look into it.",
    todo: "Do not submit again; follow the intent's `status`, and ask support after an hour.",
  },
  preview_changed: {
    cause:
      "The submit came with a `Preview-Hash`, and would not do exactly what that preview showed: a name, a rate, a fee or the rail has changed, or the hash is another draft's.",
    todo: "Do a dry-run again, show its `preview`, and submit with the new `hash`; the same key may be used. If you send no `Preview-Hash`, what holds at that moment is paid.",
  },
  duplicate_transaction: {
    cause: "The rail took the same payment a moment ago: payer, payees, amounts and references are equal.",
    todo: "If it is a repeat by mistake, do nothing. If it is meant, send it later with the same key, or make a new intent with another recipient reference.",
  },
  commission_state: {
    cause: "A commission is already requested or paid, or the request is no longer open to changes.",
    todo: "Read what is outstanding, and request those that `details` does not name.",
  },
  link_not_found: {
    cause: "No published link has this token.",
    todo: "Check the address; a link exists from its submit on.",
  },
  link_closed: {
    cause: "The link was for one payment, which is made, or its organization is suspended.",
    todo: "Publish a new link; it is open again once the organization is not suspended any more.",
  },
  link_held: {
    cause: "The link is for one payment, and somebody else has begun it.",
    todo: "Try again after `Retry-After`, when that payment is made or given up.",
  },
  hold_kept: {
    cause: "The payment is already on its way, or its checkout may be paid at any moment.",
    todo: "Follow its status; it can be given up after `Retry-After` if it has not been paid.",
  },
  link_crowded: {
    cause: "Many payments by this link were begun from this address, and not paid.",
    todo: "Pay or call off some of them; those that are left alone end by themselves.",
  },
  stale: {
    cause: "Somebody changed the resource since you read the `ETag` in `If-Match`.",
    todo: "Read it again, make your change on what you read, and send its new `ETag`.",
  },
  too_large: {
    cause: "The body or a file is larger than `details.limitBytes`.",
    todo: "Send a smaller file, such as a scan in grey.",
  },
  media_type: {
    cause: "The `Content-Type`, or the type of a file by its content, is none that is taken here.",
    todo: "Send what `details.expected` names.",
  },
  content_encoding: {
    cause: "The body is compressed.",
    todo: "Send it as it is, without `Content-Encoding`.",
  },
  key_reused: {
    cause: "The `Idempotency-Key` belongs to another request: another intent or another body.",
    todo: "Use a key for one submit only, such as the intent's id.",
  },
  quote_expired: {
    cause: "The quote's `expiresOn` has passed, and with it the rates that it held.",
    todo: "Take a new quote, make a new intent with it, and submit that with a new key.",
  },
  pair_unavailable: {
    cause: "No rail pays from this country or currency into that of the payee.",
    todo: "Choose another country to pay from or another payee; `details` names the pair.",
  },
  rail_refused: {
    cause: "The rail will not carry this payment out; `details.reason` says why.",
    todo: "Make a new intent without that reason; nothing was paid.",
  },
  rate_limited: {
    cause: "The key, or the address, has sent more requests than it may in this window.",
    todo: "Wait `Retry-After` seconds, and send the very same request again, with the same key.",
  },
  upload_budget: {
    cause: "The key, or the payers of a link, have uploaded as much as they may in a day.",
    todo: "Go on after `details.endsOn`, or ask the operator for a larger budget.",
  },
  not_implemented: {
    cause: "The path is reserved: nothing but its limit is specified.",
    todo: "Do not send it again; nothing will answer until the API has it.",
  },
  not_simulated: {
    cause: "The payment went by a real rail, where nobody can say what happens.",
    todo: "Test with a payment of a sandbox.",
  },
  cannot_happen: {
    cause: "The payment has another end already, or never had what was to be ended.",
    todo: "Make a new payment, and say what happens before it has ended; `details` says how this one stands.",
  },
  outcome_unknown: {
    cause: "The service or the rail broke off while the payment was being made.",
    todo: "Send the very same submit again, by the same key: it finds out, and never pays twice.",
  },
  rail_unavailable: {
    cause: "The rail does not answer or is switched off.",
    todo: "Nothing was paid. Send the very same submit again after `Retry-After`.",
  },
  maintenance: {
    cause: "The service is paused by its operators; payments under way go on.",
    todo: "Send the very same request again after `Retry-After`.",
  },
  busy: {
    cause: "Too many changes of the same things met.",
    todo: "Nothing was changed. Send the very same request again after `Retry-After`.",
  },
  store_failed: {
    cause: "A store of the service fails.",
    todo: "Send a submit again by the same key. Of other changes, look first whether they were kept.",
  },
  bad_request: {
    cause: "The request is no HTTP, its path is not properly encoded, or its body broke off.",
    todo: "Look at what is between you and the service: a proxy, an encoding of the path, a time-out of yours.",
  },
  firewall: {
    cause: "The request looks like an attack, or far too many come from your address.",
    todo: "Send fewer. If a legal request is refused, tell support `X-Request-Id` and time.",
  },
  misdirected: {
    cause: "A service on your machine was asked for by a name that is not its own.",
    todo: "Use the address that `start` prints, or set `BASE_URL`.",
  },
  uri_too_long: { cause: "The address has more than 8 KB.", todo: "Ask for less in one filter: split a long `$in`." },
  header_too_large: {
    cause: "The headers have more than 10 KB.",
    todo: "Leave out headers and cookies that nobody asked for.",
  },
  internal: {
    cause: "A fault of the service.",
    todo: "Send a submit again by the same key; for anything else, tell support `details.requestId`.",
  },
  bad_gateway: {
    cause: "The service did not answer as it should.",
    todo: "Send a submit again by the same key. Of other changes, look first whether they were kept.",
  },
  timeout: {
    cause: "The service took longer than 29 seconds.",
    todo: "Send a submit again by the same key. Of other changes, look first whether they were kept.",
  },
};
