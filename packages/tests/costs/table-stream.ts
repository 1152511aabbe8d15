import { UpdateTableCommand } from "@aws-sdk/client-dynamodb";
import type { Table } from "@intents/storage/table/table.ts";

/** An item, each attribute with its type. */
export type Image = Readonly<Record<string, Readonly<{ S: string } | { N: string }>>>;

/** A change of an item. */
export type Change = Readonly<{ OldImage?: Image; NewImage?: Image }>;

/** Gives a table a stream. Returns a function that reads the changes since the last time. */
export async function followTable({ client, name }: Table): Promise<() => Promise<Change[]>> {
  const StreamSpecification = { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" } as const;
  const { TableDescription } = await client.send(new UpdateTableCommand({ TableName: name, StreamSpecification }));
  const StreamArn = TableDescription?.LatestStreamArn;
  const { StreamDescription } = await call<{ StreamDescription: { Shards: [object] } }>("DescribeStream", {
    StreamArn,
  });
  const start = { StreamArn, ...StreamDescription.Shards[0], ShardIteratorType: "TRIM_HORIZON" };
  let { ShardIterator } = await call<{ ShardIterator: string }>("GetShardIterator", start);
  return async () => {
    type Page = { Records: { dynamodb: Change }[]; NextShardIterator: string };
    const { Records, NextShardIterator } = await call<Page>("GetRecords", { ShardIterator });
    ShardIterator = NextShardIterator;
    return Records.map(({ dynamodb }) => dynamodb);
  };
}

/** Calls the store's streams, for which the workspace has no client. */
async function call<Answer>(name: string, input: object): Promise<Answer> {
  const response = await fetch(process.env["AWS_ENDPOINT_URL_DYNAMODB"] ?? "", {
    method: "POST",
    body: JSON.stringify(input),
    headers: {
      "Content-Type": "application/x-amz-json-1.0",
      "X-Amz-Target": `DynamoDBStreams_20120810.${name}`,
      "X-Amz-Security-Token": process.env["AWS_SESSION_TOKEN"] ?? "",
      "X-Amz-Date": "20261120T090000Z",
      Authorization:
        "AWS4-HMAC-SHA256 Credential=local/1/us-east-1/dynamodb/aws4_request,SignedHeaders=host,Signature=0",
    },
  });
  if (!response.ok) throw new Error(`${name} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}
