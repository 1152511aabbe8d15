import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { BatchGetCommand, GetCommand, PutCommand, type QueryCommandInput } from "@aws-sdk/lib-dynamodb";
import type { Key } from "./keys.ts";
import { queryAll, queryPages } from "./pages.ts";
import { fromDoc, type Table, toDoc } from "./table.ts";
import { StoreBusy } from "./transact.ts";

/** DynamoDB reads at most this many items at once. */
const BATCH_MAX = 100;
/** Keys that the store puts off are asked for at most so often. */
const TRIES_MAX = 6;

/** One stored record by its key, read strongly. */
export async function findRecord<Stored>(table: Table, key: Key): Promise<Stored | undefined> {
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }));
  return Item === undefined ? undefined : fromDoc<Stored>(Item);
}

/**
 * The items with these keys, which must differ, in no order; keys without an item are left out. Strong reads cost twice
 * as much as others. Throws StoreBusy when the store keeps putting keys off.
 */
export async function findItems(
  table: Table,
  keys: readonly Key[],
  { isStrong } = { isStrong: true },
): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let left: readonly Record<string, unknown>[] = keys;
  for (let tries = 0; left.length > 0; ) {
    const { Responses, UnprocessedKeys } = await table.db.send(
      new BatchGetCommand({
        RequestItems: { [table.name]: { Keys: left.slice(0, BATCH_MAX), ConsistentRead: isStrong } },
      }),
    );
    items.push(...(Responses?.[table.name] ?? []));
    const putOff = UnprocessedKeys?.[table.name]?.Keys ?? [];
    left = [...left.slice(BATCH_MAX), ...putOff];
    if (putOff.length === 0) continue;
    tries += 1;
    if (tries === TRIES_MAX) throw new StoreBusy("The store kept putting off a part of a batch");
    await pause(randomInt(20, 20 * 2 ** tries));
  }
  return items;
}

/** All items of a partition in the order of their sort keys, read strongly. */
export const listPartition = (table: Table, PK: string): Promise<Record<string, unknown>[]> =>
  queryAll(table, {
    KeyConditionExpression: "PK = :pk",
    ExpressionAttributeValues: { ":pk": PK },
    ConsistentRead: true,
  });

/** Records of a partition read at once. */
const PAGE = 1_000;

/** The last `limit` records of a partition in the order of their sort keys, the last one first, read strongly. */
export async function listNewest<Stored>(table: Table, PK: string, limit: number): Promise<Stored[]> {
  const records: Stored[] = [];
  const pages = queryPages(table, {
    KeyConditionExpression: "PK = :pk",
    ExpressionAttributeValues: { ":pk": PK },
    ScanIndexForward: false,
    ConsistentRead: true,
    Limit: Math.min(limit, PAGE),
  });
  for await (const { Items = [] } of pages) {
    records.push(...Items.map((item) => fromDoc<Stored>(item)));
    if (records.length >= limit) break;
  }
  return records.slice(0, limit);
}

/** Items are fetched by so many keys at a time, in batches as large as DynamoDB takes. */
export const FETCH_MAX = 400;

/** The items with these keys, which must differ, in the order of the keys; undefined in place of one that has gone. */
export async function fetchItems(
  table: Table,
  keys: readonly Key[],
  options?: Readonly<{ isStrong: boolean }>,
): Promise<(Readonly<Record<string, unknown>> | undefined)[]> {
  const nameOf = ({ PK, SK }: Record<string, unknown>) => `${PK} ${SK}`;
  const found = new Map<string, Record<string, unknown>>();
  for (const some of chunksOf(keys, FETCH_MAX)) {
    const batches = chunksOf(some, BATCH_MAX).map((batch) => batch.map(({ PK, SK }) => ({ PK, SK })));
    const items = await Promise.all(batches.map((batch) => findItems(table, batch, options)));
    for (const item of items.flat()) found.set(nameOf(item), item);
  }
  return keys.map((key) => found.get(nameOf(key)));
}

export const chunksOf = <Element>(all: readonly Element[], size: number): Element[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));

/** The documents of fetched items. */
export const toRecords = <Stored>(items: Awaited<ReturnType<typeof fetchItems>>): Stored[] =>
  items.flatMap((item) => (item === undefined ? [] : fromDoc<Stored>(item)));

/** The documents of an index's entries, in its order, a few hundred at a time: an index holds keys alone. */
export async function* readRecords<Stored>(
  table: Table,
  query: Omit<QueryCommandInput, "TableName">,
): AsyncGenerator<Stored[]> {
  for await (const { Items = [] } of queryPages(table, query)) {
    for (const keys of chunksOf(Items as Key[], FETCH_MAX)) {
      yield toRecords<Stored>(await fetchItems(table, keys, { isStrong: false }));
    }
  }
}

type Attributes = Readonly<Record<string, string | number>>;

/** Stores a record that must not exist yet; false when its key is taken by another. */
export async function addRecord(
  table: Table,
  key: Key,
  record: unknown,
  attributes: Attributes = {},
): Promise<boolean> {
  try {
    const put = newRecord(table, key, record, attributes);
    await table.db.send(new PutCommand({ ...put, ReturnValuesOnConditionCheckFailure: "ALL_OLD" }));
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // The SDK repeats a request whose answer was lost: the same record at the key means that ours was written (H15).
    return error.Item?.["doc"]?.S === toDoc(record);
  }
}

/** The write of a record that must not exist yet. `attributes` stand beside the document: index keys, `ttl`. */
export const newRecord = (table: Table, key: Key, record: unknown, attributes: Attributes = {}) => ({
  TableName: table.name,
  Item: { ...key, ...attributes, doc: toDoc(record) },
  ConditionExpression: "attribute_not_exists(PK)",
});

/** The write of a record that must still be as it was read. `attributes` stand beside the document. */
export const replacedRecord = (
  table: Table,
  key: Key,
  before: unknown,
  after: unknown,
  attributes: Attributes = {},
) => ({
  TableName: table.name,
  Item: { ...key, ...attributes, doc: toDoc(after) },
  ConditionExpression: "doc = :before",
  ExpressionAttributeValues: { ":before": toDoc(before) },
});
