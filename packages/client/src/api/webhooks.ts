// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { Options } from "../route.ts";
import type {
  CreatedWebhookEndpoint,
  DeletedWebhookEndpoint,
  RotatedWebhookSecret,
  WebhookEndpoint,
  WebhookEndpoints,
  WebhookTest,
} from "../schemas/webhooks.ts";
import type { WebhookEndpointChanges, WebhookEndpointFields } from "../schemas/webhooks-requests.ts";

export type WebhookEndpointsMethods = {
  /**
   * Have events sent to an address.
   *
   * From the next event on, signed by Standard Webhooks 1.0. A tenant has at most 10 endpoints. Scope: `webhooks`. An
   * `Idempotency-Key` has no effect: a repeat is a request of its own.
   */
  create(body: WebhookEndpointFields, options?: Options): Promise<CreatedWebhookEndpoint>;

  /**
   * List webhook endpoints.
   *
   * All of the tenant's, without their secrets. Scope: `read`.
   */
  list(options?: Options): Promise<WebhookEndpoints>;

  /**
   * Get a webhook endpoint.
   *
   * Says whether it is failing, and why it was disabled. Scope: `read`.
   */
  get(id: string | number, options?: Options): Promise<WebhookEndpoint>;

  /**
   * Change, disable or enable a webhook endpoint.
   *
   * Each attempt uses the URL and types of its moment. An endpoint that is enabled goes on where it was, with what
   * failed first; `from: now` leaves out what was not delivered yet. Scope: `webhooks`.
   */
  update(id: string | number, body: WebhookEndpointChanges, options?: Options): Promise<WebhookEndpoint>;

  /**
   * Delete a webhook endpoint.
   *
   * With its secret, for good. Nothing is sent to it any more. Scope: `webhooks`.
   */
  delete(id: string | number, options?: Options): Promise<DeletedWebhookEndpoint>;

  /**
   * Make a new secret.
   *
   * For 24 hours each delivery is signed by the new one and the one before, so that none is refused. Scope: `webhooks`.
   */
  rotateWebhookSecret(id: string | number, options?: Options): Promise<RotatedWebhookSecret>;

  /**
   * Send a test to an endpoint.
   *
   * One delivery of type `webhook.test`, sent once, whether the endpoint is enabled or not. Scope: `webhooks`.
   */
  test(id: string | number, options?: Options): Promise<WebhookTest>;
};
