import { writeFileSync } from "node:fs";
import { type BatchGetCommandInput, DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { routes } from "@intents/contract/routes.ts";
import { listenHere } from "@intents/local/free-port.ts";
import { createGateway } from "@intents/local/gateway/gateway.ts";
import { type Client, openClient } from "../service/client.ts";
import { sampleBody } from "../service/collections.ts";

/** A call of DynamoDB: the name of its command in the SDK, and its input. */
export type Call = Readonly<{ command: string; input: Readonly<Record<string, unknown>> }>;

/** The calls and the answer of one request, as JSON. Calls that the service made at the same time form one group. */
export type Tape = Readonly<{ calls: string; body: string }>;

/** `draft` makes a payment with its student, quote and document, and `submit` submits it. */
export type Tapes = Readonly<Record<"create" | "retrieve" | "draft" | "submit", Tape>>;

async function invoke(name: string, event: unknown): Promise<unknown> {
  const { handler } = await import(new URL(`../../../functions/${name}.ts`, import.meta.url).href);
  return handler(event, { getRemainingTimeInMillis: () => 28_000 });
}

async function recordAll(client: Client): Promise<Tapes> {
  const [{ id }, create] = await record(() => client.must<{ id: string }>("POST", INTENTS, { raw: sampleBody }));
  const [, { calls, body }] = await record(() => client.getIntent(id));
  const [{ id: drafted }, draft] = await record(() => client.newTuitionIntent());
  const [, submit] = await record(() => client.submit(drafted, crypto.randomUUID()));
  return { create, retrieve: { calls: JSON.stringify([[firstReadOf(calls)]]), body }, draft, submit };
}

/** The payment's own record, which the service asks for first, is the least that a retrieve has to read. */
function firstReadOf(calls: string): Call {
  const [[{ input }]] = JSON.parse(calls) as [[{ input: BatchGetCommandInput }]];
  const [[TableName, { Keys: [Key] = [] } = {}] = []] = Object.entries(input.RequestItems ?? {});
  return { command: "GetCommand", input: { TableName, Key, ConsistentRead: true } };
}

const INTENTS = "/v2/payment-intents";
/** The groups of calls of the present request. */
let calls: Call[][] = [];
let pending = 0;

async function record<Answer>(work: () => Promise<Answer>): Promise<[Answer, Tape]> {
  calls = [];
  const answer = await work();
  if (calls.length === 0) throw new Error("No call of DynamoDB was recorded");
  return [answer, { calls: JSON.stringify(calls), body: JSON.stringify(answer) }];
}

type Send = (command: Pick<Call, "input">) => Promise<unknown>;
const documents = DynamoDBDocumentClient.prototype as unknown as { send: Send };
const { send } = documents;
documents.send = function recorded(command) {
  // The counts of rate windows are the cost of limits, which has a measurement of its own.
  if (command.input["TableName"] === process.env["WINDOW_TABLE_NAME"]) return send.call(this, command);
  if (pending === 0) calls.push([]);
  pending += 1;
  calls.at(-1)?.push({ command: command.constructor.name, input: structuredClone(command.input) });
  return send.call(this, command).finally(() => {
    pending -= 1;
  });
};

// The clock does not move, so that a warm container forgets nothing on a slow machine.
const startMs = Date.now();
Date.now = () => startMs;

// The functions' sources answer, on the stores of a running service. The first time, they read what a container keeps.
const report = (problem: string) => process.stderr.write(`${problem}\n`);
const client = openClient(await listenHere(createGateway({ routes, functions: { invoke }, report }).server));
await recordAll(client);
writeFileSync(process.argv[2] ?? "", JSON.stringify(await recordAll(client)));
process.exit();
