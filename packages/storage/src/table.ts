import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

/** The single table and the client to reach it by. */
export type Table = Readonly<{ db: DynamoDBDocumentClient; client: DynamoDBClient; name: string }>;

/** Opens the table; where it is, is for the AWS SDK's environment variables to say. */
export function openTable(name: string): Table {
  return tableOf(new DynamoDBClient({}), name);
}

/** The table as `client` reaches it. */
export function tableOf(client: DynamoDBClient, name: string): Table {
  // It copies every answer for a logger that we do not have: a quarter of the time of a long list.
  client.middlewareStack.remove("loggerMiddleware");
  const db = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  return { db, client, name };
}

/** The stored record: one JSON string beside its keys, which DynamoDB reads and writes several times faster than maps. */
export const toDoc = (record: unknown): string => JSON.stringify(record);

/** What `toDoc` stored. Only this package writes items, so that what it reads is what it wrote. */
export const fromDoc = <Stored>(item: Readonly<Record<string, unknown>>): Stored =>
  JSON.parse(String(item["doc"])) as Stored;
