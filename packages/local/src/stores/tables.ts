import { setTimeout as pause } from "node:timers/promises";
import {
  type AttributeDefinition,
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type GlobalSecondaryIndexDescription,
  type KeySchemaElement,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import type { TableSchema } from "@intents/deployment/table-schema.ts";
import { REGION } from "../functions.ts";
import { StartFailure } from "../start-failure.ts";

const ACTIVE_MS_MAX = 10_000;
const ACTIVE_EVERY_MS = 10;

/** Creates the tables that are not there yet; returns once all of them can be used. */
export async function createTables(
  endpoint: string,
  tables: Readonly<Record<string, TableSchema>>,
  sessionToken = "",
): Promise<void> {
  const client = new DynamoDBClient({
    endpoint,
    region: REGION,
    credentials: { accessKeyId: "local", secretAccessKey: "local", sessionToken },
  });
  await Promise.all(Object.entries(tables).map(([name, schema]) => createTable(client, name, schema)));
  client.destroy();
}

async function createTable(client: DynamoDBClient, name: string, schema: TableSchema): Promise<void> {
  try {
    await client.send(toCommand(name, schema));
  } catch (error) {
    if (error instanceof ResourceInUseException) return refuseOther(client, name, schema);
    throw error;
  }
  await untilActive(client, name);
  const TimeToLiveSpecification = { AttributeName: schema.ttlAttribute, Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification }));
}

/** Refuses a kept table of another format, with other indexes: this version would read it in part. */
async function refuseOther(client: DynamoDBClient, name: string, { indexes }: TableSchema): Promise<void> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
  const kept = Table?.GlobalSecondaryIndexes ?? [];
  const isOurs = ({ IndexName, Projection }: GlobalSecondaryIndexDescription) =>
    Projection?.ProjectionType === "KEYS_ONLY" && indexes.some((index) => index.name === IndexName);
  if (kept.length !== indexes.length || !kept.every(isOurs))
    throw new StartFailure(
      `The table ${name} is in a format that this version does not read: set DATA_DIR to another folder, or remove this one`,
    );
}

async function untilActive(client: DynamoDBClient, name: string): Promise<void> {
  const untilMs = Date.now() + ACTIVE_MS_MAX;
  while (Date.now() < untilMs) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    const indexes = Table?.GlobalSecondaryIndexes ?? [];
    const isReady = indexes.every(({ IndexStatus }) => IndexStatus === "ACTIVE");
    if (Table?.TableStatus === "ACTIVE" && isReady) return;
    await pause(ACTIVE_EVERY_MS);
  }
  throw new Error(`The table ${name} did not become active`);
}

type Keys = Pick<TableSchema, "partitionKey" | "sortKey">;

const toCommand = (name: string, schema: TableSchema): CreateTableCommand =>
  new CreateTableCommand({
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: toDefinitions([schema, ...schema.indexes]),
    KeySchema: toKeySchema(schema),
    ...(schema.indexes.length > 0 && { GlobalSecondaryIndexes: schema.indexes.map(toIndex) }),
  });

const toIndex = (index: TableSchema["indexes"][number]) => ({
  IndexName: index.name,
  KeySchema: toKeySchema(index),
  Projection: { ProjectionType: "KEYS_ONLY" as const },
});

/** The attributes of these keys, each once. */
function toDefinitions(keys: readonly Keys[]): AttributeDefinition[] {
  const attributes = keys.flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]);
  const definitions = new Map<string, AttributeDefinition>(
    attributes.map(({ name: AttributeName, type }) => [AttributeName, { AttributeName, AttributeType: type }]),
  );
  return [...definitions.values()];
}

const toKeySchema = ({ partitionKey, sortKey }: Keys): KeySchemaElement[] => [
  { AttributeName: partitionKey.name, KeyType: "HASH" },
  { AttributeName: sortKey.name, KeyType: "RANGE" },
];
