import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { mainTableSchema } from "@intents/deployment/table-schema.ts";
import { afterAll, expect, test } from "vitest";
import { StartFailure } from "../start-failure.ts";
import { startDynamoDb, useDynamoDb } from "./dynamodb.ts";
import { createTables } from "./tables.ts";

const given = process.env["DYNAMODB_ENDPOINT"];
const { endpoint, stop } = given === undefined ? await startDynamoDb(undefined) : useDynamoDb(given);
const credentials = { accessKeyId: "local", secretAccessKey: "local" };
const client = new DynamoDBClient({ endpoint, region: "us-east-1", credentials });
afterAll(async () => {
  client.destroy();
  await stop();
});

test("a kept table of this format is taken as it is; one that lacks an index is refused in one line", async () => {
  const TableName = `kept-${crypto.randomUUID()}`;
  const earlier = { ...mainTableSchema, indexes: mainTableSchema.indexes.slice(1) };
  await createTables(endpoint, { [TableName]: earlier });
  await createTables(endpoint, { [TableName]: earlier });
  const made = createTables(endpoint, { [TableName]: mainTableSchema });
  await expect(made).rejects.toThrow("set DATA_DIR to another folder, or remove this one");
});

test("a kept table whose indexes hold copies is refused in one line", async () => {
  const TableName = `former-${crypto.randomUUID()}`;
  const hash = (AttributeName: string) => ({ AttributeName, KeyType: "HASH" as const });
  const text = (AttributeName: string) => ({ AttributeName, AttributeType: "S" as const });
  const copies = {
    IndexName: "byCreation",
    KeySchema: [hash("listPK")],
    Projection: { ProjectionType: "ALL" as const },
  };
  await client.send(
    new CreateTableCommand({
      ...{ TableName, BillingMode: "PAY_PER_REQUEST", KeySchema: [hash("PK")] },
      AttributeDefinitions: [text("PK"), text("listPK")],
      GlobalSecondaryIndexes: [copies],
    }),
  );
  const made = createTables(endpoint, { [TableName]: mainTableSchema });
  await expect(made).rejects.toThrow(StartFailure);
  await expect(made).rejects.toThrow("set DATA_DIR to another folder, or remove this one");
});
