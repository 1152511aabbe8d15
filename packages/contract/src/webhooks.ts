import { deliveryStatuses } from "@intents/domain/webhooks/delivery.ts";
import { disabledReasons, ENDPOINTS_MAX, wantedTypes } from "@intents/domain/webhooks/endpoint.ts";
import * as z from "zod";
import { EventResource, EventType, WantedType } from "./events.ts";
import { integer } from "./parameters.ts";
import { defineRoutes, lazily } from "./route.ts";
import { count, plainText, text, timestamp } from "./shapes.ts";

const DESCRIPTION_MAX = 200;
const URL_MAX = 500;
/** The most deliveries of a page. */
export const DELIVERIES_MAX = 100;

const fields = () => ({
  url: text(URL_MAX, "Where events are sent: an https address on port 443 or 8443 that the Internet routes"),
  types: z
    .array(WantedType())
    .min(1, "must name at least one type")
    .max(wantedTypes.length)
    .refine((types) => new Set(types).size === types.length, "must name each type once")
    .describe("Only events of these types, or about these kinds of things; all without it")
    .exactOptional(),
  description: text(DESCRIPTION_MAX, "What the endpoint is for").exactOptional(),
});

const NewEndpoint = lazily(() =>
  z
    .strictObject(fields())
    .meta({ id: "WebhookEndpointFields", description: "An address to which events are to be sent" }),
);

const EndpointChanges = lazily(() => {
  const { url, types, description } = fields();
  return z
    .strictObject({
      url: url.exactOptional(),
      types: z.nullable(types.unwrap()).describe("The wanted types from now on; null for all").exactOptional(),
      description: z
        .nullable(description.unwrap())
        .describe("What the endpoint is for; null removes it")
        .exactOptional(),
      status: z.enum(["enabled", "disabled"]).describe("Whether events are sent").exactOptional(),
      from: z
        .literal("now")
        .describe("Go on with the next event, and leave out all that was not delivered yet")
        .exactOptional(),
    })
    .meta({ id: "WebhookEndpointChanges", description: "Fields that are left out stay; null removes one" });
});

const replay = () =>
  z.object({
    from: timestamp("Events from then on are sent again"),
    until: timestamp("And those of before then: the time at which it was asked for"),
  });

const Endpoint = lazily(() =>
  z
    .object({
      id: z.string().describe("The endpoint's id"),
      url: plainText("Where events are sent"),
      types: z.array(WantedType()).describe("The wanted types; all without it").exactOptional(),
      description: plainText("What the endpoint is for").exactOptional(),
      status: z.enum(["enabled", "disabled"]).describe("Whether events are sent"),
      disabledReason: z
        .enum(disabledReasons)
        .describe(
          "`asked`: by a change of yours; `gone`: it answered 410; `unanswered`: all attempts of five days failed",
        )
        .exactOptional(),
      missedUntil: timestamp(
        "While it was disabled, events up to then were forgotten before they were sent: compare by lists",
      ).exactOptional(),
      failing: z
        .object({
          since: timestamp("Since when no attempt succeeded"),
          nextAttemptAt: timestamp("When the oldest event is tried again").exactOptional(),
        })
        .meta({ id: "WebhookFailure", description: "There while attempts fail" })
        .exactOptional(),
      replay: replay().describe("There while past events are sent again").exactOptional(),
      createdAt: timestamp("When it was made"),
      updatedAt: timestamp("When it was last changed"),
    })
    .meta({ id: "WebhookEndpoint", description: "An address to which events are sent" }),
);

const secret = () =>
  plainText("The secret by which deliveries are signed, `whsec_` and base64. It is told here and never again");

const CreatedEndpoint = lazily(() =>
  Endpoint()
    .extend({ secret: secret() })
    .meta({ id: "CreatedWebhookEndpoint", description: "A new endpoint with its secret" }),
);
const Endpoints = lazily(() =>
  z
    .object({ items: z.array(Endpoint()).describe("Oldest first") })
    .meta({ id: "WebhookEndpoints", description: "All endpoints of a tenant" }),
);
const RotatedSecret = lazily(() =>
  z
    .object({
      id: z.string().describe("The endpoint's id"),
      secret: secret(),
      formerUntil: timestamp("Until then deliveries are signed by the secret before as well"),
    })
    .meta({ id: "RotatedWebhookSecret", description: "A new secret beside the present one" }),
);
const DeletedEndpoint = lazily(() =>
  z
    .object({ id: z.string().describe("The id of the endpoint that is gone") })
    .meta({ id: "DeletedWebhookEndpoint", description: "An endpoint that was deleted" }),
);
const SentTest = lazily(() =>
  z
    .object({ id: z.string().describe("The `webhook-id` of the test") })
    .meta({ id: "WebhookTest", description: "A test that is being sent" }),
);

const Delivery = lazily(() =>
  z
    .object({
      id: plainText("The event's id, which is the `webhook-id` of each attempt"),
      type: EventType(),
      time: timestamp("When the event happened"),
      resource: EventResource(),
      status: z
        .enum(deliveryStatuses)
        .describe("`delivered`; `waiting` for its next attempt; `failed`: no further attempt is made by itself"),
      attempts: z
        .array(
          z
            .object({
              at: timestamp("When it began"),
              tookMs: count("How long it took, in milliseconds"),
              status: count("The status that the receiver answered").exactOptional(),
              problem: plainText("Why there was no answer: `TIMEOUT`, `ECONNREFUSED`").exactOptional(),
            })
            .describe("An attempt"),
        )
        .describe("The newest 20 attempts, oldest first"),
      nextAttemptAt: timestamp("When it is tried again").exactOptional(),
      answer: plainText("The first 1 KB of the last answer, where it was no success").exactOptional(),
    })
    .meta({ id: "WebhookDelivery", description: "What became of one event at one endpoint" }),
);

