import { keysOf } from "../table/keys.ts";
import { around, type Range } from "./range.ts";
import { LISTS_MAX, type Scope } from "./scope.ts";

/** A range of one partition of an index. */
export type Lane = Readonly<{ partition: string; range: Range }>;

/** How the records that can match are read: from one index, lane by lane, merged by their sort keys. */
export type Plan = Readonly<{
  index: "byCreation" | "byOwner" | "byFacet" | "byOwnerFacet";
  lanes: readonly Lane[];
  isForward: boolean;
  /** The index holds keys alone; the records are fetched by them. */
  isKeysOnly: boolean;
  /** All entries of the lanes match, except those that have changed since the index was written. */
  isTight: boolean;
}>;

/** Fetching a record by its key costs about as much as reading this many of them in a row. */
const FETCH_COST = 2;

/** The counts of each list of a scope, by count key. */
export type Counts = readonly ReadonlyMap<string, number>[];

/**
 * Chooses between the lists themselves and their facets. `counts` are needed for facets only; `needsAll` says that all
 * matches have to be looked at, and not only those of a page.
 */
export function planList(tenantId: string, scope: Scope, counts: Counts | undefined, needsAll: boolean): Plan {
  const { kind, isOwned, lists, ranges, isExact, isFaceted, hasFacets, order } = scope;
  const isForward = order === "up";
  const facets = facetsOf(tenantId, scope, counts);
  const admitted = facets.filter(({ isAdmitted }) => isAdmitted);
  const isKnown = hasFacets && counts?.length === lists.length;
  const isNarrower =
    admitted.length < facets.length && (!needsAll || recordsIn(admitted) * FETCH_COST <= recordsIn(facets));
  if (isKnown && isNarrower && admitted.length * ranges.length <= LISTS_MAX) {
    const lanes = lanesOf(admitted, ranges);
    return { index: isOwned ? "byOwnerFacet" : "byFacet", lanes, isForward, isKeysOnly: true, isTight: isExact };
  }
  const isTight = isExact && (isKnown ? admitted.length === facets.length : !isFaceted);
  if (lists.length * ranges.length <= LISTS_MAX) {
    const lanes = lanesOf(lists, ranges);
    return { index: isOwned ? "byOwner" : "byCreation", lanes, isForward, isKeysOnly: false, isTight };
  }
  const whole = { partition: keysOf(tenantId).list(kind) };
  return {
    index: "byCreation",
    lanes: lanesOf([whole], [around(ranges)]),
    isForward,
    isKeysOnly: false,
    isTight: false,
  };
}

/**
 * A plan that reads the keys of all matches, to count or to skip them: from the facets, or from the lists of a kind that
 * has none. It holds only where the scope is exact.
 */
export function planKeys(tenantId: string, scope: Scope, counts: Counts): Plan {
  const { isOwned, lists, ranges, hasFacets, order } = scope;
  const way = { isForward: order !== "down", isKeysOnly: true, isTight: true };
  if (!hasFacets) return { ...way, index: isOwned ? "byOwner" : "byCreation", lanes: lanesOf(lists, ranges) };
  const admitted = facetsOf(tenantId, scope, counts).filter(({ isAdmitted }) => isAdmitted);
  return { ...way, index: isOwned ? "byOwnerFacet" : "byFacet", lanes: lanesOf(admitted, ranges) };
}

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

const lanesOf = (lists: readonly Readonly<{ partition: string }>[], ranges: readonly Range[]): Lane[] =>
  lists.flatMap(({ partition }) => ranges.map((range) => ({ partition, range })));
