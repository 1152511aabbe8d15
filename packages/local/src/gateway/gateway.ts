import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { gatewayError } from "@intents/contract/error-answers.ts";
import type { FaultName } from "@intents/contract/faults.ts";
import type { Route } from "@intents/contract/route.ts";
import { isLoopback } from "@intents/deployment/loopback.ts";
import { type Functions, FunctionTimeout } from "../functions.ts";
import { type Answer, sendAnswer, toAnswer, withLocation } from "./answer.ts";
import { openAuthorizer } from "./authorizer.ts";
import { type Connections, followConnections } from "./connections.ts";
import { toProxyEvent } from "./proxy-event.ts";
import { readBody } from "./request-body.ts";
import { type Match, PROXY_RESOURCE, routeMatcher } from "./route-matcher.ts";

const FALLBACK = "fallback";

/** API Gateway's limits of all headers of a request together, and of its address. */
const HEADER_BYTES_MAX = 10_240;
const URI_BYTES_MAX = 8_192;
/** Beyond this Node refuses a request by itself, and cannot tell a long address from long headers. */
const NODE_HEADER_BYTES_MAX = 1_048_576;
/** Idle connections are kept longer than load balancers and clients keep theirs. */
const KEEP_ALIVE_MS = 65_000;
/** A request that was answered, without anything in it that is personal or secret: its address is that of its route. */
export type Answered = Readonly<{
  method: string;
  resource: string;
  status: number;
  durationMs: number;
  requestId: string;
}>;

type Parts = Readonly<{
  routes: Readonly<Record<string, Route>>;
  functions: Functions;
  /** The names that the service may be asked for by, beside those that can only mean this machine. */
  hostnames?: readonly string[];
  /** The address to tell in place of a `Location` that a function answers with. */
  toLocation?: (location: string) => string;
  /** Called with one line about each fault behind a 5xx. */
  report: (problem: string) => void;
  /** Called with each request, when its answer is sent. */
  answered?: ((request: Answered) => void) | undefined;
}>;

export type Gateway = Readonly<{ server: Server; finish: Connections["finish"] }>;

/** A server that turns requests into API Gateway events, runs the functions, and answers as API Gateway does. */
export function createGateway({ routes, functions, hostnames = [], toLocation, report, answered }: Parts): Gateway {
  const matchRoute = routeMatcher(routes);
  const authorize = openAuthorizer(functions, report);

  const answerTo = async (request: IncomingMessage, requestId: string): Promise<Answer> => {
    const fault = (name: FaultName): Answer => gatewayError(name, requestId, Date.now());
    const refusal = refusalOf(request, hostnames);
    if (refusal !== undefined) return fault(refusal);
    const target = targetOf(request.url ?? "");
    const match = target && matchOrUndefined(matchRoute, request.method ?? "GET", target.path);
    if (match !== undefined) resources.set(request, match.resource);
    if (target === undefined || match === undefined) return fault("bad_request");

    const body = await readBody(request);
    if (body === "too_large") return fault("too_large");
    if (body === "cut_off") return fault("bad_request");

    const event = toProxyEvent(request, requestId, target, match, body === "none" ? undefined : body);
    if (match.route?.auth === "key") {
      const apiKey = request.headers["x-api-key"];
      const caller = await authorize(event, Array.isArray(apiKey) ? apiKey.join() : apiKey);
      if (typeof caller === "string") return fault(caller);
      event.requestContext.authorizer = { ...caller };
    }
    const name = match.route?.group ?? FALLBACK;
    try {
      const answer = toAnswer(await functions.invoke(name, event));
      if (answer !== undefined) return toLocation === undefined ? answer : withLocation(answer, toLocation);
      report(`${name}: the answer is malformed or over 6 MB`);
      return fault("bad_gateway");
    } catch (error) {
      report(`${name}: ${String(error)}`);
      return fault(error instanceof FunctionTimeout ? "timeout" : "bad_gateway");
    }
  };

  /** The route of each request, for `answered`. */
  const resources = new WeakMap<IncomingMessage, string>();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const requestId = randomUUID();
    const startedMs = performance.now();
    connections.add(request, response);
    response.once("close", () => {
      const { method = "GET" } = request;
      const resource = resources.get(request) ?? PROXY_RESOURCE;
      const durationMs = performance.now() - startedMs;
      answered?.({ method, resource, status: response.statusCode, durationMs, requestId });
    });
    try {
      const answer = await answerTo(request, requestId);
      // The gateway is stopping, so that this connection shall bring no further request.
      if (connections.isLast(request)) response.setHeader("Connection", "close");
      sendAnswer(response, requestId, answer);
    } catch (error) {
      report(`gateway: ${String(error)}`);
      for (const name of response.getHeaderNames()) response.removeHeader(name);
      sendAnswer(response, requestId, gatewayError("bad_gateway", requestId, Date.now()));
    }
  };

  // Node would refuse a missing Host and an unknown Expect by itself, without our envelope.
  const server = createServer({
    maxHeaderSize: NODE_HEADER_BYTES_MAX,
    requireHostHeader: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  server.on("request", serve).on("checkExpectation", serve).on("clientError", refuseConnection);
  const connections = followConnections(server);
  return { server, finish: connections.finish };
}

/** The reason to refuse a request by its address and headers alone; undefined when there is none. */
function refusalOf(
  { url = "", rawHeaders, headers, httpVersion }: IncomingMessage,
  hostnames: readonly string[],
): FaultName | undefined {
  if (url.length > URI_BYTES_MAX) return "uri_too_long";
  // Each header line also has `: ` and a line end.
  let bytes = rawHeaders.length * 2;
  for (const text of rawHeaders) bytes += text.length;
  if (bytes > HEADER_BYTES_MAX) return "header_too_large";
  // Node would go by the first of two; a proxy before it may have gone by the other.
  if (rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === "host").length > 1)
    return "bad_request";
  if (headers.host === undefined) return httpVersion === "1.0" ? undefined : "bad_request";
  // DNS rebinding: the developer's browser would let in a website whose name leads to this machine.
  const hostname = URL.parse(`http://${headers.host}`)?.hostname ?? "";
  return isLoopback(hostname) || hostnames.includes(hostname) ? undefined : "misdirected";
}

/** Path and query of a request's target, which is a path or, as proxies write it, an absolute URL. */
function targetOf(url: string): Readonly<{ path: string; query: string }> | undefined {
  const local = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?#]*/i, "");
  if (!local.startsWith("/")) return undefined;
  const mark = local.indexOf("?");
  return mark === -1 ? { path: local, query: "" } : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

function matchOrUndefined(
  matchRoute: ReturnType<typeof routeMatcher>,
  method: string,
  path: string,
): Match | undefined {
  try {
    return matchRoute(method, path);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Answers a request that is no HTTP, or too large for Node to read, and ends the connection. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const fault = error.code === "HPE_HEADER_OVERFLOW" ? "header_too_large" : "bad_request";
  const { statusCode, headers, body } = gatewayError(fault, randomUUID(), Date.now());
  const lines = Object.entries({ ...headers, "Content-Length": Buffer.byteLength(body), Connection: "close" });
  socket.end(
    `HTTP/1.1 ${statusCode} Refused\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
  );
}
