import {
  type ChangeEvents,
  type EventSubject,
  type EventType,
  eventTypes,
  statusesOf,
} from "../events/status-change.ts";

/** Endpoints of one tenant. */
export const ENDPOINTS_MAX = 10;
/** For so long after a rotation, deliveries are signed by the secret before as well. */
export const FORMER_SECRET_MS = 24 * 3_600_000;

/** A type of events, or the kind of thing that they are about: `paymentIntent.completed`, `paymentIntent`. */
export type WantedType = EventType | EventSubject;
export const wantedTypes: readonly WantedType[] = [...(Object.keys(statusesOf) as EventSubject[]), ...eventTypes];

/** `asked`: by its tenant; `gone`: it answered 410; `unanswered`: all attempts of five days failed. */
export const disabledReasons = ["asked", "gone", "unanswered"] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** An address to which a tenant's events are sent. */
export type WebhookEndpoint = Readonly<{
  id: string;
  url: string;
  /** The wanted events; all without it. */
  types?: readonly WantedType[];
  description?: string;
  status: "enabled" | "disabled";
  disabledReason?: DisabledReason;
  /** The feed lost events that this endpoint had not been sent, up to this moment. */
  missedUntil?: string;
  createdAt: string;
  updatedAt: string;
  /** The number of its changes so far. */
  changes: number;
  /** Which of the tenant's places for endpoints it takes, so that two that are made at once do not take the same. */
  slot?: number;
}>;

export const wants = ({ types }: Pick<WebhookEndpoint, "types">, { type, resource }: ChangeEvents): boolean =>
  types === undefined || types.includes(type) || types.includes(resource.type);

/** The endpoint as its tenant is told of it. */
export const toEndpointAnswer = ({ changes: _, slot: _slot, types, ...endpoint }: WebhookEndpoint) => ({
  ...endpoint,
  ...(types !== undefined && { types: [...types] }),
});

/** The places that none of these endpoints takes. */
export const freeSlots = (known: readonly Pick<WebhookEndpoint, "slot">[]): number[] => {
  const taken = new Set(known.map(({ slot }) => slot));
  const slots = Array.from({ length: ENDPOINTS_MAX }, (_, slot) => slot).filter((slot) => !taken.has(slot));
  return slots.slice(0, Math.max(0, ENDPOINTS_MAX - known.length));
};

/** The endpoint once it is disabled. */
export const disabled = (
  endpoint: WebhookEndpoint,
  disabledReason: DisabledReason,
  nowMs: number,
): WebhookEndpoint => ({ ...changed(endpoint, nowMs), status: "disabled", disabledReason });

/** The same endpoint with the number and time of one more change. */
export const changed = (endpoint: WebhookEndpoint, nowMs: number): WebhookEndpoint => ({
  ...endpoint,
  updatedAt: new Date(nowMs).toISOString(),
  changes: endpoint.changes + 1,
});
