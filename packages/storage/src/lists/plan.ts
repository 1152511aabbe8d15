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

/** From this skip on, keys are read instead of the skipped records, and bookmarks are kept (H31). */
export const DEEP_SKIP = 200;
/** Fetching a record by its key costs about as much as reading this many of them in a row. */
const FETCH_COST = 2;

/** The counts of each list of a scope, by count key. */
export type Counts = readonly ReadonlyMap<string, number>[];

/**
 * Chooses between the lists themselves and their facets. `counts` are needed for facets only; `passed` is how many
 * matches lie before the page, and undefined when all of them have to be looked at.
 */
export function planList(tenantId: string, scope: Scope, counts: Counts | undefined, passed: number | undefined): Plan {
  const { kind, isOwned, lists, ranges, isExact, isFaceted, hasFacets, order } = scope;
  const isForward = order === "up";
  const facets = facetsOf(tenantId, scope, counts);
  const admitted = facets.filter(({ isAdmitted }) => isAdmitted);
  const isKnown = hasFacets && counts?.length === lists.length;
  const isNarrower =
    passed === undefined
      ? recordsIn(admitted) * FETCH_COST <= recordsIn(facets) && admitted.length < facets.length
      : admitted.length < facets.length || passed >= DEEP_SKIP;
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

/** A plan that reads the keys of all matches, to count them. It holds only where the lanes are tight. */
export function planCount(tenantId: string, scope: Scope, counts: Counts): Plan {
  const admitted = facetsOf(tenantId, scope, counts).filter(({ isAdmitted }) => isAdmitted);
  const lanes = lanesOf(admitted, scope.ranges);
  const index = scope.isOwned ? "byOwnerFacet" : "byFacet";
  return { index, lanes, isForward: true, isKeysOnly: true, isTight: true };
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
