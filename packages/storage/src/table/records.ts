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

/** The documents of a query, page by page. */
export async function* readRecords<Stored>(
  table: Table,
  query: Omit<QueryCommandInput, "TableName">,
): AsyncGenerator<Stored[]> {
  const pages = queryPages(table, { ...query, ProjectionExpression: "doc" });
  for await (const { Items = [] } of pages) yield Items.map((item) => fromDoc<Stored>(item));
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
