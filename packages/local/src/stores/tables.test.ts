import { DynamoDBClient, PutItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";
import { mainTableSchema } from "@intents/deployment/table-schema.ts";
import { expect, test } from "vitest";
import { startDynamoDb, useDynamoDb } from "./dynamodb.ts";
import { createTables } from "./tables.ts";

test("a kept table gets the indexes that an earlier version did not have, with the records that it holds", async () => {
  const given = process.env["DYNAMODB_ENDPOINT"];
  const { endpoint, stop } = given === undefined ? await startDynamoDb(undefined) : useDynamoDb(given);
  const TableName = `kept-${crypto.randomUUID()}`;
  const lacking = new Set(["byChange", "byDue"]);
  const earlier = { ...mainTableSchema, indexes: mainTableSchema.indexes.filter(({ name }) => !lacking.has(name)) };
  await createTables(endpoint, { [TableName]: earlier });
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = new DynamoDBClient({ endpoint, region: "us-east-1", credentials });
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
  client.destroy();
  await stop();
});
