import type { Failure } from "@intents/domain/failure.ts";
import type { ListQuery } from "@intents/domain/lists/query.ts";
import type { ListKind, listResources } from "@intents/domain/lists/resources.ts";
import type { PlaceInOrder } from "@intents/domain/lists/sort.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { readCounts } from "../table/counters.ts";
import type { Table } from "../table/table.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { openMeters, type Reads, TooMuch } from "./meter.ts";
import { cutPage, readInOrder, readSorted } from "./page.ts";
import { type Counts, countedIn, type Plan, planKeys, planList } from "./plan.ts";
import { populate } from "./population.ts";
import { behind, EVERYTHING, isEmpty, NOTHING, type Range, sortKeyOf, within } from "./range.ts";
import { countEntries, sortKeyAt } from "./read.ts";
import { LISTS_MAX, type Scope, scopeOf, tooMuchOf } from "./scope.ts";

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
  const behind = query.cursor === undefined ? undefined : readCursor({ tenantId, kind, query }, query.cursor);
  if (query.cursor !== undefined && behind === undefined) return fail({ kind: "shape", problems: [FOREIGN_CURSOR] });
  try {
    return ok((await readPage(table, tenantId, kind, { query, behind, isExplained })) as Page<ItemOf<Kind>>);
  } catch (error) {
    if (error instanceof TooMuch) return fail({ kind: "shape", problems: [tooMuchOf(kind, query)] });
    throw error;
  }
}

const FOREIGN_CURSOR =
  "cursor must be the nextCursor of an earlier page with the same filter and sort, as it was given: leave it out to begin anew";

type Asked = Readonly<{ query: ListQuery; behind: PlaceInOrder | undefined; isExplained: boolean }>;

async function readPage(
  table: Table,
  tenantId: string,
  kind: ListKind,
  { query, behind: cursor, isExplained }: Asked,
): Promise<Page<object>> {
  const openMeter = openMeters(isExplained);
  const meters = { page: openMeter(), total: openMeter(), population: openMeter() };
  const main = meters.page.metered(table);
  const scope = scopeOf(tenantId, kind, query);
  const counting = readAllCounts(meters.total.metered(table), tenantId, scope);
  // The count is awaited below; should the page fail first, a failing count must not be an unhandled rejection.
  counting.catch(() => undefined);
  const needsAll = scope.order === undefined || scope.totalFrom === "records";
  const skipsKeys = !needsAll && scope.isExact && query.skip >= KEYS_FROM_SKIP;
  const rest = skipsKeys
    ? await restBehindSkipped(main, tenantId, scope, await counting, query.skip)
    : restBehind(kind, scope, cursor);
  const counts = scope.isFaceted ? await counting : undefined;
  const plan = planList(tenantId, needsAll ? scope : scopeWithin(scope, rest), counts, needsAll);
  const reading = { table: main, kind, query, scope, plan, skip: skipsKeys ? 0 : query.skip };
  const [found, counted] = await Promise.all([
    scope.order === undefined ? readSorted(reading, cursor) : readInOrder(reading, rest, needsAll),
    countTotal(meters.total.metered(table), tenantId, scope, counting),
  ]);

  const populated = await populate(meters.population.metered(table), tenantId, found.items, query.population);
  const items = query.population.length === 0 ? populated : cutPage(populated);
  const hasMore = found.hasMore || items.length < populated.length;
  const last = hasMore ? found.places[items.length - 1] : undefined;
  return {
    items,
    hasMore,
    ...(last !== undefined && { nextCursor: writeCursor({ tenantId, kind, query }, last) }),
    total: counted ?? found.matched,
    ...(isExplained && { explain: explain(scope, plan, query, meters) }),
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
  return countEntries({ table, plan: planKeys(tenantId, scope, counts), pushed: [] });
}

/** All that comes behind the place of a cursor, in the order of the index. */
function restBehind(kind: ListKind, { order }: Scope, place: PlaceInOrder | undefined): Range {
  const key = place === undefined ? undefined : sortKeyOf(kind, place.at(-1));
  return key === undefined || order === undefined ? EVERYTHING : behind(key, order);
}

/** All that comes behind the first `skip` matches, which are found by their keys. */
async function restBehindSkipped(
  table: Table,
  tenantId: string,
  scope: Scope,
  counts: Counts,
  skip: number,
): Promise<Range> {
  const key = await sortKeyAt({ table, plan: planKeys(tenantId, scope, counts), pushed: [] }, skip);
  return key === undefined || scope.order === undefined ? NOTHING : behind(key, scope.order);
}

/** The part of a scope that lies in a range. */
const scopeWithin = (scope: Scope, rest: Range): Scope => ({
  ...scope,
  ranges: scope.ranges.map((range) => within([range, rest])).filter((range) => !isEmpty(range)),
});

function explain(
  scope: Scope,
  plan: Plan,
  { stripped }: ListQuery,
  { page, total, population }: Record<"page" | "total" | "population", { reads: Reads }>,
): Explanation {
  return {
    index: plan.index,
    partitions: plan.lanes.length,
    order: scope.order === undefined ? "memory" : "index",
    total: scope.totalFrom,
    reads: { page: page.reads, total: total.reads, population: population.reads },
    stripped,
  };
}
