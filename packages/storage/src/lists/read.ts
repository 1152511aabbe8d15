import type { QueryCommandInput } from "@aws-sdk/lib-dynamodb";
import type { ListKind } from "@intents/domain/lists/resources.ts";
import type { Metadata } from "@intents/domain/metadata.ts";
import { readMetadata } from "../intents/metadata.ts";
import { wholeItems } from "../intents/parts.ts";
import type { Key } from "../table/keys.ts";
import { queryPages } from "../table/pages.ts";
import { chunksOf, FETCH_MAX, fetchItems } from "../table/records.ts";
import type { Table } from "../table/table.ts";
import { listIndexes, type Plan } from "./plan.ts";
import { isEverything } from "./range.ts";
import type { Segment, SortedBy } from "./scope.ts";

/** An entry of an index, or the item that it leads to. Of its sort keys it has at least that of the index. */
export type Entry = Key & Readonly<Record<SortedBy, string>> & Readonly<{ doc?: unknown; metadata?: Metadata }>;

/** A query asks for at least so many entries, because a few of them may have changed since the index was written. */
const ASKED_MIN = 10;

type ReadFrom = Readonly<{ table: Table; plan: Plan }>;

/** The items that can match, in the order of their index. A page needs `wanted` matches; without, all are needed. */
export async function* readEntries(
  walked: ReadFrom & Readonly<{ kind: ListKind }>,
  wanted: number | undefined,
): AsyncGenerator<Entry[]> {
  const { table, plan, kind } = walked;
  const fetched = Math.min(wanted ?? FETCH_MAX, FETCH_MAX);
  for await (const entries of merge(walked, wanted)) {
    for (const keys of chunksOf(entries, fetched)) yield await fetchEntries(table, kind, keys, sortedBy(plan));
  }
}

/** The attribute that the entries of a plan are sorted by. */
export const sortedBy = ({ index }: Plan): SortedBy => listIndexes[index].sortKey;

/** The sort key of the `place`-th match, counted from 1, by keys alone; undefined when there are fewer. */
export async function sortKeyAt(walked: ReadFrom, place: number): Promise<string | undefined> {
  let left = place;
  for await (const entries of merge(walked, place)) {
    if (entries.length >= left) return entries[left - 1]?.[sortedBy(walked.plan)];
    left -= entries.length;
  }
  return undefined;
}

/**
 * The items with these keys, in the order of the keys, intents with their parts and metadata; items that have
 * gone are left out. With `sortKey` each has the place that the key gave it, even if the item has moved since.
 */
export async function fetchEntries(
  table: Table,
  kind: ListKind,
  keys: readonly (Key & Partial<Entry>)[],
  sortKey?: SortedBy,
): Promise<Entry[]> {
  const isStrong = false;
  const [items, noted] = await Promise.all([
    fetchItems(table, keys, { isStrong }),
    kind === "INTENT" ? readMetadata(table, keys) : undefined,
  ]);
  const there = keys.flatMap((key, index) => {
    const { [index]: item } = items;
    if (item === undefined) return [];
    const metadata = noted?.get(key.PK);
    const place = sortKey !== undefined && { [sortKey]: key[sortKey] };
    return [{ ...item, ...place, ...(metadata !== undefined && { metadata }) }];
  });
  return (kind === "INTENT" ? await wholeItems(table, there, { isStrong }) : there) as Entry[];
}

/** The number of entries in the segments of a plan. */
export async function countEntries(walked: ReadFrom): Promise<number> {
  const counts = await Promise.all(
    walked.plan.segments.map(async (segment) => {
      let count = 0;
      for await (const { Count = 0 } of querySegment(walked, segment, { Select: "COUNT" })) count += Count;
      return count;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

type Reading = {
  readonly segment: Segment;
  entries: Entry[];
  at: number;
  start: Record<string, unknown> | undefined;
  isAtEnd: boolean;
};

/** The entries of all segments in one order. Each yield goes as far as every segment has been read. */
async function* merge(walked: ReadFrom, wanted: number | undefined): AsyncGenerator<Entry[]> {
  let open = walked.plan.segments.map(
    (segment): Reading => ({ segment: segment, entries: [], at: 0, start: undefined, isAtEnd: false }),
  );
  const { isTight } = walked.plan;
  const met = new Set<string>();
  let left = wanted;
  while (open.length > 0) {
    // Only where every entry matches is it known beforehand how many entries are enough.
    const limit = left === undefined ? undefined : Math.max(ASKED_MIN, shareOf(left, open.length));
    await Promise.all(open.filter(isEmpty).map((reading) => refill(walked, reading, limit)));
    open = open.filter((reading) => !isEmpty(reading));
    const merged: Entry[] = [];
    while (open.length > 0) {
      const next = open.reduce((one, other) => (precedes(walked.plan, other, one) ? other : one));
      const entry = headOf(next);
      next.at += 1;
      // A record that moves from one place to another may be in both for a moment.
      const name = `${entry.PK} ${entry.SK}`;
      if (!met.has(name)) merged.push(entry);
      met.add(name);
      if (!isEmpty(next)) continue;
      if (!next.isAtEnd) break;
      open = open.filter((reading) => reading !== next);
    }
    left = left === undefined ? undefined : isTight ? left - merged.length : Math.min(2 * left, FETCH_MAX);
    yield merged;
  }
}

/** The number of entries to ask a segment for: all that is left of a single segment, of several 1.5 times an equal share. */
const shareOf = (left: number, segments: number): number =>
  segments === 1 ? left : Math.ceil((left / segments) * 1.5);

const isEmpty = ({ entries, at }: Reading): boolean => at >= entries.length;
const headOf = ({ entries, at }: Reading): Entry => entries[at] as Entry;
function precedes(plan: Plan, one: Reading, other: Reading): boolean {
  const [ones, others] = [headOf(one)[sortedBy(plan)], headOf(other)[sortedBy(plan)]];
  return plan.isForward ? ones < others : ones > others;
}

/** Reads on until there is an entry, or the segment has ended. */
async function refill(walked: ReadFrom, reading: Reading, limit: number | undefined): Promise<void> {
  const more = { ScanIndexForward: walked.plan.isForward, Limit: limit, ExclusiveStartKey: reading.start };
  for await (const { Items = [], LastEvaluatedKey } of querySegment(walked, reading.segment, more)) {
    reading.entries = walked.plan.index === "byExternalId" ? Items.map(toRecordKey) : (Items as Entry[]);
    reading.at = 0;
    reading.start = LastEvaluatedKey;
    reading.isAtEnd = LastEvaluatedKey === undefined;
    if (!isEmpty(reading)) return;
  }
}

/** The entry of a recipient's own id leads to the intent, in whose partition it is. */
const toRecordKey = (item: Record<string, unknown>): Entry => {
  const entry = item as Entry;
  return entry.SK.startsWith("EXTERNALID#") ? { ...entry, SK: "INTENT" } : entry;
};

function querySegment({ table, plan }: ReadFrom, { partition, range }: Segment, more: Partial<QueryCommandInput>) {
  const isWhole = isEverything(range);
  const { partitionKey, sortKey } = listIndexes[plan.index];
  return queryPages(table, {
    IndexName: plan.index,
    KeyConditionExpression: `${partitionKey} = :pk${isWhole ? "" : ` AND ${sortKey} BETWEEN :from AND :to`}`,
    ExpressionAttributeValues: { ":pk": partition, ...(!isWhole && { ":from": range.from, ":to": range.to }) },
    ...more,
  });
}
