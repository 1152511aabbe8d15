import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { DeliveryStatus } from "@intents/domain/webhooks/delivery.ts";
import { type After, readCursor, writeCursor } from "../events/cursor.ts";
import { EVENTS_KEPT_MS } from "../events/events.ts";
import { type Event, placeAt } from "../events/feed.ts";
import { type Key, keysOf } from "../table/keys.ts";
import { queryAll, queryPages } from "../table/pages.ts";
import { fetchItems, findRecord, replacedRecord, toRecords } from "../table/records.ts";
import { fromDoc, type Table, toDoc } from "../table/table.ts";
import type { EndpointKey } from "./secrets.ts";

/** One attempt to deliver: the receiver's status, or why there was none. */
export type Attempt = Readonly<{ at: string; tookMs: number; status?: number; problem?: string }>;

/** The record of one event at one endpoint. The event's own id of its tenant is in the feed alone, where it is erased. */
export type Delivery = Readonly<{
  event: Omit<Event, "externalId">;
  /** Where the event stands in the feed. */
  after: After;
  status: DeliveryStatus;
  /** The newest attempts, oldest first. */
  attempts: readonly Attempt[];
  /** The number of kept attempts before it was asked for again: pauses begin anew behind them. */
  formerAttempts?: number;
  nextAttemptAt?: string;
  /** The beginning of the receiver's last answer, if it was no success. */
  answer?: string;
}>;

/** The record of an event that is to be sent again: its pauses begin anew. */
export const requeued = (delivery: Delivery): Delivery => ({ ...delivery, formerAttempts: delivery.attempts.length });

const COUNT_LENGTH = 9;
/** Places sort by their text, and the events of one change by their number. */
const sortOf = ({ place, count }: After): string => `${place} ${String(count).padStart(COUNT_LENGTH, "0")}`;

/** Stores what became of an event: as long as the feed would tell the event. */
export async function putDelivery(table: Table, key: EndpointKey, delivery: Delivery): Promise<void> {
  const Item = { ...keyOf(key, delivery), ...attributesOf(key, delivery), doc: toDoc(delivery) };
  await table.db.send(new PutCommand({ TableName: table.name, Item }));
}

