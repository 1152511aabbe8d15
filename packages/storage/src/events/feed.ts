import { type ChangeEvents, changeEvents, type StatusChange } from "@intents/domain/events/status-change.ts";
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
/**
 * For a page of one type each partition is read once, for so many changes, however few are of that type: the page tells
 * from where to look on. They are under 1 KB each: 100 read units at most, and about half as a rule.
 */
export const LOOKED_AT = 100;
/** Clocks of callers may be ahead by so much. Later times are no place yet: whoever waits there would miss what happens. */
const AHEAD_MS_MAX = 60_000;

/**
 * An event as callers see it. Its id is the cursor to go on from behind it; `externalId` is the tenant's own id of the
 * payment that it is about.
 */
export type Event = Readonly<{ id: string; time: string; externalId?: string }> & ChangeEvents;

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
  const begun = beginAt(tenantId, after, nowMs);
  if (!begun.ok) return begun;
  const until = timeOf(nowMs - SETTLED_AFTER_MS);
  const items: Event[] = [];
  let behind = begun.value;
  const part = Math.ceil(limit / EVENT_SHARDS) + 2;
  const range = {
    from: behind.place,
    until,
    ...(wanted === undefined ? { part } : { part: Math.max(part, LOOKED_AT), once: true }),
  };
  const page = (hasMore: boolean) => ok({ items, hasMore, nextCursor: writeCursor(tenantId, behind) });
  for await (const { place, changes, own } of readChanges(table, tenantId, range)) {
    if (changes === undefined) return page(true);
    const known = place === behind.place ? behind.count : 0;
    for (const [index, { type, resource, status }] of changeEvents(changes).entries()) {
      const isWanted = wanted === undefined || wanted === type || wanted === resource.type;
      if (index < known) continue;
      if (isWanted && items.length === limit) return page(true);
      behind = { place, count: index + 1 };
      if (isWanted)
        items.push({ id: writeCursor(tenantId, behind), type, time: dateOf(place), resource, status, ...own });
    }
  }
  // A caller may be ahead of what is settled.
  if (behind.place < until) behind = { place: until, count: 0 };
  return page(false);
}

/** An event with the place behind it. */
export type Placed = Readonly<{ event: Event; after: After }>;

/**
 * A tenant's events behind a place and before another, some of them possibly so young that others may still come to stand
 * before them; at most so many, and whether there are more.
 */
export async function readUnsettled(
  table: Table,
  tenantId: string,
  behind: After,
  limit: number,
  until: string,
): Promise<Readonly<{ events: readonly Placed[]; hasMore: boolean }>> {
  const events: Placed[] = [];
  const range = { from: behind.place, until, part: Math.ceil(limit / EVENT_SHARDS) + 2 };
  for await (const { place, changes = [], own } of readChanges(table, tenantId, range)) {
    const known = place === behind.place ? behind.count : 0;
    for (const [index, change] of changeEvents(changes).entries()) {
      if (index < known) continue;
      if (events.length === limit) return { events, hasMore: true };
      const after = { place, count: index + 1 };
      const id = writeCursor(tenantId, after);
      const { type, resource, status } = change;
      events.push({ after, event: { id, type, time: dateOf(place), resource, status, ...own } });
    }
  }
  return { events, hasMore: false };
}

/** The place behind everything that has happened, whatever clock dated it. */
export const upToNow = (nowMs: number): string => timeOf(nowMs + MARGIN_MS);

/** The place behind everything that no event can come to stand before any more. */
export const settledAt = (nowMs: number): After => placeAt(nowMs - SETTLED_AFTER_MS);

/** The place before what happens from a moment on. */
export const placeAt = (atMs: number): After => ({ place: timeOf(atMs), count: 0 });

/** The place before everything that is kept. */
export const oldestAt = (nowMs: number): After => placeAt(nowMs - EVENTS_KEPT_MS);

/** The place to begin at. */
function beginAt(tenantId: string, after: string | undefined, nowMs: number): Result<After, ShapeFailure> {
  const oldestMs = nowMs - EVENTS_KEPT_MS;
  const oldest = { place: timeOf(oldestMs), count: 0 };
  if (after === undefined) return ok(oldest);
  const place = readCursor(tenantId, after) ?? readTime(after);
  const wrong = (is: string, goOn = "go on without after, from the oldest event that is kept") =>
    fail({ kind: "shape", problems: [`after ${is}: ${goOn}`] } as const);
  if (place === undefined) return wrong("must be the id of an event of yours, a nextCursor of this list, or a time");
  if (place.place > timeOf(nowMs + AHEAD_MS_MAX))
    return wrong("must not lie in the future", `go on with after=${new Date(nowMs).toISOString()}`);
  return place.place < oldest.place ? wrong("must lie within the last 30 days") : ok(place);
}

function readTime(after: string): After | undefined {
  const ms = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(after) ? Date.parse(after) : Number.NaN;
  return Number.isNaN(ms) || ms < 0 ? undefined : { place: timeOf(ms), count: 0 };
}

/** A change; without changes, the place behind which there may be more that is not read. */
type Stored = Readonly<{ place: string; changes: readonly StatusChange[] | undefined; own?: OwnId }>;
type OwnId = Readonly<{ externalId?: string }>;
/** From one place, included, to before another; read by parts of so many changes, or one such part of each partition. */
type Range = Readonly<{ from: string; until: string; part: number; once?: boolean }>;

/** All changes of a range in their order: those of all partitions, merged. */
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
  { from, until, part, once = false }: Range,
): AsyncGenerator<Stored> {
  if (from >= until) return;
  const pages = queryPages(table, {
    KeyConditionExpression: "PK = :pk AND SK BETWEEN :from AND :until",
    ExpressionAttributeValues: { ":pk": keysOf(tenantId).event(shard, "").PK, ":from": from, ":until": until },
    ProjectionExpression: "SK, doc, externalId",
    ConsistentRead: true,
    Limit: part,
  });
  for await (const { Items = [], LastEvaluatedKey: last } of pages) {
    for (const { SK, doc, externalId } of Items) {
      const own: OwnId = externalId === undefined ? {} : { externalId: String(externalId) };
      yield { place: String(SK), changes: fromDoc<StatusChange[]>({ doc }), own };
    }
    if (once && last !== undefined) return yield { place: String(last["SK"]), changes: undefined };
  }
}
