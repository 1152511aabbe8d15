import { type WebhookEndpoint, wants } from "@intents/domain/webhooks/endpoint.ts";
import type { After } from "@intents/storage/events/cursor.ts";
import { type Event, readUnsettled, settledAt } from "@intents/storage/events/feed.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { type Delivery, isAmong, listDelivered, listWaiting } from "@intents/storage/webhooks/deliveries.ts";
import type { Progress } from "@intents/storage/webhooks/endpoints.ts";
import type { EndpointKey } from "@intents/storage/webhooks/secrets.ts";

/** So many events are looked at together. */
const EVENTS_MAX = 50;
const DAY_MS = 86_400_000;
const FOREVER_MS = Number.MAX_SAFE_INTEGER;

/** An event that is to be sent: for the first time, or again as its record says. */
export type Item = Readonly<{ event: Event; after: After; before?: Delivery }>;

/** The events that are due to an endpoint. */
export type Work = Readonly<{
  items: readonly Item[];
  /** How far the cursor may move once all items were dealt with. */
  end: After;
  hasMore: boolean;
  /** Nothing is to be sent, and the cursor stays. */
  isNothing: boolean;
}>;

const isBefore = (one: After, other: After): boolean =>
  one.place < other.place || (one.place === other.place && one.count < other.count);

/** Finds what is to be sent to an endpoint now. An endpoint that is failing is sent one event, the oldest, at its time. */
export async function findWork(
  { table, now }: Readonly<{ table: Table; now: () => number }>,
  key: EndpointKey,
  endpoint: WebhookEndpoint,
  { cursor, standing: { probe, wellSinceMs } }: Pick<Progress, "cursor" | "standing">,
): Promise<Work> {
  const nowMs = now();
  const stay = { end: cursor, hasMore: false };
  if (probe !== undefined && nowMs < probe.atMs) return { ...stay, items: [], isNothing: true };
  const waits = await listWaiting(table, key, probe === undefined && wellSinceMs === undefined ? nowMs : FOREVER_MS);
  const waiting = waits.map((before): Item => ({ event: before.event, after: before.after, before }));
  const [oldest] = waiting;
  if (probe !== undefined && oldest !== undefined) return { ...stay, items: [oldest], isNothing: false };
  const { events, hasMore } = await readUnsettled(table, key.tenantId, cursor, EVENTS_MAX, nowMs);
  const last = events.at(-1);
  const known = last === undefined ? new Set<string>() : await listDelivered(table, key, cursor, last.after);
  const fresh = events.filter(({ event, after }) => wants(endpoint, event) && !isAmong(known, after));
  if (probe !== undefined) return { ...stay, items: fresh.slice(0, 1), isNothing: fresh.length === 0 };
  const due = waiting.filter(({ before }) => isDue(before, nowMs, wellSinceMs));
  const items = [...due, ...fresh];
  const settled = settledAt(nowMs);
  const end = hasMore && last !== undefined && isBefore(last.after, settled) ? last.after : settled;
  const isStale = Number.parseInt(settled.place, 10) - Number.parseInt(cursor.place, 10) > DAY_MS;
  const moves = isBefore(cursor, end) && (isStale || events.some(({ after }) => isBefore(after, settled)));
  return { items, end: isBefore(cursor, end) ? end : cursor, hasMore, isNothing: items.length === 0 && !moves };
}

/** Whether a delivery is to be tried now: at its time, or since its endpoint is well again. */
const isDue = (before: Delivery | undefined, nowMs: number, wellSinceMs = 0): boolean =>
  Date.parse(before?.nextAttemptAt ?? "") <= nowMs || Date.parse(before?.attempts.at(-1)?.at ?? "") < wellSinceMs;
