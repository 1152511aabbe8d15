import * as z from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { EventExternalId, EventResource, EventStatus, EventType } from "../events.ts";
import { lazily } from "../route.ts";
import { plainText, timestamp } from "../shapes.ts";

const WebhookEvent = lazily(() =>
  z
    .object({
      type: EventType(),
      timestamp: timestamp("When it happened"),
      data: z
        .object({
          id: plainText("The event's id, which is the `webhook-id` too, and a place to go on from in the feed"),
          resource: EventResource(),
          status: EventStatus(),
          externalId: EventExternalId(),
        })
        .describe("The event as the feed tells it"),
    })
    .meta({ id: "WebhookEvent", description: "The body of a delivery: a change of status, by Standard Webhooks 1.0" }),
);

const WebhookTestEvent = lazily(() =>
  z
    .object({
      type: z.literal("webhook.test").describe("What it is"),
      timestamp: timestamp("When it was sent"),
      data: z
        .object({ id: plainText("The id that asking for the test was answered with, and the `webhook-id`") })
        .describe("Which test"),
    })
    .meta({ id: "WebhookTestEvent", description: "The body of a test" }),
);

/** The headers of Standard Webhooks 1.0. */
const headers = () =>
  z.object({
    "webhook-id": plainText("The same at every attempt: leave out a delivery whose id you know"),
    "webhook-timestamp": plainText("When the attempt was made, in seconds since 1970: refuse one that is minutes off"),
    "webhook-signature": plainText("Signatures with spaces between them: one of them is by a secret that you have"),
  });

/** The tag of what is sent. It is none of a group, because generators make a class of each tag of paths, and of webhooks. */
export const WEBHOOK_EVENTS = "webhook-events";

/** Requests of the service to endpoints of tenants. */
export const toWebhooks = (): ZodOpenApiPathsObject => ({
  event: {
    post: {
      operationId: "receiveEvent",
      summary: "A change of status, or a test",
      tags: [WEBHOOK_EVENTS],
      security: [],
      description: "Sent to each endpoint that wants it, until it answers with a 2xx within 15 seconds.",
      requestParams: { header: headers() },
      requestBody: {
        required: true,
        content: { "application/json": { schema: z.union([WebhookEvent(), WebhookTestEvent()]) } },
      },
      responses: { "2XX": { description: "It was taken" } },
    },
  },
});
