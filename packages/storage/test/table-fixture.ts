import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { mainTableSchema, railTableSchema, type TableSchema } from "@intents/deployment/table-schema.ts";
import { startDynamoDb, useDynamoDb } from "@intents/local/stores/dynamodb.ts";
import { createTables } from "@intents/local/stores/tables.ts";
import { type Table, tableOf } from "../src/table/table.ts";
import { makeHostile } from "./hostile-fixture.ts";

/**
 * For tests: an empty main table and an empty rail table, and how to end them. They live in an in-memory store of their
 * own or, on platforms for which there is no embedded store, in the one at `DYNAMODB_ENDPOINT`. The client is hostile;
 * a test that counts calls says otherwise, and so does a run that plants mistakes (`STORE_FAULTS=off`).
 */
export async function startTable({
  isHostile = process.env["STORE_FAULTS"] !== "off",
} = {}): Promise<Readonly<{ table: Table; railTableName: string; stop: () => Promise<void> }>> {
  const given = process.env["DYNAMODB_ENDPOINT"];
  const store = given === undefined ? await startDynamoDb(undefined) : useDynamoDb(given);
  const name = `main-${crypto.randomUUID()}`;
  const railTableName = `rail-${crypto.randomUUID()}`;
  await createTables(store.endpoint, { [name]: toKept(mainTableSchema), [railTableName]: toKept(railTableSchema) });
  const client = new DynamoDBClient({
    endpoint: store.endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  // How long contention lasts is a matter of the machine's speed: transactions end by the number of their tries here.
  // The times of a test are its own, mostly in the past: nothing is too old to be written.
  const table = { ...tableOf(client, name), patienceMs: Number.POSITIVE_INFINITY, now: () => 0 };
  if (isHostile) makeHostile(client, name);
  return {
    table,
    railTableName,
    stop: async () => {
      client.destroy();
      await store.stop();
    },
  };
}

/**
 * The table without a real-time limit on its answers, for work by a simulated clock: a slow machine is no slow store.
 */
export function untimed(table: Table): Table {
  const send = (command: Parameters<Table["db"]["send"]>[0]) => table.db.send(command);
  const db = new Proxy(table.db, { get: (target, name) => (name === "send" ? send : Reflect.get(target, name)) });
  return { ...table, db };
}

/** The table whose weak reads lag behind every write, as those of DynamoDB may: they find nothing. */
export function lagging(table: Table): Table {
  const send = async (command: Parameters<Table["db"]["send"]>[0]) =>
    JSON.stringify(command.input).includes('"ConsistentRead":true') ? table.db.send(command) : {};
  const db = new Proxy(table.db, { get: (target, name) => (name === "send" ? send : Reflect.get(target, name)) });
  return { ...table, db };
}

/** A store deletes what has expired by the real clock. That of a test is its own, and mostly stands in the past. */
const toKept = (schema: TableSchema): TableSchema => ({ ...schema, ttlAttribute: "never" });

/** All items of a partition of the table, in the order of their sort key. */
export async function readPartition({ db, name }: Table, PK: string): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await db.send(
    new QueryCommand({ TableName: name, KeyConditionExpression: "PK = :pk", ExpressionAttributeValues: { ":pk": PK } }),
  );
  return Items;
}

/** Everything that comes page by page. */
export async function readAll<Read>(pages: AsyncGenerator<readonly Read[]>): Promise<Read[]> {
  const read: Read[] = [];
  for await (const page of pages) read.push(...page);
  return read;
}
