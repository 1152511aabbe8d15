import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { freePort, listenHere } from "../free-port.ts";
import { isOwn } from "../stores/secret.ts";
import { capacityOf, nameCall, type StoreCall } from "./calls.ts";

export type StoreEndpoints = Readonly<Record<StoreCall["store"], string>>;

export type Recorder = Readonly<{
  /** The address that takes the place of all three stores. */
  endpoint: string;
  /** The calls since the last time that they were taken, in the order of their answers. */
  takeCalls: () => readonly StoreCall[];
  stop: () => Promise<void>;
}>;

/**
 * Headers that belong to one connection, or that are no longer true after a request is passed on. A store's date, if its
 * clock is not the caller's, would make the SDK repeat a refused call.
 */
const dropped = new Set(["connection", "keep-alive", "transfer-encoding", "content-length", "expect", "host", "date"]);

/**
 * A proxy between functions and their stores that passes everything on. Bundles contain an AWS SDK of their own, whose
 * calls no hook in another SDK could see. It asks for the secret of the stores as they do.
 */
export async function startRecorder(stores: StoreEndpoints, secret: string): Promise<Recorder> {
  let calls: StoreCall[] = [];
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const startedMs = performance.now();
    const { method = "GET", url = "/", headers } = request;
    if (!isOwn(headers, request.socket.localPort, secret)) return void response.writeHead(403).end();
    const sent = await buffer(request);
    const json = parseOrUndefined(sent, headers["content-type"]);
    const named = nameCall(url, headers, json);
    const answer = await fetch(`${stores[named.store]}${url}`, {
      method,
      headers: { ...passedOn(headers), "accept-encoding": "identity" },
      body:
        method === "GET" || method === "HEAD" ? null : new Uint8Array(named.store === "DynamoDB" ? priced(json) : sent),
      redirect: "manual",
    });
    const received = Buffer.from(await answer.arrayBuffer());
    const durationMs = performance.now() - startedMs;
    const units = capacityOf(parseOrUndefined(received, answer.headers.get("content-type")));
    calls.push({ ...named, status: answer.status, durationMs, ...(units !== undefined && { capacityUnits: units }) });
    for (const [name, value] of answer.headers) if (!dropped.has(name)) response.setHeader(name, value);
    response.sendDate = false;
    response.writeHead(answer.status).end(received);
  };
  const server = createServer((request, response) => {
    // The SDK sees a broken connection, as it would without this proxy, and tries again.
    pass(request, response).catch(() => response.destroy());
  });
  return {
    endpoint: await listenHere(server, await freePort()),
    takeCalls: () => {
      const taken = calls;
      calls = [];
      return taken;
    },
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const passedOn = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (dropped.has(name) ? [] : [[name, String(value)]])),
  );

/** Asks DynamoDB to say what the call costs. */
const priced = (json: unknown): Buffer =>
  Buffer.from(JSON.stringify({ ...(json as object), ReturnConsumedCapacity: "TOTAL" }));

function parseOrUndefined(bytes: Buffer, type: string | null | undefined): unknown {
  return type?.includes("amz-json") === true && bytes.length > 0 ? JSON.parse(bytes.toString("utf8")) : undefined;
}
