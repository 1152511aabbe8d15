import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenHere } from "@intents/local/free-port.ts";

/** The fate of an answer: it passes, is lost, or never leaves the proxy. */
export type Fate = "passes" | "is lost" | "is kept";

/** A proxy in front of a service. Every request is carried out; `judge` decides what becomes of its answer. */
export async function startCuttingProxy(service: string, judge: (request: IncomingMessage) => Fate) {
  const server = createServer((request, response) => {
    forward(service, judge, request, response).catch(() => response.destroy());
  });
  return {
    url: await listenHere(server),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function forward(
  service: string,
  judge: (request: IncomingMessage) => Fate,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { host: _, connection: __, "content-length": ___, "transfer-encoding": ____, ...headers } = request.headers;
  const answer = await fetch(`${service}${request.url}`, {
    method: request.method ?? "GET",
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  });
  const body = Buffer.from(await answer.arrayBuffer());
  const fate = judge(request);
  if (fate === "is lost") return void response.destroy();
  if (fate === "is kept") return;
  response.writeHead(answer.status, { "Content-Type": answer.headers.get("content-type") ?? "" }).end(body);
}
