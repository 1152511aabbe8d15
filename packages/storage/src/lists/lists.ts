import { randomUUID } from "node:crypto";
import type { Failure } from "@intents/domain/failure.ts";
import type { ListQuery } from "@intents/domain/lists/query.ts";
import type { ListKind, listResources } from "@intents/domain/lists/resources.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { readCounts } from "../table/counters.ts";
import type { Key } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { bookmarksOf, findStanding, keepPlaces, type Place, type Reader, type Standing } from "./bookmarks.ts";
import { type Meter, openMeters, type Reads, TooMuch } from "./meter.ts";
import { cutPage, type Found, readInOrder, readSorted } from "./page.ts";
import { type Counts, countedIn, DEEP_SKIP, type Plan, planCount, planList } from "./plan.ts";
import { populate } from "./population.ts";
import { EVERYTHING, isEmpty, within } from "./range.ts";
import { countEntries } from "./read.ts";
import { LISTS_MAX, type Scope, scopeOf, tooMuchOf } from "./scope.ts";

/** An item as callers see it, before a projection. */
type ItemOf<Kind extends ListKind> = ReturnType<(typeof listResources)[Kind]["toItem"]>;

export type Page<Item> = Readonly<{
  items: readonly Item[];
  hasMore: boolean;
  total: number;
  explain?: Explanation;
}>;

/** The way in which a page was read, for a caller who wants to know the cost of a query. */
export type Explanation = Readonly<{
  index: Plan["index"];
  partitions: number;
  order: "index" | "memory";
  /** The number of records that a bookmark let the page skip unread. */
  bookmark?: number;
  total: Scope["totalFrom"];
  /** The reads of the page itself, of its total, and of populated references. */
  reads: Readonly<Record<"page" | "total" | "population", Reads>>;
  /** The parts of the filter that were removed as if never sent. */
  stripped: readonly string[];
}>;

export type ListOptions = Readonly<{
  /** The caller who reads through the pages; without one no bookmark is read or kept. */
  reader?: Reader;
  isExplained?: boolean;
}>;

/**
 * One page of a tenant's records, exactly as MongoDB would find it among the items that callers see. A query that would
 * read more than its budget is refused with `shape`, and told what to narrow (H33).
 */
export async function listRecords<Kind extends ListKind>(
  table: Table,
  tenantId: string,
  kind: Kind,
  query: ListQuery,
  options: ListOptions = {},
): Promise<Result<Page<ItemOf<Kind>>, Failure>> {
  try {
    return ok((await readPage(table, tenantId, kind, query, options)) as Page<ItemOf<Kind>>);
  } catch (error) {
    if (error instanceof TooMuch) return fail({ kind: "shape", problems: [tooMuchOf(kind, query)] });
    throw error;
  }
}

async function readPage(
  table: Table,
  tenantId: string,
  kind: ListKind,
  query: ListQuery,
  { reader, isExplained = false }: ListOptions,
): Promise<Page<object>> {
  const openMeter = openMeters(isExplained);
  const meters = { page: openMeter(), total: openMeter(), population: openMeter() };
  const main = meters.page.metered(table);
  const scope = scopeOf(tenantId, kind, query);
  const bookmarks =
    reader === undefined || scope.order === undefined
      ? undefined
      : { reader, toKey: bookmarksOf(tenantId, reader, kind, query) };
  const counting = readAllCounts(meters.total.metered(table), tenantId, scope);
  // The count is awaited below; should the page fail first, a failing count must not be an unhandled rejection.
  counting.catch(() => undefined);
  const standing = await findStart(bookmarks, query, meters.page);
  const { place } = standing;
  const needsAll = scope.order === undefined || scope.totalFrom === "records";
  const passed = needsAll ? undefined : query.skip - (place?.skip ?? 0);
  const needsCounts = scope.isFaceted || (scope.hasFacets && (passed ?? 0) >= DEEP_SKIP);
  const plan = planList(
    tenantId,
    needsAll ? scope : scopeFrom(scope, place),
    needsCounts ? await counting : undefined,
    passed,
  );
  const reading = { table: main, kind, query, scope, plan };
  const [found, counted] = await Promise.all([
    scope.order === undefined ? readSorted(reading) : readInOrder(reading, place, passed),
    countTotal(meters.total.metered(table), tenantId, scope, counting),
  ]);

  const populated = await populate(meters.population.metered(table), tenantId, found.items, query.population);
  const items = query.population.length === 0 ? populated : cutPage(populated);
  const isCut = items.length < populated.length;
  if (bookmarks !== undefined && !isCut) await keepBookmarks(bookmarks, standing, query, found);
  return {
    items,
    hasMore: found.hasMore || isCut,
    total: counted ?? found.matched,
    ...(isExplained && { explain: explain(scope, plan, query, place, meters) }),
  };
}

