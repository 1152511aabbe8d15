import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenHere } from "@intents/local/free-port.ts";
import { startDynamoDb } from "@intents/local/stores/dynamodb.ts";

/** The store's refusals by the fate of a request: status, name and message. */
const refusals = {
  "is throttled": [400, "com.amazonaws.dynamodb.v20120810#ThrottlingException", "The store is busy"],
  "is overtaken": [400, "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException", "Another was faster"],
  "finds the disk full": [500, "com.amazonaws.dynamodb.v20120810#InternalServerError", "database or disk is full"],
} as const;

/** A request passes, with its answer or without; it is lost itself; or the store refuses it. */
export type Fate = "passes" | "loses its answer" | "is lost" | keyof typeof refusals;

/** Decides the fate of a request by its operation, such as `TransactWriteItems`, and its body. */
type Judge = (operation: string, body: string) => Fate;

export type StoreProxy = Readonly<{ endpoint: string; judge: (judge: Judge) => void; stop: () => Promise<void> }>;

/** An embedded store in memory, behind a proxy that makes chosen requests fail. */
export async function startStoreProxy(): Promise<StoreProxy> {
  const store = await startDynamoDb(undefined);
  const current: { judge: Judge } = { judge: () => "passes" };
  const server = createServer((request, response) => {
    forward(store.endpoint, current.judge, request, response).catch(() => response.destroy());
  });
  return {
    endpoint: await listenHere(server),
    judge: (judge) => {
      current.judge = judge;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await store.stop();
    },
  };
}

async function forward(store: string, judge: Judge, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const target = String(request.headers["x-amz-target"] ?? "");
  const fate = judge(target.split(".").at(-1) ?? "", body.toString());
  if (fate === "is lost") return void response.destroy();
  if (fate in refusals) {
    const [status, __type, message] = refusals[fate as keyof typeof refusals];
    response
      .writeHead(status, { "Content-Type": "application/x-amz-json-1.0" })
      .end(JSON.stringify({ __type, message }));
    return;
  }
  const named = ["authorization", "content-type", "x-amz-date", "x-amz-target"] as const;
  const headers = Object.fromEntries(named.map((name) => [name, String(request.headers[name] ?? "")]));
  const answer = await fetch(store, { method: "POST", body, headers });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (fate === "loses its answer") return void response.destroy();
  response.writeHead(answer.status, { "Content-Type": answer.headers.get("content-type") ?? "" }).end(bytes);
}
