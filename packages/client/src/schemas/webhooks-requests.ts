// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { WantedEventType } from "./words.ts";

/** An address to which events are to be sent */
export type WebhookEndpointFields = {
  /** Where events are sent: an https address on port 443 or 8443 that the Internet routes */ url: string;
  /** Only events of these types, or about these kinds of things; all without it */ types?: readonly WantedEventType[];
  /** What the endpoint is for */ description?: string;
};

/** Fields that are left out stay; null removes one */
export type WebhookEndpointChanges = {
  /** Where events are sent: an https address on port 443 or 8443 that the Internet routes */ url?: string;
  /** The wanted types from now on; null for all */ types?: readonly WantedEventType[] | null;
  /** What the endpoint is for; null removes it */ description?: string | null;
  /** Whether events are sent */ status?: "enabled" | "disabled";
  /** Go on with the next event, and leave out all that was not delivered yet */ from?: "now";
};

/** From when on events are to be sent again */
export type WebhookReplayFields = {
  /** Send again what happened from then on: a time of the last 30 days, ISO 8601 in UTC */ from: string;
};
