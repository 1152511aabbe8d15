import { randomBytes, randomInt } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import type { SampleCalls } from "../sample-calls.ts";

/** The least server that could answer a create and a retrieve: it only sends DynamoDB the same requests. */
const { id: sampleId, create, retrieve } = JSON.parse(process.env["SAMPLE_CALLS"] ?? "") as SampleCalls;
const db = DynamoDBDocumentClient.from(new DynamoDBClient({}), { marshallOptions: { removeUndefinedValues: true } });
const COUNTER_SHARDS = 16;
const sampleDoc = String(create.TransactItems?.[0]?.Put?.Item?.["doc"]);

const renewed = (id: string) =>
  (create.TransactItems ?? []).map(({ Put, Update }) => {
    if (Update !== undefined) {
      const SK = String(randomInt(COUNTER_SHARDS)).padStart(3, "0");
      return { Update: { ...Update, Key: { ...Update.Key, SK } } };
    }
    const { PK, listSK, ...rest } = Put?.Item ?? {};
    const Item = { ...rest, PK: String(PK).replace(sampleId, id), ...(listSK !== undefined && { listSK: id }) };
    return { Put: { TableName: Put?.TableName, ...Put, Item } };
  });

async function answerTo(request: IncomingMessage): Promise<string> {
  if (request.method === "GET") {
    const { Item } = await db.send(new GetCommand(retrieve));
    return `{"data":${String(Item?.["doc"])}}`;
  }
  await request.toArray();
  await db.send(new TransactWriteCommand({ TransactItems: renewed(randomBytes(12).toString("hex")) }));
  return `{"data":${sampleDoc}}`;
}

const server = createServer(async (request, response) => {
  const body = await answerTo(request);
  response.writeHead(request.method === "GET" ? 200 : 201, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(body);
});

void db.send(new TransactWriteCommand(create)).then(() => {
  server.listen(0, "127.0.0.1", () => {
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  });
});
