import type { ListQuery } from "@intents/domain/lists/query.ts";
import { keysOf } from "../table/keys.ts";
import { around, isEmpty, type Range } from "./range.ts";
import { LISTS_MAX, type Scope, type Segment, type SortedBy } from "./scope.ts";

/** The indexes that lists are read from, and the attributes that are their keys (table-schema.ts). */
export const listIndexes = {
  byCreation: { partitionKey: "listPK", sortKey: "listSK" },
  byOwner: { partitionKey: "ownerPK", sortKey: "listSK" },
  byExternalId: { partitionKey: "externalPK", sortKey: "listSK" },
  byFacet: { partitionKey: "facetPK", sortKey: "listSK" },
  byOwnerFacet: { partitionKey: "ownerFacetPK", sortKey: "listSK" },
  byChange: { partitionKey: "listPK", sortKey: "changeSK" },
} as const satisfies Record<string, Readonly<{ partitionKey: string; sortKey: SortedBy }>>;

/** How the records that can match are read: from one index, segment by segment, merged by their sort keys. */
export type Plan = Readonly<{
  index: keyof typeof listIndexes;
  segments: readonly Segment[];
  isForward: boolean;
  /** All entries of the segments match, except those that have changed since the index was written. */
  isTight: boolean;
}>;

/** The counts of each list of a scope, by count key. */
export type Counts = readonly ReadonlyMap<string, number>[];

/** Facts about a scope before its records are read: their counts, and the number in its range of changes. */
export type Known = Readonly<{ counts: Counts; changed: number | undefined }>;

/**
 * Chooses between the order of ids and that of changes by the records that each would have to read for a page: all of
 * them where the total or the order asks for it, else as many as are likely to hold so many matches.
 */
export function chooseOrder(
  tenantId: string,
  scope: Scope,
  { counts, changed }: Known,
  { skip, limit }: Pick<ListQuery, "skip" | "limit">,
): SortedBy {
  const { index, lists, ranges, totalFrom, order } = scope;
  const wanted = skip + limit + 1;
  const facets = facetsOf(tenantId, scope, counts);
  const isKnown = counts.length === lists.length && lists.length * ranges.length <= LISTS_MAX;
  const counted = isKnown ? recordsIn(facets) : Number.POSITIVE_INFINITY;
  const all = ranges.every(({ from, to }) => from === to) ? Math.min(ranges.length, counted) : counted;
  const admitted = isKnown ? Math.min(all, recordsIn(facets.filter(({ isAdmitted }) => isAdmitted))) : all;
  const inRange = changed ?? (index === "byCreation" ? counted : Number.POSITIVE_INFINITY);
  const matches = Math.max(1, Math.min(admitted, inRange));
  const costOf = (by: SortedBy, records: number): number => {
    if (records === Number.POSITIVE_INFINITY) return records;
    if (order?.by === by && totalFrom !== "records") return Math.min(records, (wanted * records) / matches);
    // A page that was sorted in memory is fetched once more.
    return records + (order?.by === by ? 0 : Math.min(limit, matches));
  };
  return costOf("changeSK", inRange) < costOf("listSK", admitted) ? "changeSK" : "listSK";
}

/** The plan that reads a range of changes. */
export const planChanges = ({ changes, isExactBy, order }: Scope): Plan => ({
  index: "byChange",
  segments: changes === undefined || isEmpty(changes.range) ? [] : [changes],
  isForward: order?.direction === "up",
  isTight: isExactBy.changeSK,
});

/** Chooses between the lists themselves and their facets, for which alone `counts` are needed. */
export function planList(tenantId: string, scope: Scope, counts: Counts | undefined): Plan {
  const { kind, index, lists, ranges, isExactBy, isFaceted, hasFacets, order } = scope;
  const isExact = isExactBy.listSK;
  const isForward = order?.direction === "up";
  const facets = facetsOf(tenantId, scope, counts);
  const admitted = facets.filter(({ isAdmitted }) => isAdmitted);
  const isKnown = hasFacets && counts?.length === lists.length;
  if (isKnown && admitted.length < facets.length && admitted.length * ranges.length <= LISTS_MAX) {
    const segments = segmentsOf(admitted, ranges);
    return { index: facetIndexOf(index), segments, isForward, isTight: isExact };
  }
  const isTight = isExact && (isKnown ? admitted.length === facets.length : !isFaceted);
  if (lists.length * ranges.length <= LISTS_MAX) {
    const listSegments = segmentsOf(lists, ranges);
    return { index, segments: listSegments, isForward, isTight };
  }
  const whole = { partition: keysOf(tenantId).list(kind) };
  return { index: "byCreation", segments: segmentsOf([whole], [around(ranges)]), isForward, isTight: false };
}

/**
 * A plan that reads the keys of all matches, to count or to skip them: from the facets, or from the lists of a kind that
 * has none. It holds only where lists, ranges and facets are exact.
 */
export function planKeys(tenantId: string, scope: Scope, counts: Counts): Plan {
  const { index, lists, ranges, hasFacets, order } = scope;
  const way = { isForward: order?.direction !== "down", isTight: true };
  if (!hasFacets) return { ...way, index, segments: segmentsOf(lists, ranges) };
  const admitted = facetsOf(tenantId, scope, counts).filter(({ isAdmitted }) => isAdmitted);
  return { ...way, index: facetIndexOf(index), segments: segmentsOf(admitted, ranges) };
}

/** The index of the facets of lists that have some. */
const facetIndexOf = (index: Scope["index"]) => (index === "byOwner" ? "byOwnerFacet" : "byFacet");

/** The number of matches according to the counters. */
export const countedIn = (tenantId: string, scope: Scope, counts: Counts): number =>
  recordsIn(facetsOf(tenantId, scope, counts).filter(({ isAdmitted }) => isAdmitted));

type Facet = Readonly<{ partition: string; records: number; isAdmitted: boolean }>;

function facetsOf(tenantId: string, { lists, admits }: Scope, counts: Counts = []): Facet[] {
  return lists.flatMap(({ partition }, index) =>
    [...(counts[index] ?? [])].flatMap(([countKey, records]) =>
      records > 0
        ? [{ partition: keysOf(tenantId).facet(partition, countKey), records, isAdmitted: admits(countKey) }]
        : [],
    ),
  );
}

const recordsIn = (facets: readonly Facet[]): number => facets.reduce((sum, { records }) => sum + records, 0);

const segmentsOf = (lists: readonly Readonly<{ partition: string }>[], ranges: readonly Range[]): Segment[] =>
  lists.flatMap(({ partition }) => ranges.map((range) => ({ partition, range })));
