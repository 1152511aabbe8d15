import { compileFilter } from "@intents/domain/lists/filter.ts";
import type { Filter, ListQuery, SortKey } from "@intents/domain/lists/query.ts";
import { isEmbedded } from "@intents/domain/lists/value.ts";
import { childCounter, fromCountKey, INTENT_COUNTER, intentFacets } from "../intents/intents.ts";
import type { ExternallyNamed } from "../table/external-keys.ts";
import { keysOf, type Listed } from "../table/keys.ts";
import {
  type Bounds,
  boundsOf,
  changeBounds,
  dateBounds,
  idBounds,
  isEmpty,
  isEverything,
  type Range,
  sortKeyOf,
  within,
} from "./range.ts";

/** One partition of an index, and the counter of the records in it. */
export type List = Readonly<{ partition: string; counter?: string }>;

/** The sort key of an index of lists: the ids of its records, or their last changes. */
export type SortedBy = "listSK" | "changeSK";

/** The part of a query that keys, indexes and counters can answer; it is known before anything is read. */
export type Scope = Readonly<{
  kind: Listed;
  /** The index of the lists: all records by creation, those of a parent or an email address, or of a caller's own id. */
  index: "byCreation" | Owner["index"];
  lists: readonly List[];
  /** All matches lie in these ranges of ids. */
  ranges: readonly Range[];
  /** All matches lie in this range of changes of the whole list; undefined without an index of changes. */
  changes: Segment | undefined;
  /** Whether records that are counted under `countKey` can match. */
  admits: (countKey: string) => boolean;
  /** Some count keys are not admitted, so that the plan depends on the counters. */
  isFaceted: boolean;
  /** The lists have facet indexes, by count key. */
  hasFacets: boolean;
  /** Whether lists, ranges of ids and facets express the whole filter, and whether the range of changes does. */
  isExactBy: Readonly<Record<SortedBy, boolean>>;
  /** The source of the exact total: counters, a count of keys, or only a look at all records (H25, H26). */
  totalFrom: "counters" | "keys" | "records";
  /** The sort key and the direction that give the requested order; without them, records are sorted in memory. */
  order: Readonly<{ by: SortedBy; direction: "up" | "down" }> | undefined;
}>;
/** A range of one partition of an index. */
export type Segment = Readonly<{ partition: string; range: Range }>;

type Kind = Readonly<{
  /** The date that the ids of this kind begin with. */
  date: string;
  /** The date of the last change, of a kind whose records have one. */
  changed?: string;
  /** The other fields by which records are found. Of several that a filter names, the first here is used. */
  owners: readonly Owner[];
  /** The fields by which counters and facet indexes are split. */
  facets: readonly string[];
  /** The fields that make a query read less. */
  narrowBy: readonly string[];
}>;

/** A field each of whose values has a partition of an index. */
type Owner = Readonly<{
  path: string;
  index: "byOwner" | "byExternalId";
  isExact: boolean;
  toList: (tenantId: string, value: string) => List;
}>;

const byExternalId = (of: ExternallyNamed): Owner => ({
  path: of === "RECIPIENT" ? "recipients.externalId" : "externalId",
  index: "byExternalId",
  // A recipient's entry may be of an intent that was never stored.
  isExact: of !== "RECIPIENT",
  toList: (tenantId, externalId) => ({ partition: keysOf(tenantId).ofExternalId(of, externalId) }),
});
const byEmail = (kind: "STUDENT" | "PAYER"): Owner => ({
  path: "email",
  index: "byOwner",
  // The partition ignores case, the filter does not.
  isExact: false,
  toList: (tenantId, email) => ({ partition: keysOf(tenantId).byEmail(kind, email) }),
});
const plain = { date: "createdAt", owners: [], facets: [], narrowBy: ["createdAt"] };
const party = (kind: "STUDENT" | "PAYER"): Kind => ({
  ...plain,
  changed: "updatedAt",
  owners: [byExternalId(kind), byEmail(kind)],
  narrowBy: ["externalId", "email", "createdAt", "updatedAt"],
});