/** Replaces the record as it was read; false when it has changed. */
export async function replaceDelivery(
  table: Table,
  key: EndpointKey,
  [before, after]: readonly [Delivery, Delivery],
): Promise<boolean> {
  try {
    const put = replacedRecord(table, keyOf(key, after), before, after, attributesOf(key, after));
    await table.db.send(new PutCommand(put));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

const keyOf = ({ tenantId, id }: EndpointKey, { after }: Pick<Delivery, "after">): Key =>
  keysOf(tenantId).delivery(id, sortOf(after));

/** Index attributes of a record, which find waiting deliveries by time, and undelivered ones by status. */
function attributesOf({ tenantId, id }: EndpointKey, { after, event, status, nextAttemptAt }: Delivery) {
  const keys = keysOf(tenantId);
  return {
    ttl: Math.ceil((Date.parse(event.time) + EVENTS_KEPT_MS) / 1000),
    ...(nextAttemptAt !== undefined && { dueShard: keys.waitingDeliveries(id), dueAt: Date.parse(nextAttemptAt) }),
    ...(status !== "delivered" && { ownerPK: keys.undelivered(id, status), listSK: sortOf(after) }),
  };
}

/** The record of an event at an endpoint, by the event's id; undefined where there is none. */
export async function findDelivery(table: Table, key: EndpointKey, eventId: string): Promise<Delivery | undefined> {
  const after = readCursor(key.tenantId, eventId);
  return after === undefined ? undefined : findRecord<Delivery>(table, keyOf(key, { after }));
}

/** The records of the events behind these places, by the ids of the events. */
export async function findDeliveries(
  table: Table,
  key: EndpointKey,
  places: readonly After[],
): Promise<ReadonlyMap<string, Delivery>> {
  const keys = places.map((after) => keyOf(key, { after }));
  const found = toRecords<Delivery>(await fetchItems(table, keys));
  return new Map(found.map((delivery) => [delivery.event.id, delivery]));
}

/** A question for deliveries: those behind the event `after` in the list, of one status, type, kind of thing, or thing. */
export type DeliveryQuery = Readonly<{
  after?: string;
  limit: number;
  status?: DeliveryStatus;
  type?: string;
  resource?: string;
}>;

/** For a page so many records are looked at, of 1 KB as a rule. */
const LOOKED_AT = 200;
/** No clock by which an event is dated is ahead by more. */
const AHEAD_MS = 60_000;

/** A page of an endpoint's deliveries, the newest event first; undefined where `after` is no event of the tenant's. */
export async function listDeliveries(
  table: Table,
  key: EndpointKey,
  { after, limit, status, type, resource }: DeliveryQuery,
  nowMs: number,
): Promise<Readonly<{ items: readonly Delivery[]; hasMore: boolean; nextCursor: string }> | undefined> {
  const from = after === undefined ? placeAt(nowMs + AHEAD_MS) : readCursor(key.tenantId, after);
  if (from === undefined) return undefined;
  const isWanted = ({ status: stands, event }: Delivery) =>
    (status === undefined || status === stands) &&
    (type === undefined || type === event.type || type === event.resource.type) &&
    (resource === undefined || resource === event.resource.id);
  const { looked, hasMore } = await readNewest(table, key, status, from);
  const items: Delivery[] = [];
  let nextCursor = writeCursor(key.tenantId, from);
  for (const delivery of looked) {
    if (isWanted(delivery) && items.length === limit) return { items, hasMore: true, nextCursor };
    if (isWanted(delivery)) items.push(delivery);
    nextCursor = delivery.event.id;
  }
  return { items, hasMore, nextCursor };
}

/** The newest records of an endpoint before a place: of all, or by the index of one status, which may lag behind. */
async function readNewest(
  table: Table,
  key: EndpointKey,
  status: DeliveryStatus | undefined,
  from: After,
): Promise<Readonly<{ looked: readonly Delivery[]; hasMore: boolean }>> {
  const keys = keysOf(key.tenantId);
  const isIndexed = status === "waiting" || status === "failed";
  const partition = isIndexed ? keys.undelivered(key.id, status) : keys.delivery(key.id, "").PK;
  const pages = queryPages(table, {
    ...(isIndexed && { IndexName: "byOwner" }),
    KeyConditionExpression: isIndexed ? "ownerPK = :pk AND listSK < :from" : "PK = :pk AND SK < :from",
    ExpressionAttributeValues: { ":pk": partition, ":from": sortOf(from) },
    ScanIndexForward: false,
    Limit: LOOKED_AT,
  });
  const items: Record<string, unknown>[] = [];
  for await (const { Items = [] } of pages) {
    items.push(...Items);
    if (items.length >= LOOKED_AT) break;
  }
  const read = items.slice(0, LOOKED_AT);
  const hasMore = read.length === LOOKED_AT;
  if (!isIndexed) return { looked: read.map((item) => fromDoc<Delivery>(item)), hasMore };
  const found = read.map(({ PK, SK }) => ({ PK, SK }) as Key);
  return { looked: toRecords<Delivery>(await fetchItems(table, found)), hasMore };
}

/** The ids of the events between two places of the feed, both included, of which the endpoint has a record. */
export async function listDelivered(
  table: Table,
  { tenantId, id }: EndpointKey,
  from: After,
  to: After,
): Promise<ReadonlySet<string>> {
  const { PK } = keysOf(tenantId).delivery(id, "");
  const items = await queryAll(table, {
    KeyConditionExpression: "PK = :pk AND SK BETWEEN :from AND :to",
    ExpressionAttributeValues: { ":pk": PK, ":from": sortOf(from), ":to": sortOf(to) },
    ProjectionExpression: "SK",
    ConsistentRead: true,
  });
  return new Set(items.map(({ SK }) => String(SK)));
}

/** Whether one of these is the record of the event behind which this place is. */
export const isAmong = (delivered: ReadonlySet<string>, after: After): boolean => delivered.has(sortOf(after));

/** Waiting deliveries read together. */
const WAITING_MAX = 50;

/** The deliveries whose next attempt is due by then, in the order of the feed. */
export async function listWaiting(table: Table, { tenantId, id }: EndpointKey, untilMs: number): Promise<Delivery[]> {
  const pages = queryPages(table, {
    IndexName: "byDue",
    KeyConditionExpression: "dueShard = :shard AND dueAt <= :until",
    ExpressionAttributeValues: { ":shard": keysOf(tenantId).waitingDeliveries(id), ":until": untilMs },
    Limit: WAITING_MAX,
  });
  const keys: Key[] = [];
  for await (const { Items = [] } of pages) {
    keys.push(...Items.map(({ PK, SK }) => ({ PK, SK }) as Key));
    break;
  }
  // The index lags behind the records, which are read strongly.
  return toRecords<Delivery>(await fetchItems(table, keys))
    .filter(({ nextAttemptAt }) => nextAttemptAt !== undefined)
    .toSorted((one, other) => (sortOf(one.after) < sortOf(other.after) ? -1 : 1));
}
