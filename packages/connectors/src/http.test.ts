import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTcpServer, type Socket, type Server as TcpServer } from "node:net";
import type { Connector } from "@intents/domain/connector.ts";
import { newRecordId } from "@intents/domain/ids.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openHttpRail } from "./http.ts";
import { freePort, leg, order, startRailTable } from "./rail-fixture.ts";
import { serveRail } from "./rail-server.ts";
import { openSandboxRail } from "./sandbox.ts";

const secret = "a-shared-secret-of-the-tests";
const executionId = "019300000000aaaabbbbcccc:7";
const accepted = { kind: "accepted", railPaymentId: "r1", expectedSettlementMs: 1 } as const;
const acceptance = JSON.stringify({ tenantId: "1001", executionId, answer: accepted });
const notAccepted = JSON.stringify({ outcome: "not_accepted", reason: "maintenance" });

const servers: (Server | TcpServer)[] = [];
const sockets = new Set<Socket>();
const closeAll = () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
};
afterEach(closeAll);

async function listen(server: Server | TcpServer, port = 0): Promise<string> {
  servers.push(server);
  server.on("connection", (socket: Socket) => {
    sockets.add(socket.on("error", () => undefined).on("close", () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

/** A rail that speaks raw TCP: `answer` gets the connection once the request's first bytes are in. */
const rawRail = (answer: (socket: Socket) => void) =>
  listen(createTcpServer((socket) => socket.once("data", () => answer(socket))));
const httpRail = (listener: RequestListener) => listen(createServer(listener));
const answering = (status: number, body: string) =>
  httpRail((_, response) => response.writeHead(status, { "content-type": "application/json" }).end(body));

// Nothing random, so that pauses are their shortest; the clock is the real one.
const client = (url: string, changes: Partial<Parameters<typeof openHttpRail>[0]> = {}): Connector =>
  openHttpRail({ url, secret, now: Date.now, random: (count) => new Uint8Array(count), ...changes });
// Too short a budget for a second try, unless a test is about one.
const ONE_TRY = { budgetMs: 5_000 };
const executeAt = (url: string, changes: Partial<Parameters<typeof openHttpRail>[0]> = {}) =>
  client(url, changes).execute(order(), executionId);

describe("what the client makes of a hostile rail", () => {
  test("a refused port is unreachable", async () => {
    expect(await executeAt(`http://127.0.0.1:${await freePort()}`)).toEqual({
      kind: "unreachable",
      reason: "ECONNREFUSED",
    });
  });

  test("an unknown host is unreachable", async () => {
    expect(await executeAt("http://rail.invalid", ONE_TRY)).toMatchObject({ kind: "unreachable" });
  });

  test.each<[string, (socket: Socket) => void]>([
    ["reset once the request is in", (socket) => socket.resetAndDestroy()],
    ["closed without an answer", (socket) => socket.end()],
    ["cut off inside the headers", (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-le")],
    [
      "reset after the headers",
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 400\r\n\r\n{", () => socket.resetAndDestroy());
      },
    ],
    ["answered with something that is not HTTP", (socket) => socket.end("220 smtp.example ready\r\n")],
  ])("a connection %s is unknown", async (_, answer) => {
    expect(await executeAt(await rawRail(answer), ONE_TRY)).toMatchObject({ kind: "unknown" });
  });

  test.each<[string, (socket: Socket) => void]>([
    ["never answers", () => undefined],
    ["stops inside its answer", (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 400\r\n\r\n{")],
  ])("a rail that %s is unknown when the budget is used up, and not later", async (_, answer) => {
    const url = await rawRail(answer);
    const startedAt = Date.now();
    expect(await executeAt(url, { budgetMs: 300 })).toEqual({ kind: "unknown", reason: "TimeoutError" });
    expect(Date.now() - startedAt).toBeLessThan(2_000);
  });

  test.each([
    ["is not JSON", 200, "<html>ok</html>"],
    ["is empty", 200, ""],
    ["is JSON of another shape", 200, '{"kind":"accepted"}'],
    ["is about another tenant", 200, acceptance.replace("1001", "1002")],
    ["is about another execution", 200, acceptance.replace(":7", ":8")],
    ["has no end", 200, " ".repeat(600 * 1024) + acceptance],
    ["claims success with an error status", 500, acceptance],
    ["is an error of something in between", 502, "Bad Gateway"],
    ["is a plain 503", 503, "Service Unavailable"],
    ["calls itself unknown", 504, JSON.stringify({ outcome: "unknown", reason: "lost" })],
  ])("an answer that %s is unknown", async (_, status, body) => {
    expect(await executeAt(await answering(status, body))).toMatchObject({ kind: "unknown" });
  });

  test("an explicit refusal to accept is unreachable", async () => {
    expect(await executeAt(await answering(503, notAccepted))).toEqual({ kind: "unreachable", reason: "maintenance" });
  });

  test("a redirect is not followed", async () => {
    const elsewhere = await answering(200, acceptance);
    const url = await httpRail((_, response) => response.writeHead(307, { location: elsewhere }).end());
    expect(await executeAt(url)).toMatchObject({ kind: "unknown" });
  });

  test("an answer that only the second try gets is the answer", async () => {
    let requests = 0;
    const url = await httpRail((request, response) => {
      requests += 1;
      if (requests === 1) request.socket.resetAndDestroy();
      else response.end(acceptance);
    });
    expect(await executeAt(url)).toEqual(accepted);
    expect(requests).toBe(2);
  });

  test.each<[string, (request: IncomingMessage) => void]>([
    ["not accepted", () => undefined],
    ["a refused port", () => closeAll()],
  ])("a try that may have arrived makes the call unknown, even when the next one meets %s", async (_, next) => {
    let requests = 0;
    const url = await httpRail((request, response) => {
      requests += 1;
      if (requests > 1) return void response.writeHead(503).end(notAccepted);
      next(request);
      request.socket.resetAndDestroy();
    });
    expect(await executeAt(url)).toMatchObject({ kind: "unknown" });
  });

  test("a rail that comes up between two tries is reached", async () => {
    const port = await freePort();
    let tries = 0;
    const fetch: typeof globalThis.fetch = async (...request) => {
      tries += 1;
      if (tries === 2)
        await listen(
          createServer((_, response) => response.end(acceptance)),
          port,
        );
      return globalThis.fetch(...request);
    };
    expect(await executeAt(`http://127.0.0.1:${port}`, { fetch })).toEqual(accepted);
  });

  test.each([
    ["refuses connections", async () => `http://127.0.0.1:${await freePort()}`],
    ["answers with garbage", () => answering(200, "garbage")],
    ["answers a bare 404", () => answering(404, "not found")],
    [
      "answers about another tenant",
      () => answering(200, JSON.stringify({ tenantId: "1002", executionId, answer: { kind: "pending" } })),
    ],
  ])("the status of a rail that %s is unavailable, never not found", async (_, start) => {
    expect(await client(await start(), ONE_TRY).status("1001", executionId)).toMatchObject({ kind: "unavailable" });
  });
});

describe("the client against the sandbox over the contract", () => {
  let table: Awaited<ReturnType<typeof startRailTable>>;
  let nowMs = Date.now();
  beforeAll(async () => {
    table = await startRailTable();
  });
  afterAll(() => table.stop());

  /** The sandbox behind node:http, and a client of it. */
  async function openBoth(clientSecret = secret) {
    const { db, tableName } = table;
    const times = { settleSeconds: 2, dedupSeconds: 300, now: () => nowMs, random: randomBytes };
    const rail = openSandboxRail({ db, tableName, baseUrl: "https://api.example", ...times });
    const serve = serveRail({ connector: rail.connector, secret, now: () => nowMs });
    const url = await httpRail(async (incoming, response) => {
      const answer = await serve(await toRequest(incoming));
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    });
    return { rail, connector: client(`${url}/rail/v1`, { secret: clientSecret, now: () => nowMs }) };
  }

  async function toRequest(incoming: IncomingMessage): Promise<Request> {
    const { method = "GET", url = "/", headers } = incoming;
    const body = Buffer.concat(await incoming.toArray());
    const given = { method, headers: headers as Record<string, string>, ...(method === "PUT" ? { body } : {}) };
    return new Request(`http://rail.example${url}`, given);
  }

  test.each(["dmt", "card"])(
    "a payment by %s is answered, repeated and followed as directly at the rail",
    async (method) => {
      const { rail, connector } = await openBoth();
      const tenantId = `http-${method}`;
      const id = `${newRecordId(nowMs, randomBytes)}:3`;
      const payment = order({ tenantId, settlementMethod: method, legs: [leg({ reference: "naïve – 学費" })] });
      const first = await connector.execute(payment, id);
      expect(first).toMatchObject({ kind: "accepted" });
      expect(await connector.execute(payment, id)).toEqual(first);
      expect(await rail.connector.execute(payment, id)).toEqual(first);
      expect(await connector.execute(payment, newRecordId(nowMs, randomBytes))).toEqual({ kind: "duplicate" });
      expect(await rail.listPayments(tenantId, { limit: 10 })).toHaveLength(1);
      expect(await connector.status(tenantId, id)).toEqual({ kind: "pending" });
      expect(await connector.status("another", id)).toEqual({ kind: "not_found" });
      nowMs += 30 * 60_000;
      expect(await connector.status(tenantId, id)).toEqual(await rail.connector.status(tenantId, id));
      expect(await connector.cancel(tenantId, id)).toEqual(await rail.connector.status(tenantId, id));
      expect(await connector.cancel("another", id)).toEqual({ kind: "not_found" });
    },
  );

  test("unavailable and lost answers keep their meaning on the way", async () => {
    const { connector } = await openBoth();
    const execute = (reference: string, id: string) =>
      connector.execute(order({ tenantId: "http-outcomes", legs: [leg({ reference })] }), id);
    const id = newRecordId(nowMs, randomBytes);
    expect(await execute("SANDBOX-UNAVAILABLE", id)).toMatchObject({ kind: "unreachable" });
    expect(await execute("SANDBOX-TIMEOUT", id)).toMatchObject({ kind: "unknown" });
    expect(await execute("SANDBOX-TIMEOUT", id)).toMatchObject({ kind: "accepted" });
  });

  test("a client with another secret pays nothing and learns nothing", async () => {
    const { rail, connector } = await openBoth("another-secret-of-the-tests");
    const id = newRecordId(nowMs, randomBytes);
    expect(await connector.execute(order({ tenantId: "http-secret" }), id)).toMatchObject({ kind: "unreachable" });
    expect(await connector.status("http-secret", id)).toMatchObject({ kind: "unavailable" });
    expect(await rail.listPayments("http-secret", { limit: 10 })).toEqual([]);
  });
});
