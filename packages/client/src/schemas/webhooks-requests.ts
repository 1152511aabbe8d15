// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

/** An address to which events are to be sent */
export type WebhookEndpointFields = {
  /** Where events are sent: an https address on port 443 or 8443 that the Internet routes */ url: string;
  /** Only events of these types, or about these kinds of things; all without it */ types?: readonly (
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
};

/** Fields that are left out stay; null removes one */
export type WebhookEndpointChanges = {
  /** Where events are sent: an https address on port 443 or 8443 that the Internet routes */ url?: string;
  /** The wanted types from now on; null for all */ types?: readonly (
    | "paymentIntent" | "leg" | "paymentLink" | "commissionRequest" | "webhookEndpoint" | "paymentIntent.draft"
    | "paymentIntent.ready_for_quote" | "paymentIntent.quoted" | "paymentIntent.ready_for_execution"
    | "paymentIntent.executing" | "paymentIntent.completed" | "paymentIntent.failed"
    | "paymentIntent.partially_completed" | "paymentIntent.requires_recovery" | "paymentIntent.cancelled"
    | "paymentIntent.pending_link_payment" | "leg.pending" | "leg.held" | "leg.waiting" | "leg.executing"
    | "leg.cleared" | "leg.failed" | "leg.cancelled" | "paymentLink.open" | "paymentLink.held" | "paymentLink.closed"
    | "commissionRequest.submitted" | "commissionRequest.paid" | "commissionRequest.rejected"
    | "webhookEndpoint.disabled" | "paymentIntent.reviewOpened" | "paymentIntent.reviewClosed"
    | "paymentIntent.corrected")[] | null;
  /** What the endpoint is for; null removes it */ description?: string | null;
  /** Whether events are sent */ status?: "enabled" | "disabled";
  /** Go on with the next event, and leave out all that was not delivered yet */ from?: "now";
};
