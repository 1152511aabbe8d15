import { type StatusChange, type Told, toldOf } from "@intents/domain/events/status-change.ts";
import { fail, ok, type Result, type ShapeFailure } from "@intents/domain/result.ts";
import { keysOf } from "../table/keys.ts";
import { queryPages } from "../table/pages.ts";
import { fromDoc, type Table } from "../table/table.ts";
import { SENT_WITHIN_MS } from "../table/transact.ts";
import { type After, readCursor, writeCursor } from "./cursor.ts";
import { dateOf, EVENT_SHARDS, EVENTS_KEPT_MS, timeOf } from "./events.ts";

/**
 * Clocks differ by less than this, and what was given up on arrives within it. What is older than this and than the time
 * for which writes are sent is complete: nothing can come to stand before it any more.
 */
const MARGIN_MS = 5_000;
export const SETTLED_AFTER_MS = SENT_WITHIN_MS + MARGIN_MS;
/** A page looks through at most so many changes, however few of them are of the type that is asked for. */
const LOOKED_AT_MAX = 1_000;

/** An event as callers see it. Its id is the cursor to go on from behind it. */
export type Event = Readonly<{ id: string; time: string }> & Told;

/** A question for events: those behind `after`, a cursor or a time; of one type, or about one kind of thing. */
export type FeedQuery = Readonly<{ after?: string; limit: number; type?: string }>;

export type FeedPage = Readonly<{ items: readonly Event[]; hasMore: boolean; nextCursor: string }>;

/** A page of a tenant's events, oldest first, as they stand at `nowMs`. */
export async function readFeed(
  table: Table,
  tenantId: string,
  { after, limit, type: wanted }: FeedQuery,
  nowMs: number,
): Promise<Result<FeedPage, ShapeFailure>> {
  const begun = beginAt(tenantId, after, nowMs - EVENTS_KEPT_MS);
  if (!begun.ok) return begun;
  const until = timeOf(nowMs - SETTLED_AFTER_MS);
  const items: Event[] = [];
  let behind = begun.value;
  let lookedAt = 0;
  const page = (hasMore: boolean) => ok({ items, hasMore, nextCursor: writeCursor(tenantId, behind) });
  for await (const { place, changes } of readChanges(table, tenantId, { from: behind.place, until, limit })) {
    if (lookedAt++ === LOOKED_AT_MAX) return page(true);
    const known = place === behind.place ? behind.count : 0;
    for (const [index, { type, resource, status }] of toldOf(changes).entries()) {
      const isWanted = wanted === undefined || wanted === type || wanted === resource.type;
      if (index < known) continue;
      if (isWanted && items.length === limit) return page(true);
      behind = { place, count: index + 1 };
      if (isWanted) items.push({ id: writeCursor(tenantId, behind), type, time: dateOf(place), resource, status });
    }
  }
  // A caller may be ahead of what is settled.
  if (behind.place < until) behind = { place: until, count: 0 };
  return page(false);
}

/** The place to begin at. */
function beginAt(tenantId: string, after: string | undefined, oldestMs: number): Result<After, ShapeFailure> {
  const oldest = { place: timeOf(oldestMs), count: 0 };
  if (after === undefined) return ok(oldest);
  const place = readCursor(tenantId, after) ?? readTime(after);
  const goOn = `go on with after=${new Date(oldestMs).toISOString()}, or without after, from the oldest event that is kept`;
  const wrong = (is: string) => fail({ kind: "shape", problems: [`after ${is}: ${goOn}`] } as const);
  if (place === undefined) return wrong("must be the id of an event of yours, a nextCursor of this list, or a time");
  return place.place < oldest.place ? wrong("must lie within the last 30 days") : ok(place);
}

function readTime(after: string): After | undefined {
  const ms = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(after) ? Date.parse(after) : Number.NaN;
  return Number.isNaN(ms) || ms < 0 ? undefined : { place: timeOf(ms), count: 0 };
}

type Stored = Readonly<{ place: string; changes: readonly StatusChange[] }>;
type Range = Readonly<{ from: string; until: string; limit: number }>;

/** All changes from one place, included, to before another, in their order: those of all partitions, merged. */
async function* readChanges(table: Table, tenantId: string, range: Range): AsyncGenerator<Stored> {
  const shards = Array.from({ length: EVENT_SHARDS }, (_, shard) => readShard(table, tenantId, shard, range));
  let heads = (await Promise.all(shards.map(headOf))).flat();
  for (;;) {
    const [first, ...others] = heads.toSorted((one, other) => (one.stored.place < other.stored.place ? -1 : 1));
    if (first === undefined) return;
    yield first.stored;
    heads = [...(await headOf(first.shard)), ...others];
  }
}

async function headOf(shard: AsyncGenerator<Stored>) {
  const { done, value } = await shard.next();
  return done === true ? [] : [{ shard, stored: value }];
}

/** A partition is read in parts that make up a page together, so that little is read in vain. */
async function* readShard(
  table: Table,
  tenantId: string,
  shard: number,
  { from, until, limit }: Range,
): AsyncGenerator<Stored> {
  if (from >= until) return;
  const pages = queryPages(table, {
    KeyConditionExpression: "PK = :pk AND SK BETWEEN :from AND :until",
    ExpressionAttributeValues: { ":pk": keysOf(tenantId).event(shard, "").PK, ":from": from, ":until": until },
    ProjectionExpression: "SK, doc",
    ConsistentRead: true,
    Limit: Math.ceil(limit / EVENT_SHARDS) + 2,
  });
  for await (const { Items = [] } of pages) {
    for (const item of Items) yield { place: String(item["SK"]), changes: fromDoc<StatusChange[]>(item) };
  }
}
