import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { Socket, Server as TcpServer } from "node:net";
import type { Rail } from "@intents/domain/rails/rail.ts";
import type { HttpTerms } from "../src/descriptions.ts";
import type { Secrets } from "../src/http/contract.ts";
import { serveRail } from "../src/http/server.ts";
import { railRows } from "../src/rail-rows.ts";

/** For tests: the terms of the rail that serves every corridor. */
export const httpTerms = railRows.http.at(-1) as HttpTerms;

/** The settings of a service whose real rails are all at one address, and sign by the secret in one file. */
export const byHttp = (url: string, secretFile: string) => {
  const ofEach = (value: string) => railRows.http.map(({ rail }) => `${rail.name}=${value}`).join(" ");
  return { CONNECTOR: "http", CONNECTOR_URL: ofEach(url), CONNECTOR_SECRET: ofEach(`file:${secretFile}`) };
};

/** For tests: servers on the loopback address, all of which `closeAll` ends with their connections. */
export function openServers() {
  const servers: (Server | TcpServer)[] = [];
  const sockets = new Set<Socket>();

  /** Starts a server, and gives its address without a slash at the end. */
  async function listen(server: Server | TcpServer, port = 0): Promise<string> {
    servers.push(server);
    server.on("connection", (socket: Socket) => {
      sockets.add(socket.on("error", () => undefined).on("close", () => sockets.delete(socket)));
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    const address = server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  }

  const serveHttp = (listener: RequestListener) => listen(createServer(listener));

  /** `connector` behind node:http, over the rails' contract. */
  function serveOverHttp(rail: Rail, secrets: Secrets, now: () => number): Promise<string> {
    const serve = serveRail({ rail, secrets, now });
    return serveHttp(async (incoming, response) => {
      const answer = await serve(await toRequest(incoming));
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    });
  }

  function closeAll(): void {
    for (const socket of sockets) socket.destroy();
    for (const server of servers.splice(0)) server.close();
  }

  return { listen, serveHttp, serveOverHttp, closeAll };
}

export async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const { method = "GET", url = "/", headers } = incoming;
  const body = Buffer.concat(await incoming.toArray());
  const given = {
    method,
    headers: headers as Record<string, string>,
    ...(method === "PUT" || method === "POST" ? { body } : {}),
  };
  return new Request(`http://rail.example${url}`, given);
}
