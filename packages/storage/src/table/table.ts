import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { BatchGetCommand, DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";

/** The single table and the client to reach it by. */
export type Table = Readonly<{
  db: DynamoDBDocumentClient;
  client: DynamoDBClient;
  name: string;
  /** For so long contended transactions are tried again, in milliseconds, if not as long as callers can wait. */
  patienceMs?: number;
  /** The current time, milliseconds since 1970, where it is not the machine's. */
  now?: () => number;
  /** Is told of each transaction that has an event of a tenant, once it is written. */
  changed?: (tenantId: string) => Promise<void>;
}>;

/** Opens the table at the place that the AWS SDK's environment variables name. */
export function openTable(name: string): Table {
  return tableOf(new DynamoDBClient({}), name);
}

/** The table as `client` reaches it. */
export function tableOf(client: DynamoDBClient, name: string): Table {
  // This middleware copies every answer for a logger that does not exist: a quarter of the time of a long list.
  client.middlewareStack.remove("loggerMiddleware");
  const db = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  return { db, client, name };
}

/**
 * The same table, read as it was a moment ago, at half the cost: for answers that decide nothing. Whatever seems to be
 * missing may have been stored just now.
 */
export const readLoosely = (table: Table): Table => ({
  ...table,
  db: Object.create(table.db, { send: { value: (command: object) => table.db.send(loosened(command) as GetCommand) } }),
});

function loosened(command: object): object {
  if (command instanceof GetCommand) command.input.ConsistentRead = false;
  if (command instanceof BatchGetCommand) {
    for (const asked of Object.values(command.input.RequestItems ?? {})) asked.ConsistentRead = false;
  }
  return command;
}

/** The stored record: one JSON string beside its keys, which DynamoDB reads and writes several times faster than maps. */
export const toDoc = (record: unknown): string => JSON.stringify(record);

/** The record that `toDoc` stored. It is not parsed by a schema, because only this package writes items. */
export const fromDoc = <Stored>(item: Readonly<Record<string, unknown>>): Stored =>
  JSON.parse(String(item["doc"])) as Stored;
