import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import type { Key } from "./keys.ts";
import { fromDoc, type Table, toDoc } from "./table.ts";

/** One stored record by its key, read strongly. */
export async function findRecord<Stored>(table: Table, key: Key): Promise<Stored | undefined> {
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }));
  return Item === undefined ? undefined : fromDoc<Stored>(Item);
}

type Attributes = Readonly<Record<string, string | number>>;

/** Stores a record that must not exist yet; false when its key is taken. */
export async function addRecord(table: Table, key: Key, record: unknown, attributes: Attributes = {}): Promise<boolean> {
  try {
    await table.db.send(new PutCommand(newRecord(table, key, record, attributes)));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** The write of a record that must not exist yet. `attributes` stand beside the document: index keys, `ttl`. */
export const newRecord = (table: Table, key: Key, record: unknown, attributes: Attributes = {}) => ({
  TableName: table.name,
  Item: { ...key, ...attributes, doc: toDoc(record) },
  ConditionExpression: "attribute_not_exists(PK)",
});

/** The write of a record that must still be as it was read. */
export const replacedRecord = (table: Table, key: Key, before: unknown, after: unknown) => ({
  TableName: table.name,
  Item: { ...key, doc: toDoc(after) },
  ConditionExpression: "doc = :before",
  ExpressionAttributeValues: { ":before": toDoc(before) },
});