/** The counters of each list, where the plan or the total needs them. */
async function readAllCounts(table: Table, tenantId: string, { lists, totalFrom, isFaceted }: Scope): Promise<Counts> {
  if ((totalFrom === "records" && !isFaceted) || lists.length > LISTS_MAX) return [];
  return Promise.all(
    lists.map(({ counter }) => (counter === undefined ? new Map() : readCounts(table, tenantId, counter))),
  );
}

async function countTotal(
  table: Table,
  tenantId: string,
  scope: Scope,
  counting: Promise<Counts>,
): Promise<number | undefined> {
  if (scope.totalFrom === "records") return undefined;
  const counts = await counting;
  if (scope.totalFrom === "counters") return countedIn(tenantId, scope, counts);
  return countEntries({ table, plan: planCount(tenantId, scope, counts), pushed: [] });
}

type Bookmarks = Readonly<{ reader: Reader; toKey: (skip: number) => Key }>;

/** A page at skip 0 begins a generation; every other one continues where the reader stands. */
async function findStart(bookmarks: Bookmarks | undefined, { skip }: ListQuery, { metered }: Meter): Promise<Standing> {
  if (bookmarks === undefined || skip === 0) return { generation: randomUUID() };
  const { reader, toKey } = bookmarks;
  return findStanding({ ...reader, windows: metered(reader.windows) }, toKey, skip);
}

/** The part of a scope at a place and behind it. */
function scopeFrom(scope: Scope, place: Place | undefined): Scope {
  if (place === undefined) return scope;
  const rest = scope.order === "up" ? { ...EVERYTHING, from: place.sortKey } : { ...EVERYTHING, to: place.sortKey };
  return { ...scope, ranges: scope.ranges.map((range) => within([range, rest])).filter((range) => !isEmpty(range)) };
}

/** Keeps the place where the reading began, so that new records in front shift nothing, and at depth its present place. */
async function keepBookmarks(
  { reader, toKey }: Bookmarks,
  { generation }: Standing,
  { skip }: ListQuery,
  { items, first, next }: Found,
): Promise<void> {
  const end = skip + items.length;
  const places = [
    // A list that fits on one page keeps it too, which ends earlier bookmarks, whose places would miss newer records.
    ...(skip === 0 && first !== undefined ? [{ skip: 0, sortKey: first }] : []),
    ...(end >= DEEP_SKIP && next !== undefined ? [{ skip: end, sortKey: next }] : []),
  ];
  if (places.length > 0) await keepPlaces(reader, toKey, generation, places);
}

function explain(
  scope: Scope,
  plan: Plan,
  { stripped }: ListQuery,
  place: Place | undefined,
  { page, total, population }: Record<"page" | "total" | "population", { reads: Reads }>,
): Explanation {
  return {
    index: plan.index,
    partitions: plan.lanes.length,
    order: scope.order === undefined ? "memory" : "index",
    ...(place !== undefined && { bookmark: place.skip }),
    total: scope.totalFrom,
    reads: { page: page.reads, total: total.reads, population: population.reads },
    stripped,
  };
}
