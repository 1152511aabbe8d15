// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { EventResource } from "./payment-intents-parts.ts";
import type { EventStatus, EventType, WantedEventType } from "./words.ts";

/** There while attempts fail */
export type WebhookFailure = {
  /** Since when no attempt succeeded, ISO 8601 in UTC */ since: string;
  /** When the oldest event is tried again, ISO 8601 in UTC */ nextAttemptAt?: string;
};

/** A new endpoint with its secret */
export type CreatedWebhookEndpoint = {
  /** The endpoint's id */ id: string;
  /** Where events are sent */ url: string;
  /** The wanted types; all without it */ types?: readonly WantedEventType[];
  /** What the endpoint is for */ description?: string;
  /** Whether events are sent */ status: "enabled" | "disabled";
  /** `asked`: by a change of yours; `gone`: it answered 410; `unanswered`: all attempts of five days failed */
  disabledReason?: "asked" | "gone" | "unanswered";
  /**
   * While it was disabled, events up to then were forgotten before they were sent: compare by lists, ISO 8601 in UTC
   */
  missedUntil?: string;
  failing?: WebhookFailure;
  /** There while past events are sent again */ replay?: {
    /** Events from then on are sent again, ISO 8601 in UTC */ from: string;
    /** And those of before then: the time at which it was asked for, ISO 8601 in UTC */ until: string;
  };
  /** When it was made, ISO 8601 in UTC */ createdAt: string;
  /** When it was last changed, ISO 8601 in UTC */ updatedAt: string;
  /** The secret by which deliveries are signed, `whsec_` and base64. It is told here and never again */ secret: string;
};

/** An address to which events are sent */
export type WebhookEndpoint = {
  /** The endpoint's id */ id: string;
  /** Where events are sent */ url: string;
  /** The wanted types; all without it */ types?: readonly WantedEventType[];
  /** What the endpoint is for */ description?: string;
  /** Whether events are sent */ status: "enabled" | "disabled";
  /** `asked`: by a change of yours; `gone`: it answered 410; `unanswered`: all attempts of five days failed */
  disabledReason?: "asked" | "gone" | "unanswered";
  /**
   * While it was disabled, events up to then were forgotten before they were sent: compare by lists, ISO 8601 in UTC
   */
  missedUntil?: string;
  failing?: WebhookFailure;
  /** There while past events are sent again */ replay?: {
    /** Events from then on are sent again, ISO 8601 in UTC */ from: string;
    /** And those of before then: the time at which it was asked for, ISO 8601 in UTC */ until: string;
  };
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

/** What became of one event at one endpoint */
export type WebhookDelivery = {
  /** The event's id, which is the `webhook-id` of each attempt */ id: string;
  type: EventType;
  /** When the event happened, ISO 8601 in UTC */ time: string;
  resource: EventResource;
  /** `delivered`; `waiting` for its next attempt; `failed`: no further attempt is made by itself */
  status: "delivered" | "waiting" | "failed";
  /** The newest 20 attempts, oldest first */ attempts: readonly {
    /** When it began, ISO 8601 in UTC */ at: string;
    /** How long it took, in milliseconds */ tookMs: number;
    /** The status that the receiver answered */ status?: number;
    /** Why there was no answer: `TIMEOUT`, `ECONNREFUSED` */ problem?: string;
  }[];
  /** When it is tried again, ISO 8601 in UTC */ nextAttemptAt?: string;
  /** The first 1 KB of the last answer, where it was no success */ answer?: string;
};

/** Past events that are sent again */
export type WebhookReplay = {
  /** Events from then on are sent again, ISO 8601 in UTC */ from: string;
  /** And those of before then: the time at which it was asked for, ISO 8601 in UTC */ until: string;
};

/** The body of a delivery: a change of status, by Standard Webhooks 1.0 */
export type WebhookEvent = {
  type: EventType;
  /** When it happened, ISO 8601 in UTC */ timestamp: string;
  /** The event as the feed tells it */ data: {
    /** The event's id, which is the `webhook-id` too, and a place to go on from in the feed */ id: string;
    resource: EventResource;
    status: EventStatus;
    /** Your own id of the payment intent `resource.id`, where it has one */ externalId?: string;
  };
};

/** The body of a test */
export type WebhookTestEvent = {
  /** What it is */ type: "webhook.test";
  /** When it was sent, ISO 8601 in UTC */ timestamp: string;
  /** Which test */ data: {
    /** The id that asking for the test was answered with, and the `webhook-id` */ id: string;
  };
};
