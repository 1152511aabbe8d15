import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { After } from "../events/cursor.ts";
import { EVENTS_KEPT_MS } from "../events/events.ts";
import type { Event } from "../events/feed.ts";
import { type Key, keysOf } from "../table/keys.ts";
import { queryAll, queryPages } from "../table/pages.ts";
import { fetchItems, toRecords } from "../table/records.ts";
import { type Table, toDoc } from "../table/table.ts";
import type { EndpointKey } from "./secrets.ts";

/** One attempt to deliver: the receiver's status, or why there was none. */
export type Attempt = Readonly<{ at: string; tookMs: number; status?: number; problem?: string }>;

/** The record of one event at one endpoint. */
export type Delivery = Readonly<{
  event: Event;
  /** Where the event stands in the feed. */
  after: After;
  status: "delivered" | "waiting" | "failed";
  /** The attempts, oldest first. */
  attempts: readonly Attempt[];
  nextAttemptAt?: string;
  /** The beginning of the receiver's last answer, if it was no success. */
  answer?: string;
}>;

const COUNT_LENGTH = 9;
/** Places sort by their text, and the events of one change by their number. */
const sortOf = ({ place, count }: After): string => `${place} ${String(count).padStart(COUNT_LENGTH, "0")}`;

/** Stores what became of an event: as long as the feed would tell the event. */
export async function putDelivery(table: Table, { tenantId, id }: EndpointKey, delivery: Delivery): Promise<void> {
  const { after, event, nextAttemptAt } = delivery;
  const keys = keysOf(tenantId);
  const waits = nextAttemptAt !== undefined && {
    dueShard: keys.waitingDeliveries(id),
    dueAt: Date.parse(nextAttemptAt),
  };
  const Item = {
    ...keys.delivery(id, sortOf(after)),
    ...waits,
    ttl: Math.ceil((Date.parse(event.time) + EVENTS_KEPT_MS) / 1000),
    doc: toDoc(delivery),
  };
  await table.db.send(new PutCommand({ TableName: table.name, Item }));
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

/** So many waiting deliveries are looked at together. */
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
