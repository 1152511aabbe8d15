import { CreateTableCommand, DynamoDBClient, PutItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";
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

test("a kept table gets the indexes that an earlier version did not have, with the records that it holds", async () => {
  const TableName = `kept-${crypto.randomUUID()}`;
  const lacking = new Set(["byChange", "byDue"]);
  const earlier = { ...mainTableSchema, indexes: mainTableSchema.indexes.filter(({ name }) => !lacking.has(name)) };
  await createTables(endpoint, { [TableName]: earlier });
  const keys = { PK: { S: "one" }, SK: { S: "one" } };
  const change = { listPK: { S: "all" }, changeSK: { S: "now" } };
  const due = { dueShard: { S: "DUE#0" }, dueAt: { N: "5" } };
  await client.send(new PutItemCommand({ TableName, Item: { ...keys, ...change, ...due } }));

  // The second time there is nothing left to add.
  for (const _ of ["add", "again"]) await createTables(endpoint, { [TableName]: mainTableSchema });
  const found = async (IndexName: string, key: string, S: string) => {
    const asked = { KeyConditionExpression: `${key} = :value`, ExpressionAttributeValues: { ":value": { S } } };
    return (await client.send(new QueryCommand({ TableName, IndexName, ...asked }))).Items;
  };
  expect(await found("byChange", "listPK", "all")).toEqual([{ ...keys, ...change }]);
  expect(await found("byDue", "dueShard", "DUE#0")).toEqual([{ ...keys, ...due }]);
});

test("a kept table of the format before the first release is refused in one line: only parts of it could be read", async () => {
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
      ...{ AttributeDefinitions: [text("PK"), text("listPK")], GlobalSecondaryIndexes: [copies] },
    }),
  );
  const made = createTables(endpoint, { [TableName]: mainTableSchema });
  await expect(made).rejects.toThrow(StartFailure);
  await expect(made).rejects.toThrow("remove .local, or set DATA_DIR to another folder");
});
