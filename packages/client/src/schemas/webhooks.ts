// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

/** There while attempts fail */
export type WebhookFailure = {
  /** Since when no attempt succeeded, ISO 8601 in UTC */ since: string;
  /** When the oldest event is tried again, ISO 8601 in UTC */ nextAttemptAt?: string;
};

/** A new endpoint with its secret */
export type CreatedWebhookEndpoint = {
  /** The endpoint's id */ id: string;
  /** Where events are sent */ url: string;
  /** The wanted types; all without it */ types?: readonly (
    | "paymentIntent" | "leg" | "paymentLink" | "commissionRequest" | "webhookEndpoint" | "paymentIntent.draft"
    | "paymentIntent.ready_for_quote" | "paymentIntent.quoted" | "paymentIntent.ready_for_execution"
    | "paymentIntent.executing" | "paymentIntent.completed" | "paymentIntent.failed"
    | "paymentIntent.partially_completed" | "paymentIntent.requires_recovery" | "paymentIntent.cancelled"
    | "paymentIntent.pending_link_payment" | "leg.pending" | "leg.held" | "leg.waiting" | "leg.executing"
    | "leg.cleared" | "leg.failed" | "leg.cancelled" | "paymentLink.open" | "paymentLink.held" | "paymentLink.closed"
    | "commissionRequest.submitted" | "commissionRequest.paid" | "commissionRequest.rejected"
    | "webhookEndpoint.disabled" | "paymentIntent.reviewOpened" | "paymentIntent.reviewClosed"
    | "paymentIntent.corrected")[];
  /** What the endpoint is for */ description?: string;
  /** Whether events are sent */ status: "enabled" | "disabled";
  /** `asked`: by a change of yours; `gone`: it answered 410; `unanswered`: all attempts of five days failed */
  disabledReason?: "asked" | "gone" | "unanswered";
  /**
   * While it was disabled, events up to then were forgotten before they were sent: compare by lists, ISO 8601 in UTC
   */
  missedUntil?: string;
  failing?: WebhookFailure;
  /** When it was made, ISO 8601 in UTC */ createdAt: string;
  /** When it was last changed, ISO 8601 in UTC */ updatedAt: string;
  /** The secret by which deliveries are signed, `whsec_` and base64. It is told here and never again */ secret: string;
};

/** An address to which events are sent */
export type WebhookEndpoint = {
  /** The endpoint's id */ id: string;
  /** Where events are sent */ url: string;
  /** The wanted types; all without it */ types?: readonly (
    | "paymentIntent" | "leg" | "paymentLink" | "commissionRequest" | "webhookEndpoint" | "paymentIntent.draft"
    | "paymentIntent.ready_for_quote" | "paymentIntent.quoted" | "paymentIntent.ready_for_execution"
    | "paymentIntent.executing" | "paymentIntent.completed" | "paymentIntent.failed"
    | "paymentIntent.partially_completed" | "paymentIntent.requires_recovery" | "paymentIntent.cancelled"
    | "paymentIntent.pending_link_payment" | "leg.pending" | "leg.held" | "leg.waiting" | "leg.executing"
    | "leg.cleared" | "leg.failed" | "leg.cancelled" | "paymentLink.open" | "paymentLink.held" | "paymentLink.closed"
    | "commissionRequest.submitted" | "commissionRequest.paid" | "commissionRequest.rejected"
    | "webhookEndpoint.disabled" | "paymentIntent.reviewOpened" | "paymentIntent.reviewClosed"
    | "paymentIntent.corrected")[];
  /** What the endpoint is for */ description?: string;
  /** Whether events are sent */ status: "enabled" | "disabled";
  /** `asked`: by a change of yours; `gone`: it answered 410; `unanswered`: all attempts of five days failed */
  disabledReason?: "asked" | "gone" | "unanswered";
  /**
   * While it was disabled, events up to then were forgotten before they were sent: compare by lists, ISO 8601 in UTC
   */
  missedUntil?: string;
  failing?: WebhookFailure;
  /** When it was made, ISO 8601 in UTC */ createdAt: string;
  /** When it was last changed, ISO 8601 in UTC */ updatedAt: string;
};

/** All endpoints of a tenant */
export type WebhookEndpoints = {
  /** Oldest first */ items: readonly WebhookEndpoint[];
};

/** An endpoint that was deleted */
export type DeletedWebhookEndpoint = {
  /** The id of the endpoint that is gone */ id: string;
};

/** A new secret beside the present one */
export type RotatedWebhookSecret = {
  /** The endpoint's id */ id: string;
  /** The secret by which deliveries are signed, `whsec_` and base64. It is told here and never again */ secret: string;
  /** Until then deliveries are signed by the secret before as well, ISO 8601 in UTC */ formerUntil: string;
};

/** A test that is being sent */
export type WebhookTest = {
  /** The `webhook-id` of the test */ id: string;
};
