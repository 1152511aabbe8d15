import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type GlobalSecondaryIndex,
} from "@aws-sdk/client-dynamodb";
import { BatchWriteCommand, DynamoDBDocumentClient, paginateScan } from "@aws-sdk/lib-dynamodb";
import { type Emulator, REGION } from "./emulator.ts";

/** Makes a table of the keys, indexes and records of another, as a recovery does, which the emulator lacks. */
export async function copyTable({ url }: Emulator, from: string, to: string): Promise<void> {
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const client = new DynamoDBClient({ endpoint: url, region: REGION, credentials });
  const { Table } = await client.send(new DescribeTableCommand({ TableName: from }));
  const indexes = Table?.GlobalSecondaryIndexes?.map(
    ({ IndexName, KeySchema, Projection }): GlobalSecondaryIndex => ({ IndexName, KeySchema, Projection }),
  );
  const { AttributeDefinitions, KeySchema } = Table ?? {};
  const made = {
    AttributeDefinitions,
    KeySchema,
    GlobalSecondaryIndexes: indexes,
    BillingMode: "PAY_PER_REQUEST",
  } as const;
  await client.send(new CreateTableCommand({ TableName: to, ...made }));
  const db = DynamoDBDocumentClient.from(client);
  // A batch write takes 25 items.
  for await (const { Items = [] } of paginateScan({ client: db, pageSize: 25 }, { TableName: from })) {
    const requests = Items.map((Item) => ({ PutRequest: { Item } }));
    if (requests.length > 0) await db.send(new BatchWriteCommand({ RequestItems: { [to]: requests } }));
  }
  client.destroy();
}
