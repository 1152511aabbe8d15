import { QueryCommand, type QueryCommandInput } from "@aws-sdk/lib-dynamodb";
import type { Key } from "./keys.ts";
import type { Lane, Plan } from "./list-plan.ts";
import { isEverything } from "./list-range.ts";
import type { Scope } from "./list-scope.ts";
import { findItems } from "./records.ts";
import type { Table } from "./table.ts";

/** An entry of an index: the whole item, or its keys. */
export type Entry = Key & Readonly<{ listSK: string; doc?: unknown }>;

/** Records are fetched by so many keys at once, in batches of what DynamoDB takes. */
const FETCH_MAX = 400;
const BATCH_MAX = 100;
/** What is asked for at least, since a few of the index's entries may have changed since. */
const ASKED_MIN = 10;

type Walked = Readonly<{ table: Table; plan: Plan; pushed: Scope["pushed"] }>;

/** What of a plan is wanted: with `wanted` entries at hand reading ends, and the first `passed` of keys need no record. */
type Wanted = Readonly<{ wanted: number; passed: number }>;

/** The items that can match, in the order of their index; or how many were passed without being looked at. */
export async function* walk(
  walked: Walked,
  page: Wanted | undefined,
): AsyncGenerator<{ passed: number; items: Entry[] }> {
  const { table, plan } = walked;
  // Only where all that is read matches is it known beforehand how much of it is enough.
  const wanted = plan.isTight ? page?.wanted : undefined;
  let toPass = plan.isKeysOnly ? (page?.passed ?? 0) : 0;
  for await (const entries of merge(walked, wanted)) {
    if (!plan.isKeysOnly) {
      yield { passed: 0, items: entries };
      continue;
    }
    const passed = Math.min(toPass, entries.length);
    toPass -= passed;
    if (passed > 0) yield { passed, items: [] };
    for (const keys of chunksOf(entries.slice(passed), FETCH_MAX)) {
      yield { passed: 0, items: await fetchEntries(table, keys) };
    }
  }
}

/** The items with these keys, in the order of the keys; what is gone is left out. */
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

/** How many entries the lanes of a plan hold. */
export async function countEntries(walked: Walked): Promise<number> {
  const counts = await Promise.all(
    walked.plan.lanes.map(async (lane) => {
      let count = 0;
      let start: Record<string, unknown> | undefined;
      do {
        const output = await queryLane(walked, lane, { Select: "COUNT", ExclusiveStartKey: start });
        count += output.Count ?? 0;
        start = output.LastEvaluatedKey;
      } while (start !== undefined);
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

/** The entries of all lanes in one order: time and again as far as every lane has been read. */
async function* merge(walked: Walked, wanted: number | undefined): AsyncGenerator<Entry[]> {
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
      // A record that is just moving from one partition to another may stand in both.
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

/** One lane is asked for all that is left, each of many for half as much again as its part. */
const shareOf = (left: number, lanes: number): number => (lanes === 1 ? left : Math.ceil((left / lanes) * 1.5));

const isEmpty = ({ entries, at }: Reading): boolean => at >= entries.length;
const headOf = ({ entries, at }: Reading): Entry => entries[at] as Entry;
const precedes = ({ isForward }: Plan, one: Reading, other: Reading): boolean =>
  isForward ? headOf(one).listSK < headOf(other).listSK : headOf(one).listSK > headOf(other).listSK;

/** Reads on until there is something, or the lane has ended. */
async function refill(walked: Walked, reading: Reading, limit: number | undefined): Promise<void> {
  do {
    const more = { ScanIndexForward: walked.plan.isForward, Limit: limit, ExclusiveStartKey: reading.start };
    const { Items = [], LastEvaluatedKey } = await queryLane(walked, reading.lane, more);
    reading.entries = Items as Entry[];
    reading.at = 0;
    reading.start = LastEvaluatedKey;
    reading.isAtEnd = LastEvaluatedKey === undefined;
  } while (isEmpty(reading) && !reading.isAtEnd);
}

/** The indexes that lists are read from, and the attribute that each is partitioned by (table-schema.ts). */
const partitionKeys = new Map<Plan["index"], string>([
  ["byCreation", "listPK"],
  ["byOwner", "ownerPK"],
  ["byFacet", "facetPK"],
  ["byOwnerFacet", "ownerFacetPK"],
]);

function queryLane({ table, plan, pushed }: Walked, { partition, range }: Lane, more: Partial<QueryCommandInput>) {
  // What all entries of tight lanes have anyway, or indexes of keys do not hold, is no condition.
  const conditions = plan.isTight || plan.isKeysOnly ? [] : pushed;
  const marked = conditions.map(({ field, values }, index) => ({
    name: [`#f${index}`, field] as const,
    values: values.map((value, at) => [`:f${index}v${at}`, value] as const),
  }));
  const isWhole = isEverything(range);
  return table.db.send(
    new QueryCommand({
      TableName: table.name,
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
      ...more,
    }),
  );
}
