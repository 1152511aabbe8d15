import { eventTypes, statusesOf } from "@intents/domain/events/status-change.ts";
import { LIST_LIMIT_MAX } from "@intents/domain/lists/query.ts";
import * as z from "zod";
import { integer } from "./parameters.ts";
import { defineRoutes, lazily } from "./route.ts";
import { count, plainText, timestamp } from "./shapes.ts";

const subjects = Object.keys(statusesOf) as (keyof typeof statusesOf)[];
const statuses = [...new Set(Object.values(statusesOf).flat())];

export const EventResource = lazily(() =>
  z
    .object({
      type: z
        .enum(subjects)
        .describe(
          "A payment intent, a recipient of one, the link that one is, a request for commissions, or a webhook endpoint",
        ),
      id: plainText(
        "The intent's id, also of its legs and its link; of a request for commissions the `requestId`, of a webhook endpoint its own",
      ),
      order: count("The leg's `order` in its intent").exactOptional(),
    })
    .meta({ id: "EventResource", description: "What has changed" }),
);

export const EventStatus = lazily(() =>
  z.enum(statuses).meta({ id: "EventStatus", description: "The status of what has changed from then on" }),
);

export const EventType = lazily(() =>
  z.enum(eventTypes).meta({ id: "EventType", description: "What has come to which status" }),
);

export const WantedType = lazily(() =>
  z
    .enum([...subjects, ...eventTypes])
    .meta({ id: "WantedEventType", description: "A type of events, or a kind of thing that events are about" }),
);

/** The tenant's own id of the payment that an event is about. */
export const EventExternalId = () =>
  plainText("Your own id of the payment intent `resource.id`, where it has one").exactOptional();

const Event = lazily(() =>
  z
    .object({
      id: plainText("The event's own id. As `after` it asks for what came behind it"),
      type: EventType(),
      time: timestamp("When it happened"),
      resource: EventResource(),
      status: EventStatus(),
      externalId: EventExternalId(),
    })
    .meta({ id: "Event", description: "A change of status" }),
);

const FeedParameters = lazily(() =>
  z.strictObject({
    after: z
      .string()
      .describe(
        "Only what came behind this: the `id` of an event, a `nextCursor`, or a time of the last 30 days, ISO 8601 in UTC, and none to come. Without it, the oldest event that is kept comes first",
      )
      .exactOptional(),
    limit: integer(1, LIST_LIMIT_MAX).describe("At most so many, 100 by default").exactOptional(),
    type: WantedType()
      .describe(
        "Only events of this type, or about this kind of thing: then a page may hold few of them or none, and have more. Go on from its `nextCursor`, which is behind all that was looked through",
      )
      .exactOptional(),
  }),
);

/** Changes of status, as callers are told of them. */
export const eventRoutes = defineRoutes({
  listEvents: {
    on: "GET /v2/events",
    group: "payment-intents",
    summary: "Every change of status, in the order in which they happened",
    description:
      "Of intents, their legs, links and requests for commissions. The order never changes, and whoever goes on from the last `id` or `nextCursor` gets every event once. An event is there some 15 seconds after it happened, and for 30 days. Of several events about one thing the last one holds.",
    auth: "key",
    parameters: FeedParameters,
    answers: { status: 200, list: "events", item: Event, feed: true },
  },
});