const kinds: Readonly<Record<Listed, Kind>> = {
  INTENT: {
    date: "createdAt",
    changed: "updatedAt",
    owners: [
      byExternalId("INTENT"),
      byExternalId("RECIPIENT"),
      {
        path: "createdFrom.paymentIntentId",
        index: "byOwner",
        isExact: true,
        toList: (tenantId, id) => ({ partition: keysOf(tenantId).children(id), counter: childCounter(id) }),
      },
    ],
    facets: intentFacets,
    narrowBy: [
      "externalId",
      "recipients.externalId",
      ...intentFacets,
      "createdFrom.paymentIntentId",
      "createdAt",
      "updatedAt",
    ],
  },
  STUDENT: party("STUDENT"),
  PAYER: party("PAYER"),
  PAYEE: plain,
  COMMISSION: { ...plain, date: "paymentDate", narrowBy: ["paymentDate"] },
  COMMISSION_REQUEST: { ...plain, date: "createdOn", narrowBy: ["createdOn"] },
};

/** More lists than this are neither merged nor counted one by one. */
export const LISTS_MAX = 100;
/** DynamoDB takes partition keys of 2,048 bytes; the difference is for the prefix of a counter's key. */
const PARTITION_BYTES_MAX = 2000;

export function scopeOf(tenantId: string, kind: Listed, { filter, sort }: Pick<ListQuery, "filter" | "sort">): Scope {
  const { changed, owners, facets } = kinds[kind];
  const all = conjunctsOf(filter).map((conjunct) => useOf(kind, conjunct));
  const owner = owners.find((one) => all.some(({ owned }) => owned?.owner === one));
  // Only one index is read: what another could answer is looked at.
  const uses = all.map((use) => (use.owned && use.owned.owner !== owner ? { ...use, isExact: false } : use));
  const facetTests = uses.flatMap(({ facet }) => (facet === undefined ? [] : [compileFilter(facet)]));
  const range = within(uses.flatMap((use) => use.range ?? []));
  const ids = uses.find((use) => use.ids !== undefined)?.ids;
  const isExactBy = {
    listSK: uses.every(({ isExact, changes }) => isExact && changes === undefined),
    changeSK: changed !== undefined && uses.every(({ isExact, changes }) => isExact && changes !== undefined),
  };
  const whole = keysOf(tenantId).list(kind);
  const lists =
    owner === undefined
      ? [{ partition: whole, counter: kind === "INTENT" ? INTENT_COUNTER : kind }]
      : valuesOfAll(owner, uses).map((value) => owner.toList(tenantId, value));
  const index = owner?.index ?? "byCreation";
  const isCounted =
    isExactBy.listSK && lists.length <= LISTS_MAX && lists.every(({ counter }) => counter !== undefined);
  // A record with two of the ids that are asked for would count twice.
  const isOneId = index === "byExternalId" && isExactBy.listSK && facetTests.length === 0 && lists.length <= 1;
  return {
    kind,
    index,
    lists: lists.filter(({ partition }) => Buffer.byteLength(partition) <= PARTITION_BYTES_MAX),
    changes:
      changed === undefined
        ? undefined
        : { partition: whole, range: within(uses.flatMap(({ changes }) => changes ?? [])) },
    ranges: (ids ?? [range]).map((one) => within([one, range])).filter((one) => !isEmpty(one)),
    admits: (countKey) => facetTests.every((test) => test(fromCountKey(countKey))),
    isFaceted: facetTests.length > 0,
    hasFacets: facets.length > 0 && index !== "byExternalId",
    isExactBy,
    totalFrom:
      isCounted && isEverything(range)
        ? "counters"
        : isExactBy.changeSK || isOneId || (isCounted && facets.length > 0)
          ? "keys"
          : "records",
    order: orderOf(kind, sort),
  };
}

/** Whether only a record under review can match: a condition on reviews does not hold where there is none. */
export const asksForReviews = ({ filter }: Pick<ListQuery, "filter">): boolean =>
  conjunctsOf(filter).some(
    (conjunct) =>
      pathsOf(conjunct).every((path) => path.split(".")[0] === "underReview") && !compileFilter(conjunct)({}),
  );

/** A query that asks for reviews, as the keys of the records under review narrow it. */
export function narrowedBy<Query extends Pick<ListQuery, "filter">>(
  reviews: ReadonlyMap<string, unknown>,
  query: Query,
): Query {
  return { ...query, filter: { $and: [query.filter, { id: { $in: [...reviews.keys()] } }] } };
}

/** Whether a query asks for records by their last change: in this order, or in a range of it. */
export const isByChange = ({ changes, order }: Scope): boolean =>
  changes !== undefined && (order?.by === "changeSK" || !isEverything(changes.range));