const DeliveryParameters = lazily(() =>
  z.strictObject({
    after: plainText(
      "Only what is behind this in the list, and therefore older: the `id` of a delivery, or a `nextCursor`",
    ).exactOptional(),
    limit: integer(1, DELIVERIES_MAX).describe(`At most so many, ${DELIVERIES_MAX} by default`).exactOptional(),
    status: z.enum(deliveryStatuses).describe("Only deliveries of this status").exactOptional(),
    type: WantedType().exactOptional(),
    resource: plainText(
      "Only events about the thing with this id: a page may hold few of them or none",
    ).exactOptional(),
  }),
);

const ReplayFields = lazily(() =>
  z
    .strictObject({ from: timestamp("Send again what happened from then on: a time of the last 30 days") })
    .meta({ id: "WebhookReplayFields", description: "From when on events are to be sent again" }),
);
const Replay = lazily(() => replay().meta({ id: "WebhookReplay", description: "Past events that are sent again" }));

const common = { group: "webhooks", auth: "key" } as const;
const change = { ...common, scope: "webhooks" } as const;

/** The addresses to which a tenant's events are sent. */
export const webhookEndpointRoutes = defineRoutes({
  createWebhookEndpoint: {
    ...change,
    on: "POST /v2/webhook-endpoints",
    summary: "Have events sent to an address",
    description: `From the next event on, signed by Standard Webhooks 1.0. A tenant has at most ${ENDPOINTS_MAX} endpoints.`,
    body: NewEndpoint,
    answers: { status: 201, data: CreatedEndpoint, location: "webhook-endpoints/{id}" },
    errors: ["endpoint_limit"],
    example: { url: "https://hooks.example/payments", types: ["paymentIntent"] },
  },
  listWebhookEndpoints: {
    ...common,
    on: "GET /v2/webhook-endpoints",
    summary: "List webhook endpoints",
    description: "All of the tenant's, without their secrets.",
    answers: { status: 200, data: Endpoints },
  },
  getWebhookEndpoint: {
    ...common,
    on: "GET /v2/webhook-endpoints/{id}",
    summary: "Get a webhook endpoint",
    description: "Says whether it is failing, and why it was disabled.",
    answers: { status: 200, data: Endpoint },
    errors: ["not_found"],
  },
  updateWebhookEndpoint: {
    ...change,
    on: "PATCH /v2/webhook-endpoints/{id}",
    summary: "Change, disable or enable a webhook endpoint",
    description:
      "Each attempt uses the URL and types of its moment. An endpoint that is enabled goes on where it was, with what failed first; `from: now` leaves out what was not delivered yet.",
    body: EndpointChanges,
    answers: { status: 200, data: Endpoint },
    errors: ["not_found", "busy"],
    example: { types: ["paymentIntent.completed"] },
  },
  deleteWebhookEndpoint: {
    ...change,
    on: "DELETE /v2/webhook-endpoints/{id}",
    summary: "Delete a webhook endpoint",
    description: "With its secret, for good. Nothing is sent to it any more.",
    answers: { status: 200, data: DeletedEndpoint },
    errors: ["not_found"],
  },
  rotateWebhookSecret: {
    ...change,
    on: "POST /v2/webhook-endpoints/{id}/rotate-secret",
    summary: "Make a new secret",
    description: "For 24 hours each delivery is signed by the new one and the one before, so that none is refused.",
    answers: { status: 200, data: RotatedSecret },
    errors: ["not_found"],
  },
  testWebhookEndpoint: {
    ...change,
    on: "POST /v2/webhook-endpoints/{id}/test",
    summary: "Send a test to an endpoint",
    description: "One delivery of type `webhook.test`, sent once, whether the endpoint is enabled or not.",
    limit: "webhook_test",
    answers: { status: 200, data: SentTest },
    errors: ["not_found"],
  },
  listWebhookEndpointDeliveries: {
    ...common,
    on: "GET /v2/webhook-endpoints/{id}/deliveries",
    summary: "What became of events at an endpoint",
    description:
      "The newest event first, one delivery for each event that was tried, kept for 30 days. While an endpoint is failing, what was not tried yet has none. Go on from `nextCursor`, which is behind all that was looked through.",
    parameters: DeliveryParameters,
    answers: { status: 200, list: "deliveries", item: Delivery, feed: true },
    errors: ["not_found"],
  },
  redeliverWebhookEndpointDelivery: {
    ...change,
    on: "POST /v2/webhook-endpoints/{id}/deliveries/{deliveryId}/redeliver",
    summary: "Send one event again",
    description:
      "At once and under the same `webhook-id`, whatever became of it before; if that fails, with the pauses of a new delivery. At an endpoint that is failing, its oldest event is tried at once; a disabled one is sent it when it is enabled.",
    answers: { status: 200, data: Delivery },
    errors: ["not_found", "busy"],
  },
  replayWebhookEndpoint: {
    ...change,
    on: "POST /v2/webhook-endpoints/{id}/replay",
    summary: "Send past events again",
    description:
      "All events of the endpoint's types from a time up to now, delivered or not, each under its `webhook-id`, behind what is new. One at a time: `GET` of the endpoint tells of it until it is over, and `from: now` ends it.",
    body: ReplayFields,
    answers: { status: 200, data: Replay },
    errors: ["not_found", "replay_running", "busy"],
    example: { from: "2026-11-20T00:00:00.000Z" },
  },
});
