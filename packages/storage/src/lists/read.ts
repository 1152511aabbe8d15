import type { QueryCommandInput } from "@aws-sdk/lib-dynamodb";
import type { Key } from "../table/keys.ts";
import { queryPages } from "../table/pages.ts";
import { findItems } from "../table/records.ts";
import type { Table } from "../table/table.ts";
import type { Lane, Plan } from "./plan.ts";
import { isEverything } from "./range.ts";
import type { Scope } from "./scope.ts";

/** An entry of an index: the whole item, or its keys. */
export type Entry = Key & Readonly<{ listSK: string; doc?: unknown }>;

/** Records are fetched by so many keys at a time, in batches as large as DynamoDB takes. */
const FETCH_MAX = 400;
const BATCH_MAX = 100;
/** A query asks for at least so many entries, because a few of them may have changed since the index was written. */
const ASKED_MIN = 10;

type ReadFrom = Readonly<{ table: Table; plan: Plan; pushed: Scope["pushed"] }>;

/** The items that can match, in the order of their index. A page needs `wanted` matches; without, all are needed. */
export async function* readEntries(walked: ReadFrom, wanted: number | undefined): AsyncGenerator<Entry[]> {
  const { table, plan } = walked;
  // Only where every entry matches is it known beforehand how many entries are enough.
  for await (const entries of merge(walked, plan.isTight ? wanted : undefined)) {
    if (!plan.isKeysOnly) yield entries;
    else for (const keys of chunksOf(entries, FETCH_MAX)) yield await fetchEntries(table, keys);
  }
}

/** The sort key of the `place`-th match, counted from 1, by keys alone; undefined when there are fewer. */
export async function sortKeyAt(walked: ReadFrom, place: number): Promise<string | undefined> {
  let left = place;
  for await (const entries of merge(walked, place)) {
    if (entries.length >= left) return entries[left - 1]?.listSK;
    left -= entries.length;
  }
  return undefined;
}

/** The items with these keys, in the order of the keys; items that have gone are left out. */
export async function fetchEntries(table: Table, keys: readonly Key[]): Promise<Entry[]> {
  const byKey = new Map<string, Entry>();
  for (const some of chunksOf(keys, FETCH_MAX)) {
    const batches = chunksOf(some, BATCH_MAX).map((batch) => batch.map(({ PK, SK }) => ({ PK, SK })));
    const items = await Promise.all(batches.map((batch) => findItems(table, batch, { isStrong: false })));
    for (const item of items.flat() as Entry[]) byKey.set(item.PK, item);
  }
  return keys.flatMap(({ PK }) => byKey.get(PK) ?? []);
}

const chunksOf = <Element>(all: readonly Element[], size: number): Element[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));

/** The number of entries in the lanes of a plan. */
export async function countEntries(walked: ReadFrom): Promise<number> {
  const counts = await Promise.all(
    walked.plan.lanes.map(async (lane) => {
      let count = 0;
      for await (const { Count = 0 } of queryLane(walked, lane, { Select: "COUNT" })) count += Count;
      return count;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

type Reading = {
  readonly lane: Lane;
  entries: Entry[];
  at: number;
  start: Record<string, unknown> | undefined;
  isAtEnd: boolean;
};

/** The entries of all lanes in one order. Each yield goes as far as every lane has been read. */
async function* merge(walked: ReadFrom, wanted: number | undefined): AsyncGenerator<Entry[]> {
  let open = walked.plan.lanes.map((lane): Reading => ({ lane, entries: [], at: 0, start: undefined, isAtEnd: false }));
  let left = wanted;
  let last: string | undefined;
  while (open.length > 0) {
    const limit = left === undefined ? undefined : Math.max(ASKED_MIN, shareOf(left, open.length));
    await Promise.all(open.filter(isEmpty).map((reading) => refill(walked, reading, limit)));
    open = open.filter((reading) => !isEmpty(reading));
    const merged: Entry[] = [];
    while (open.length > 0) {
      const next = open.reduce((one, other) => (precedes(walked.plan, other, one) ? other : one));
      const entry = headOf(next);
      next.at += 1;
      // A record that moves from one partition to another may be in both for a moment.
      if (entry.PK !== last) merged.push(entry);
      last = entry.PK;
      if (!isEmpty(next)) continue;
      if (!next.isAtEnd) break;
      open = open.filter((reading) => reading !== next);
    }
    left = left === undefined ? undefined : left - merged.length;
    yield merged;
  }
}

/** The number of entries to ask a lane for: all that is left of a single lane, of several 1.5 times an equal share. */
const shareOf = (left: number, lanes: number): number => (lanes === 1 ? left : Math.ceil((left / lanes) * 1.5));

const isEmpty = ({ entries, at }: Reading): boolean => at >= entries.length;
const headOf = ({ entries, at }: Reading): Entry => entries[at] as Entry;
const precedes = ({ isForward }: Plan, one: Reading, other: Reading): boolean =>
  isForward ? headOf(one).listSK < headOf(other).listSK : headOf(one).listSK > headOf(other).listSK;

/** Reads on until there is an entry, or the lane has ended. */
async function refill(walked: ReadFrom, reading: Reading, limit: number | undefined): Promise<void> {
  const more = { ScanIndexForward: walked.plan.isForward, Limit: limit, ExclusiveStartKey: reading.start };
  for await (const { Items = [], LastEvaluatedKey } of queryLane(walked, reading.lane, more)) {
    reading.entries = Items as Entry[];
    reading.at = 0;
    reading.start = LastEvaluatedKey;
    reading.isAtEnd = LastEvaluatedKey === undefined;
    if (!isEmpty(reading)) return;
  }
}

/** The indexes that lists are read from, and the attribute that each is partitioned by (table-schema.ts). */
const partitionKeys = new Map<Plan["index"], string>([
  ["byCreation", "listPK"],
  ["byOwner", "ownerPK"],
  ["byFacet", "facetPK"],
  ["byOwnerFacet", "ownerFacetPK"],
]);

function queryLane({ table, plan, pushed }: ReadFrom, { partition, range }: Lane, more: Partial<QueryCommandInput>) {
  // All entries of tight lanes meet the conditions anyway, and an index of keys does not hold the attributes for them.
  const conditions = plan.isTight || plan.isKeysOnly ? [] : pushed;
  const marked = conditions.map(({ field, values }, index) => ({
    name: [`#f${index}`, field] as const,
    values: values.map((value, at) => [`:f${index}v${at}`, value] as const),
  }));
  const isWhole = isEverything(range);
  return queryPages(table, {
    IndexName: plan.index,
    KeyConditionExpression: `#pk = :pk${isWhole ? "" : " AND listSK BETWEEN :from AND :to"}`,
    ...(marked.length > 0 && {
      FilterExpression: marked
        .map(({ name, values }) => `${name[0]} IN (${values.map(([mark]) => mark).join(", ")})`)
        .join(" AND "),
    }),
    ExpressionAttributeNames: {
      "#pk": partitionKeys.get(plan.index) ?? "",
      ...Object.fromEntries(marked.map(({ name }) => name)),
    },
    ExpressionAttributeValues: {
      ":pk": partition,
      ...(!isWhole && { ":from": range.from, ":to": range.to }),
      ...Object.fromEntries(marked.flatMap(({ values }) => values)),
    },
    // Of whole records, only the keys are needed.
    ...(plan.isKeysOnly && more.Select === undefined && { ProjectionExpression: "PK, SK, listSK" }),
    ...more,
  });
}