/** The refusal of a query that would read too much. */
export function tooMuchOf(kind: Listed, { filter, sort, skip, population }: ListQuery): string {
  const asked = [
    `filter on ${[...new Set(pathsOf(filter))].join(", ") || "nothing"}`,
    ...(sort.length > 0 ? [`sort by ${sort.map(({ path }) => path).join(", ")}`] : []),
    ...(skip > 0 ? [`skip ${skip}`] : []),
    ...(population.length > 0 ? [`population of ${population.map(({ path }) => path).join(", ")}`] : []),
  ];
  const [last, ...others] = kinds[kind].narrowBy.toReversed();
  const fields = [others.toReversed().join(", "), last].filter(Boolean).join(" or ");
  return `${asked.join(" with ")} would read too many records: narrow it by ${fields}`;
}

/** The conditions that must all hold. */
const conjunctsOf = (filter: Filter): Filter[] =>
  Object.entries(filter).flatMap(([key, operand]) =>
    key === "$and" ? (operand as Filter[]).flatMap(conjunctsOf) : [{ [key]: operand }],
  );

/** The use that can be made of one condition; exact when it expresses the whole condition. */
type Use = Readonly<{
  owned?: Readonly<{ owner: Owner; values: readonly string[] }>;
  ids?: readonly Range[];
  range?: Range;
  changes?: Range;
  facet?: Filter;
  isExact: boolean;
}>;

function useOf(kind: Listed, conjunct: Filter): Use {
  const { date, changed, owners, facets } = kinds[kind];
  const [[path, operand] = ["", undefined]] = Object.entries(conjunct);
  const named = valuesOf(operand);
  const isId = path === "id" || path === "_id";
  const owner = owners.find((one) => one.path === path);
  if (owner !== undefined && named?.values.every((value) => typeof value === "string")) {
    return { owned: { owner, values: named.values as string[] }, isExact: owner.isExact && named.isAll };
  }
  if (isId && named !== undefined) {
    // Records with these ids are looked up one by one, and counted so as well.
    const keys = named.values.flatMap((id) => sortKeyOf(kind, id) ?? []);
    return { ids: keys.map((key) => ({ from: key, to: key })), isExact: false };
  }
  if (isId || path === date) {
    const toBounds = (value: unknown): Bounds | undefined => (isId ? idBounds(kind, value) : dateBounds(kind, value));
    return boundsOf(operand, toBounds);
  }
  if (path === changed) {
    const { range, isExact } = boundsOf(operand, changeBounds);
    return { changes: range, isExact };
  }
  return facets.length > 0 && pathsOf(conjunct).every((name) => facets.includes(name))
    ? { facet: conjunct, isExact: true }
    : { isExact: false };
}

/** The only values for which a condition can hold, and whether it holds for all of them. */
function valuesOf(operand: unknown): { values: readonly (string | number)[]; isAll: boolean } | undefined {
  const condition = isEmbedded(operand) ? operand : { $eq: operand };
  const { $eq, $in } = condition;
  const values = Array.isArray($in) ? $in : "$eq" in condition ? [$eq] : undefined;
  const isScalar = (value: unknown) => typeof value === "string" || typeof value === "number";
  if (values?.every(isScalar) !== true) return undefined;
  return { values: [...new Set(values)], isAll: Object.keys(condition).length === 1 };
}

/** Every field that a filter names, at any depth of its logic. */
const pathsOf = (filter: Filter): string[] =>
  Object.entries(filter).flatMap(([key, operand]) =>
    key.startsWith("$") ? (operand as Filter[]).flatMap(pathsOf) : [key],
  );

/** The values of an owner that can match. A record may have several of those that are not exact, one for each condition. */
function valuesOfAll(owner: Owner, uses: readonly Use[]): readonly string[] {
  const [first = [], ...others] = uses.flatMap(({ owned }) => (owned?.owner === owner ? [owned.values] : []));
  return owner.isExact ? first.filter((value) => others.every((values) => values.includes(value))) : first;
}

/** The order of an index if the sort is by id, or by the date that its keys begin with and then by id. */
function orderOf(kind: Listed, [first, second]: readonly SortKey[]): Scope["order"] {
  if (first === undefined) return { by: "listSK", direction: "down" };
  const { date, changed } = kinds[kind];
  const isId = ({ path }: SortKey) => path === "id" || path === "_id";
  const follows = second === undefined || (isId(second) && second.descending === first.descending);
  const direction = first.descending ? "down" : "up";
  if (isId(first) || (first.path === date && follows)) return { by: "listSK", direction };
  return first.path === changed && follows ? { by: "changeSK", direction } : undefined;
}
