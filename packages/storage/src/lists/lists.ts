import type { Failure } from "@intents/domain/failure.ts";
import type { ListQuery } from "@intents/domain/lists/query.ts";
import type { ListKind, listResources } from "@intents/domain/lists/resources.ts";
import type { PlaceInOrder } from "@intents/domain/lists/sort.ts";
import { once } from "@intents/domain/once.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { listReviews } from "../reviews/reviews.ts";
import { readCounts } from "../table/counters.ts";
import type { Table } from "../table/table.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { openMeters, type Reads, TooMuch } from "./meter.ts";
import { cutPage, type Found, type Reviews, readInOrder, readSorted } from "./page.ts";
import { type Counts, chooseOrder, countedIn, type Plan, planChanges, planKeys, planList } from "./plan.ts";
import { populate } from "./population.ts";
import {
  behind,
  changeKeyOf,
  EVERYTHING,
  isEmpty,
  isEverything,
  NOTHING,
  type Range,
  sortKeyOf,
  within,
} from "./range.ts";
import { countEntries, sortedBy, sortKeyAt } from "./read.ts";
import {
  asksForReviews,
  isByChange,
  LISTS_MAX,
  narrowedBy,
  type Scope,
  type SortedBy,
  scopeOf,
  tooMuchOf,
} from "./scope.ts";

/** An item as callers see it, before a projection. */
type ItemOf<Kind extends ListKind> = ReturnType<(typeof listResources)[Kind]["toItem"]>;

export type Page<Item> = Readonly<{
  items: readonly Item[];
  hasMore: boolean;
  /** Where the next page begins, if there is one. */
  nextCursor?: string;
  total: number;
  explain?: Explanation;
}>;

/** The way in which a page was read, for a caller who wants to know the cost of a query. */
export type Explanation = Readonly<{
  index: Plan["index"];
  partitions: number;
  order: "index" | "memory";
  total: Scope["totalFrom"];
  /** The reads of the page itself, of its total, and of populated references. */
  reads: Readonly<Record<"page" | "total" | "population", Reads>>;
  /** The parts of the filter that were removed as if never sent. */
  stripped: readonly string[];
}>;

/** From so many skipped records on, their keys are read instead of them. */
const KEYS_FROM_SKIP = 200;

/**
 * One page of a tenant's records, exactly as MongoDB would find it among the items that callers see. Refused with `shape`
 * are a cursor that was not given for this very list, and a query that would read more than its budget (H33).
 */
export async function listRecords<Kind extends ListKind>(
  table: Table,
  tenantId: string,
  kind: Kind,
  query: ListQuery,
  { isExplained = false } = {},
): Promise<Result<Page<ItemOf<Kind>>, Failure>> {
  const list = { tenantId, kind, query };
  const place = query.cursor === undefined ? undefined : readCursor(list, query.cursor);
  if (query.cursor !== undefined && place === undefined) return fail({ kind: "shape", problems: [FOREIGN_CURSOR] });
  try {
    return ok((await readPage(table, list, place, isExplained)) as Page<ItemOf<Kind>>);
  } catch (error) {
    if (error instanceof TooMuch) return fail({ kind: "shape", problems: [tooMuchOf(kind, query)] });
    throw error;
  }
}

const FOREIGN_CURSOR =
  "cursor must be the nextCursor of an earlier page with the same filter and sort, as it was given: leave it out to begin anew";

/** A list as a tenant asks for it. */
type List = Readonly<{ tenantId: string; kind: ListKind; query: ListQuery }>;

/** The page behind a place: planned, read beside its total, and its references populated. */
async function readPage(
  table: Table,
  list: List,
  place: PlaceInOrder | undefined,
  isExplained: boolean,
): Promise<Page<object>> {
  const openMeter = openMeters(isExplained);
  const meters = { page: openMeter(), total: openMeter(), population: openMeter() };
  const main = meters.page.metered(table);
  // Reviews are read beside the page; only a filter on them waits.
  const reviews: Promise<Reviews> =
    list.kind === "INTENT" ? listReviews(main, list.tenantId) : Promise.resolve(new Map());
  reviews.catch(() => undefined);
  const scope = await findScope(list, reviews);
  const tally = openTally(meters.total.metered(table), list.tenantId, scope);
  const { plan, rest, skip, isInOrder, needsAll } = await planPage(main, tally, list, scope, place);
  const reading = { table: main, ...list, plan, reviews, skip };
  const [found, total] = await Promise.all([
    isInOrder ? readInOrder(reading, rest, needsAll) : readSorted(reading, place),
    tally.total(),
  ]);
  const { items, hasMore } = await populatePage(meters.population.metered(table), list, found);
  const last = hasMore ? found.places[items.length - 1] : undefined;
  return {
    items,
    hasMore,
    ...(last !== undefined && { nextCursor: writeCursor(list, last) }),
    total: total ?? found.matched,
    ...(isExplained && { explain: explain(scope, plan, list.query, meters) }),
  };
}

/** The items with the records that their references name, as far as one answer holds them. */
async function populatePage(
  table: Table,
  { tenantId, query: { population } }: List,
  { items, hasMore }: Found,
): Promise<Pick<Page<object>, "items" | "hasMore">> {
  if (population.length === 0) return { items, hasMore };
  const populated = await populate(table, tenantId, items, population);
  const cut = cutPage(populated);
  return { items: cut, hasMore: hasMore || cut.length < populated.length };
}

