// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { List } from "../lists.ts";
import type { Options } from "../route.ts";
import type {
  CreatedWebhookEndpoint,
  DeletedWebhookEndpoint,
  RotatedWebhookSecret,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpoints,
  WebhookReplay,
  WebhookTest,
} from "../schemas/webhooks.ts";
import type {
  WebhookEndpointChanges,
  WebhookEndpointFields,
  WebhookReplayFields,
} from "../schemas/webhooks-requests.ts";
import type { WantedEventType } from "../schemas/words.ts";

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

  /**
   * What became of events at an endpoint.
   *
   * The newest event first, one delivery for each event that was tried, kept for 30 days. While an endpoint is failing,
   * what was not tried yet has none. Go on from `nextCursor`, which is behind all that was looked through. Scope:
   * `read`.
   */
  listDeliveries(id: string | number, query?: {
    /** Only what is behind this in the list, and therefore older: the `id` of a delivery, or a `nextCursor` */
    after?: string;
    /** At most so many, 100 by default */ limit?: number;
    /** Only deliveries of this status */ status?: "delivered" | "waiting" | "failed";
    /** A type of events, or a kind of thing that events are about */ type?: WantedEventType;
    /** Only events about the thing with this id: a page may hold few of them or none */ resource?: string;
  }, options?: Options): List<WebhookDelivery>;

  /**
   * Send one event again.
   *
   * At once and under the same `webhook-id`, whatever became of it before; if that fails, with the pauses of a new
   * delivery. At an endpoint that is failing, its oldest event is tried at once; a disabled one is sent it when it is
   * enabled. Scope: `webhooks`.
   */
  redeliverDelivery(id: string | number, deliveryId: string | number, options?: Options): Promise<WebhookDelivery>;

  /**
   * Send past events again.
   *
   * All events of the endpoint's types from a time up to now, delivered or not, each under its `webhook-id`, behind
   * what is new. One at a time: `GET` of the endpoint tells of it until it is over, and `from: now` ends it. Scope:
   * `webhooks`.
   */
  replay(id: string | number, body: WebhookReplayFields, options?: Options): Promise<WebhookReplay>;
};
