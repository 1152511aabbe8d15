import type { CommissionFailure } from "./commissions/request.ts";
import type { WrongStatus } from "./intents/states.ts";
import type { IntentStatus } from "./intents/statuses.ts";
import type { PriceFailure } from "./quotes/quote.ts";
import type { Requirement } from "./requirements/finding.ts";
import type { ShapeFailure } from "./result.ts";

/** Every refusal that a caller can meet. Only contract/errors.ts knows how each one looks on the wire. */
export type Failure =
  | ShapeFailure
  /** The request is well formed, but the payment is not ready: dry-run reports the same. */
  | Readonly<{ kind: "requirements"; missing: readonly Requirement[]; reason?: string }>
  /** Nothing is missing but the end of a review: the rail may have taken this payment, or the one that it pays again. */
  | Readonly<{ kind: "under_review"; missing: readonly Requirement[] }>
  | Readonly<{ kind: "permission"; reason: string; legacyConstraint: string; failedRequirements: readonly string[] }>
  | Readonly<{ kind: "unauthorized" }>
  /** Nothing new is done in the tenant's name, whichever key asks for it. */
  | Readonly<{ kind: "tenant_suspended" }>
  | Readonly<{ kind: "not_found"; resource: string }>
  | Readonly<{ kind: "method_not_allowed"; allow: readonly string[] }>
  | WrongStatus
  /** Another worker holds the submission; the same request may succeed once that worker's lease has ended. */
  | Readonly<{ kind: "in_flight"; status: IntentStatus; retryAfterSeconds: number }>
  /** Nobody knows whether the rail took the payment, and a person is finding out: sending it again cannot help. */
  | Readonly<{ kind: "in_recovery"; status: IntentStatus }>
  /** The submit would not do what the preview showed whose hash came with it; `previewHash` is that of what it would do. */
  | Readonly<{ kind: "preview_changed"; status: IntentStatus; previewHash: string }>
  /** The caller's If-Match stands for another state of the resource than the present one. */
  | Readonly<{ kind: "stale" }>
  | CommissionFailure
  /** The tenant has as many webhook endpoints as it may have. */
  | Readonly<{ kind: "endpoint_limit"; limit: number }>
  /** Past events are being sent to the webhook endpoint already. */
  | Readonly<{ kind: "replay_running" }>
  | Readonly<{ kind: "too_large"; limitBytes: number }>
  | Readonly<{ kind: "media_type"; expected: readonly string[] }>
  /** The body has a Content-Encoding. */
  | Readonly<{ kind: "content_encoding"; contentEncoding: string }>
  | Readonly<{ kind: "key_reused" }>
  | Readonly<{ kind: "quote_expired"; quoteId: string; expiresOn: string }>
  | Readonly<{ kind: "quote_not_found"; quoteId: string }>
  | PriceFailure
  /** The rail took the same payment a moment ago; where it says until when, the same may be sent again from then on. */
  | Readonly<{ kind: "duplicate_transaction"; retryAfterSeconds?: number }>
  /** No published link has this token: unknown, draft and foreign ones look alike. */
  | Readonly<{ kind: "link_not_found" }>
  /** The single-use link has been paid, or the link's tenant is suspended. */
  | Readonly<{ kind: "link_closed" }>
  /** Another payer is about to pay the single-use link. */
  | Readonly<{ kind: "link_held"; retryAfterSeconds: number }>
  /** A payment by the single-use link may have arrived after all, and an operator is looking into it. */
  | Readonly<{ kind: "link_under_review" }>
  /** The rail did not call off the payment that holds the link: it may be paid at any moment. */
  | Readonly<{ kind: "hold_kept"; retryAfterSeconds: number }>
  | Readonly<{ kind: "money_received" }>
  /** As many payments by the link as may be were begun from one place, and not paid. */
  | Readonly<{ kind: "link_crowded"; limit: number }>
  /** The rail will never take this payment; nothing was paid and the intent stays a draft. */
  | Readonly<{ kind: "rail_refused"; reason: string }>
  /** The rail is a real one, and what happens there is not for a tester to say. */
  | Readonly<{ kind: "not_simulated" }>
  /** The payment's state rules out the tester's wish. */
  | Readonly<{ kind: "cannot_happen"; reason: string; status: IntentStatus }>
  /** The rail was provably not reached: nothing happened. */
  | Readonly<{ kind: "rail_unavailable" }>
  /** The rail may or may not have accepted: only a replay with the same key is safe. */
  | Readonly<{ kind: "outcome_unknown" }>
  | Readonly<{ kind: "rate_limited"; retryAfterSeconds: number }>
  /** The day's budget for uploads does not hold this one; another one begins when it ends. */
  | Readonly<{ kind: "upload_budget"; limitBytes: number; endsOn: string; retryAfterSeconds: number }>
  | Readonly<{ kind: "maintenance"; retryAfterSeconds: number }>
  /** The path is reserved, and its request is not specified yet. */
  | Readonly<{ kind: "not_implemented" }>
  /** The store was too contended for a decision; nothing was done. */
  | Readonly<{ kind: "busy"; retryAfterSeconds: number }>
  /** A store failed, and nobody knows what it has kept. */
  | Readonly<{ kind: "store_failed"; retryAfterSeconds: number }>;

/** A refusal as payers see it: without the rail's or the price list's own reasons, which may speak of any recipient. */
export function toPublicFailure(failure: Failure): Failure {
  switch (failure.kind) {
    case "pair_unavailable":
      return { ...failure, reason: "this link cannot be paid from this country" };
    case "rail_refused":
      return { ...failure, reason: "the payment cannot be carried out this way" };
    default:
      return failure;
  }
}