/** The scope of a query; one that asks for reviews is narrowed by them. */
const findScope = async ({ tenantId, kind, query }: List, reviews: Promise<Reviews>): Promise<Scope> =>
  scopeOf(tenantId, kind, asksForReviews(query) ? narrowedBy(await reviews, query) : query);

type PagePlan = Readonly<{
  plan: Plan;
  /** The part of the requested order behind the cursor, or behind the skipped records. */
  rest: Range;
  /** Records that are skipped one by one. */
  skip: number;
  /** Whether the plan reads in the order that was asked for. */
  isInOrder: boolean;
  /** Whether all records of the scope are looked at: to sort them, or to count the matches. */
  needsAll: boolean;
}>;

/** Plans the reads of a page: their order, their beginning and their keys. */
async function planPage(
  table: Table,
  tally: Tally,
  { tenantId, kind, query }: List,
  scope: Scope,
  place: PlaceInOrder | undefined,
): Promise<PagePlan> {
  const order = await orderToRead(tenantId, scope, tally, query);
  const isInOrder = scope.order?.by === order;
  const needsAll = !isInOrder || scope.totalFrom === "records";
  const skipsKeys = !needsAll && scope.isExactBy[order] && query.skip >= KEYS_FROM_SKIP;
  const keys = async () =>
    order === "changeSK" ? planChanges(scope) : planKeys(tenantId, scope, await tally.counts());
  const rest = skipsKeys
    ? await restBehindSkipped(table, scope, await keys(), query.skip)
    : restBehind(kind, scope, place);
  const part = needsAll ? scope : scopeWithin(scope, rest);
  const counts = scope.isFaceted ? await tally.counts() : undefined;
  const plan = order === "changeSK" ? planChanges(part) : planList(tenantId, part, counts);
  return { plan, rest, skip: skipsKeys ? 0 : query.skip, isInOrder, needsAll };
}

/** The counters of a scope and the keys of its changes; each is read once, when it is needed. */
type Tally = Readonly<{
  counts: () => Promise<Counts>;
  changed: () => Promise<number | undefined>;
  /** The number of matches; undefined where all records are looked at for it. */
  total: () => Promise<number | undefined>;
}>;

function openTally(table: Table, tenantId: string, scope: Scope): Tally {
  const counts = once(() => readAllCounts(table, tenantId, scope));
  const countKeys = (plan: Plan) => countEntries({ table, plan });
  const isRange = scope.changes !== undefined && !isEverything(scope.changes.range);
  const changed = once(async () => (isRange ? await countKeys(planChanges(scope)) : undefined));
  const total = once(async () => {
    if (scope.totalFrom === "records") return undefined;
    if (scope.totalFrom === "counters") return countedIn(tenantId, scope, await counts());
    return scope.isExactBy.listSK ? countKeys(planKeys(tenantId, scope, await counts())) : changed();
  });
  // The total is awaited after the page; should the page fail first, a failing count must not be an unhandled rejection.
  total().catch(() => undefined);
  return { counts, changed, total };
}

/** The counters of each list. */
async function readAllCounts(table: Table, tenantId: string, { lists }: Scope): Promise<Counts> {
  if (lists.length > LISTS_MAX) return [];
  return Promise.all(
    lists.map(({ counter }) => (counter === undefined ? new Map() : readCounts(table, tenantId, counter))),
  );
}

/** The order to read in. Where a range of changes is the whole question, nothing has to be counted first. */
async function orderToRead(tenantId: string, scope: Scope, tally: Tally, query: ListQuery): Promise<SortedBy> {
  if (!isByChange(scope)) return "listSK";
  if (scope.order?.by === "changeSK" && scope.isExactBy.changeSK) return "changeSK";
  const [counts, changed] = await Promise.all([tally.counts(), tally.changed()]);
  return chooseOrder(tenantId, scope, { counts, changed }, query);
}

/** All that comes behind the place of a cursor, in the order of the index. */
function restBehind(kind: ListKind, { order }: Scope, place: PlaceInOrder | undefined): Range {
  if (place === undefined || order === undefined) return EVERYTHING;
  const id = place.at(-1);
  const key = order.by === "changeSK" ? changeKeyOf(kind, place[0], id) : sortKeyOf(kind, id);
  return key === undefined ? EVERYTHING : behind(key, order.direction);
}

/** All that comes behind the first `skip` matches, which are found by their keys. */
async function restBehindSkipped(table: Table, { order }: Scope, plan: Plan, skip: number): Promise<Range> {
  const key = await sortKeyAt({ table, plan }, skip);
  return key === undefined || order === undefined ? NOTHING : behind(key, order.direction);
}

/** The part of a scope that lies in a range of the order that was asked for. */
function scopeWithin(scope: Scope, rest: Range): Scope {
  const { changes, ranges, order } = scope;
  if (order?.by === "changeSK" && changes !== undefined) {
    return { ...scope, changes: { ...changes, range: within([changes.range, rest]) } };
  }
  return { ...scope, ranges: ranges.map((range) => within([range, rest])).filter((range) => !isEmpty(range)) };
}

function explain(
  scope: Scope,
  plan: Plan,
  { stripped }: ListQuery,
  { page, total, population }: Record<"page" | "total" | "population", { reads: Reads }>,
): Explanation {
  return {
    index: plan.index,
    partitions: plan.segments.length,
    order: sortedBy(plan) === scope.order?.by ? "index" : "memory",
    total: scope.totalFrom,
    reads: { page: page.reads, total: total.reads, population: population.reads },
    stripped,
  };
}
