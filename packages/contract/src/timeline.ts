import { submitRefusals, timelineNews } from "@intents/domain/events/timeline.ts";
import { causes, type IntentEventName, intentEvents } from "@intents/domain/intents/audit-event.ts";
import { LIST_LIMIT_MAX } from "@intents/domain/lists/query.ts";
import * as z from "zod";
import { integer } from "./parameters.ts";
import { defineRoutes, lazily } from "./route.ts";
import { count, plainText, timestamp } from "./shapes.ts";
import { AmountMode, DeliveryMode, LegStatus, ReviewReason, SplitRole, UseCase } from "./vocabulary.ts";

const names = Object.keys(intentEvents) as IntentEventName[];

const TimelineEventType = lazily(() =>
  z
    .enum([...names, ...timelineNews].map((name) => `paymentIntent.${name}` as const))
    .meta({ id: "TimelineEventType", description: "What happened; a move to a status is named like it" }),
);

const order = () => count("The recipient's place");

/** Details of an event; each field is of some events only. */
const details = () =>
  z
    .object({
      useCase: UseCase().exactOptional(),
      deliveryMode: DeliveryMode().exactOptional(),
      amountMode: AmountMode().exactOptional(),
      executionId: plainText("The execution that it is about").exactOptional(),
      attempt: count("Which worker of the submission it is: the first, or one that took over").exactOptional(),
      asked: count("How often the rail was asked before without telling the outcome").exactOptional(),
      about: ReviewReason().exactOptional(),
      refusal: z
        .enum(submitRefusals)
        .describe("Why a submission was given up: the rail has such a payment, will not take it, or was not reached")
        .exactOptional(),
      connectorPaymentIds: z.array(z.int()).describe("The payments that the rail took").exactOptional(),
      splitRoles: z
        .array(z.object({ order: order(), splitRole: SplitRole() }).describe("A recipient"))
        .describe("What each recipient is booked as")
        .exactOptional(),
      legs: z
        .array(z.object({ order: order(), status: LegStatus() }).describe("A recipient"))
        .describe("How the recipients stand; not those of a batch")
        .exactOptional(),
      paymentIntentId: plainText("The payment that closed a link").exactOptional(),
      total: count("The recipients of a batch").exactOptional(),
      completed: count("Those who were paid").exactOptional(),
      failed: count("Those who could not be paid").exactOptional(),
      cancelled: count("Those who were not paid any more").exactOptional(),
    })
    .describe("More of it: ids, numbers and words of the service");

const event = () =>
  z
    .object({
      type: TimelineEventType(),
      by: z
        .enum(causes)
        .describe(
          "Who caused it: the tenant by a key, the payer of a link, an operator of the service, the rail, the schedule or the service itself",
        ),
      at: timestamp(
        "When it happened, where it changed nothing of the intent: it is told with the change before it",
      ).exactOptional(),
      clientId: plainText("The client of the tenant's key").exactOptional(),
      details: details(),
    })
    .describe("An event");

const TimelineEntry = lazily(() =>
  z
    .object({
      version: count("The number of the change; it grows, and changes in between have nothing to tell"),
      at: timestamp("When it happened"),
      events: z.array(event()).describe("What happened"),
      hash: plainText("The SHA-256, in hex, of the stored entry, which holds more than is told here"),
      previous: z.string().nullable().describe("The `hash` of the entry before it; null in the first"),
    })
    .meta({ id: "TimelineEntry", description: "One change of an intent, and its place in the chain of its audit" }),
);

const TimelineParameters = lazily(() =>
  z.strictObject({
    after: z
      .string()
      .refine(
        (text) => /^(0|[1-9]\d{0,7})$/.test(text),
        "must be the version of an entry: go on with that of the last one that you have, or begin without it",
      )
      .transform(Number)
      .meta({ override: { type: "integer", minimum: 0, maximum: 99_999_999 } })
      .describe("Only what came behind the entry of this `version`; without it, the first entry comes first")
      .exactOptional(),
    limit: integer(1, LIST_LIMIT_MAX).describe("At most so many entries, 100 by default").exactOptional(),
  }),
);

export const timelineRoutes = defineRoutes({
  getPaymentIntentTimeline: {
    on: "GET /v2/payment-intents/{id}/timeline",
    group: "payment-intents",
    summary: "What happened to an intent, when and by whom",
    description:
      "Every change from its creation on, oldest first, of links and of payments by them too. Each entry has its hash in the audit, and that of the entry before it: keep the last one, and what it stands for can be neither changed nor left out later. It tells no names, no details of people and no texts.",
    auth: "key",
    parameters: TimelineParameters,
    answers: { status: 200, list: "timeline", item: TimelineEntry, feed: true },
    errors: ["not_found"],
  },
});
