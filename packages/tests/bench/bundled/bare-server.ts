import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import type { Call, Tapes } from "../record.ts";

/** The last eight digits of ids and hashes, which have 15 or more, or are UUIDs. */
const ID_END = /(?<=[0-9a-f]{7}|-[0-9a-f]{4})[0-9a-f]{8}(?![0-9a-f])/g;

const commands: Readonly<Record<string, unknown>> = {
  ...{ BatchGetCommand, GetCommand, PutCommand, TransactWriteCommand, UpdateCommand },
};
const tapes = JSON.parse(readFileSync(process.env["TAPES"] ?? "", "utf8")) as Tapes;
const db = DynamoDBDocumentClient.from(new DynamoDBClient({}));
let payments = 0;

/**
 * The least server that could do the same work: it sends DynamoDB the recorded calls, by the SDK's client as it comes,
 * and gives the recorded answer. A path such as `/submit/7` names the tape and a payment; without a payment, it is a new one.
 */
const server = createServer(async (request, response) => {
  const [, name = "", payment = String(++payments)] = (request.url ?? "").split("/");
  const { calls, body } = tapes[name as keyof Tapes];
  await request.toArray();
  // Each payment has ids of its own, so that all conditions hold as they did for the recorded one.
  for (const group of JSON.parse(calls.replaceAll(ID_END, payment.padStart(8, "0"))) as Call[][])
    await Promise.all(group.map(send));
  const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
  response.writeHead(request.method === "GET" ? 200 : 201, headers).end(body);
});

const send = ({ command, input }: Call): Promise<unknown> => {
  const Command = commands[command] as new (input: Call["input"]) => GetCommand;
  return db.send(new Command(input));
};

server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
