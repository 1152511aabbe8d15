import { DAY_MS } from "@intents/domain/durations.ts";
import { type WebhookEndpoint, wants } from "@intents/domain/webhooks/endpoint.ts";
import type { After } from "@intents/storage/events/cursor.ts";
import { type Event, type Placed, readUnsettled, settledAt, upToNow } from "@intents/storage/events/feed.ts";
import { findOwnIds } from "@intents/storage/events/own-ids.ts";
import type { Table } from "@intents/storage/table/table.ts";
import {
  type Delivery,
  findDeliveries,
  isAmong,
  listDelivered,
  listWaiting,
  requeued,
} from "@intents/storage/webhooks/deliveries.ts";
import type { Progress, Replay } from "@intents/storage/webhooks/endpoints.ts";
import type { EndpointKey } from "@intents/storage/webhooks/secrets.ts";

/** Events read together, and events sent again together: new events wait for the latter. */
const EVENTS_MAX = 50;
const AGAIN_MAX = 10;
const FOREVER_MS = Number.MAX_SAFE_INTEGER;

/** An event that is to be sent: for the first time, or again as its record says. */
export type Item = Readonly<{ event: Event; after: After; before?: Delivery }>;

/** The events that are due to an endpoint. */
export type Work = Readonly<{
  items: readonly Item[];
  /** How far the cursor may move once all items were dealt with. */
  end: After;
  /** The rest of the replay after all items; null when the replay is over. */
  replay?: Replay | null;
  /** Waiting deliveries that are not wanted any more. */
  unwanted: readonly Delivery[];
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
  { cursor, standing: { probe, wellSinceMs }, skipped, replay }: Progress,
): Promise<Work> {
  const nowMs = now();
  const stay = { end: cursor, hasMore: false, unwanted: [] };
  if (probe !== undefined && nowMs < probe.atMs) return { ...stay, items: [], isNothing: true };
  const found = await listWaiting(table, key, probe === undefined && wellSinceMs === undefined ? nowMs : FOREVER_MS);
  const isLeftOut = ({ event, after }: Delivery) =>
    !wants(endpoint, event) || (skipped !== undefined && isBefore(after, skipped));
  const { unwanted = [], waits = [] } = Object.groupBy(found, (each) => (isLeftOut(each) ? "unwanted" : "waits"));
  if (unwanted.length > 0) return { ...stay, items: [], unwanted, hasMore: true, isNothing: false };
  const [oldest] = waits;
  if (probe !== undefined && oldest !== undefined)
    return { ...stay, items: await toItems(table, key.tenantId, [oldest]), isNothing: false };
  const { fresh, passed, hasMore } = await findFresh(table, key, endpoint, cursor, nowMs);
  if (probe !== undefined && fresh.length > 0) return { ...stay, items: fresh.slice(0, 1), isNothing: false };
  const isDueNow = (before: Delivery) => isDue(before, nowMs, wellSinceMs);
  const due = await toItems(table, key.tenantId, waits.filter(isDueNow));
  const items = [...due, ...fresh];
  if (items.length === 0 && !hasMore && replay !== undefined && probe === undefined)
    return { ...stay, ...(await findRedelivered(table, key, endpoint, replay)), isNothing: false };
  const settled = settledAt(nowMs);
  const end = hasMore && passed.last !== undefined && isBefore(passed.last, settled) ? passed.last : settled;
  const isStale = Number.parseInt(settled.place, 10) - Number.parseInt(cursor.place, 10) > DAY_MS;
  const isSettled = passed.first !== undefined && isBefore(passed.first, settled);
  const moves = isBefore(cursor, end) && (isStale || isSettled);
  const isNothing = items.length === 0 && !moves;
  return { items, end: isBefore(cursor, end) ? end : cursor, hasMore, unwanted: [], isNothing };
}

/**
 * The next events that are wanted and have no record, a page or more; and the first and last place that was looked at. The
 * cursor passes what is settled; what is too young for that is read past here.
 */
export async function findFresh(
  table: Table,
  key: EndpointKey,
  endpoint: WebhookEndpoint,
  cursor: After,
  nowMs: number,
) {
  const settled = settledAt(nowMs);
  const fresh: Placed[] = [];
  let passed: Readonly<{ first?: After; last?: After }> = {};
  for (;;) {
    const behind = passed.last ?? cursor;
    const { events, hasMore } = await readUnsettled(table, key.tenantId, behind, EVENTS_MAX, upToNow(nowMs));
    const last = events.at(-1)?.after;
    if (last === undefined) return { fresh, passed, hasMore };
    const known = await listDelivered(table, key, behind, last);
    fresh.push(...events.filter(({ event, after }) => wants(endpoint, event) && !isAmong(known, after)));
    passed = { first: passed.first ?? events[0]?.after ?? last, last };
    if (fresh.length >= EVENTS_MAX || !hasMore || isBefore(last, settled)) return { fresh, passed, hasMore };
  }
}

/** Deliveries as they are to be tried again, with what the feed alone knows of their events. */
async function toItems(table: Table, tenantId: string, deliveries: readonly Delivery[]): Promise<Item[]> {
  const places = deliveries.map(({ after }) => after.place);
  const ownIds = places.length === 0 ? new Map<string, string>() : await findOwnIds(table, tenantId, places);
  return deliveries.map((before) => {
    const externalId = ownIds.get(before.after.place);
    return { event: { ...before.event, ...(externalId && { externalId }) }, after: before.after, before };
  });
}

/** Finds what is to be sent again next, each with its record, if it has one. */
async function findRedelivered(
  table: Table,
  key: EndpointKey,
  endpoint: WebhookEndpoint,
  replay: Replay,
): Promise<Pick<Work, "items" | "replay" | "hasMore">> {
  const { events, hasMore } = await readUnsettled(table, key.tenantId, replay.after, AGAIN_MAX, replay.until);
  const wanted = events.filter(({ event }) => wants(endpoint, event));
  const places = wanted.map(({ after }) => after);
  const known = places.length === 0 ? new Map<string, Delivery>() : await findDeliveries(table, key, places);
  const items = wanted.map((placed): Item => {
    const before = known.get(placed.event.id);
    return before === undefined ? placed : { ...placed, before: requeued(before) };
  });
  const last = events.at(-1);
  return { items, replay: hasMore && last !== undefined ? { ...replay, after: last.after } : null, hasMore: true };
}

/** Whether a delivery is to be tried now: at its time, or since its endpoint is well again. */
const isDue = (before: Delivery, nowMs: number, wellSinceMs = 0): boolean =>
  Date.parse(before.nextAttemptAt ?? "") <= nowMs || Date.parse(before.attempts.at(-1)?.at ?? "") < wellSinceMs;
