import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type Socket } from "node:net";
import type { Rail } from "@intents/domain/rails/rail.ts";
import { afterEach, describe, expect, test } from "vitest";
import { httpTerms, openServers } from "../../test/http-fixture.ts";
import { freePort, funding, order } from "../../test/rail-fixture.ts";
import { openHttpRail } from "./client.ts";
import { answerSignatureOf, SIGNATURE_HEADER } from "./contract.ts";

const secret = "a-shared-secret-of-the-tests";
const executionId = "019300000000aaaabbbbcccc:7";
const accepted = { kind: "accepted", railPaymentId: "r1", expectedSettlementMs: 1 } as const;
const bankDetails = { beneficiaryName: "Clients", bankName: "Bank", accountNumber: "123456789" };
const notAccepted = JSON.stringify({ outcome: "not_accepted", reason: "maintenance" });

const { listen, serveHttp: httpRail, closeAll } = openServers();
afterEach(closeAll);

/** A rail that speaks raw TCP: `answer` gets the connection once the request's first bytes are in. */
const rawRail = (answer: (socket: Socket) => void) =>
  listen(createTcpServer((socket) => socket.once("data", () => answer(socket))));
/** Answers as the rail does, with its signature. */
function reply(request: IncomingMessage, response: ServerResponse, status: number, body: string): void {
  const signature = String(request.headers[SIGNATURE_HEADER]);
  response.writeHead(status, { [SIGNATURE_HEADER]: answerSignatureOf({ signature, status, body }, secret) }).end(body);
}
const answering = (status: number, body: string) =>
  httpRail((request, response) => reply(request, response, status, body));

// Its random bytes are zeros, so that pauses are as short as they can be; its clock is the real one.
const client = (url: string, changes: Partial<Parameters<typeof openHttpRail>[0]> = {}): Rail =>
  openHttpRail({
    url,
    terms: httpTerms,
    secrets: async () => [secret],
    now: Date.now,
    random: (count) => new Uint8Array(count),
    ...changes,
  });
// This budget is too short for a second try, except where a test is about one.
const ONE_TRY = { budgetMs: 5_000 };

/** The calls that create something and may be lost on the way, each with the rail's answer and the ids in it. */
const calls = [
  {
    call: "a payment",
    ask: ({ execute }: Rail) => execute(order(), executionId),
    answer: accepted,
    whose: { tenantId: "1001", executionId },
  },
  {
    call: "a deposit",
    ask: ({ fund }: Rail) => fund(funding()),
    answer: { kind: "funded", bankDetails, dueDate: "2026-11-04" },
    whose: { tenantId: "1001", fundingReference: funding().fundingReference },
  },
] as const;

describe.each(calls)("the client's answer when it asks a hostile rail for $call:", ({ ask, answer, whose }) => {
  const acceptance = JSON.stringify({ ...whose, answer });
  const [, name] = Object.values(whose);
  const executeAt = (url: string, changes: Partial<Parameters<typeof openHttpRail>[0]> = {}) =>
    ask(client(url, changes));

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
    // Far below what a rail that hangs would take, and above what a busy machine does.
    expect(Date.now() - startedAt).toBeLessThan(20_000);
  });

  test.each([
    ["is not JSON", 200, "<html>ok</html>"],
    ["is empty", 200, ""],
    ["is JSON of another shape", 200, '{"kind":"accepted"}'],
    ["is about another tenant", 200, acceptance.replace("1001", "1002")],
    ["is about another name", 200, acceptance.replace(`${name}`, `${name}8`)],
    ["is a word too many", 200, acceptance.replace(answer.kind, "promised")],
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

  test.each<[string, (parts: Parameters<typeof answerSignatureOf>[0]) => string | undefined]>([
    ["has no signature", () => undefined],
    ["is signed with another secret", (parts) => answerSignatureOf(parts, "another")],
    ["is signed for another status", (parts) => answerSignatureOf({ ...parts, status: 201 }, secret)],
    ["is signed for another body", (parts) => answerSignatureOf({ ...parts, body: "{}" }, secret)],
    ["was signed for another request", (parts) => answerSignatureOf({ ...parts, signature: "0".repeat(64) }, secret)],
    ["repeats the signature of the request", ({ signature }) => signature],
  ])("an answer that %s is unknown, be it yes or no", async (_, sign) => {
    for (const [status, body] of [
      [200, acceptance],
      [503, notAccepted],
    ] as const) {
      const url = await httpRail((request, response) => {
        const given = sign({ signature: String(request.headers[SIGNATURE_HEADER]), status, body });
        response.writeHead(status, given === undefined ? {} : { [SIGNATURE_HEADER]: given }).end(body);
      });
      expect(await executeAt(url)).toEqual({ kind: "unknown", reason: "the rail's answer is not signed by the rail" });
    }
  });

  test("an answer that is signed with the secret before the newest is the answer", async () => {
    const secrets = async () => ["the-newest", secret] as const;
    expect(await executeAt(await answering(200, acceptance), { secrets })).toEqual(answer);
  });

  test("a secret that cannot be read is unreachable, since nothing was sent", async () => {
    const secrets = () => Promise.reject(new Error("no permission"));
    expect(await executeAt(await answering(200, acceptance), { secrets })).toEqual({
      kind: "unreachable",
      reason: "no signing secret: Error",
    });
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
      else reply(request, response, 200, acceptance);
    });
    expect(await executeAt(url)).toEqual(answer);
    expect(requests).toBe(2);
  });

  test.each<[string, (request: IncomingMessage) => void]>([
    ["not accepted", () => undefined],
    ["a refused port", () => closeAll()],
  ])("a try that may have arrived makes the call unknown, even when the next one meets %s", async (_, next) => {
    let requests = 0;
    const url = await httpRail((request, response) => {
      requests += 1;
      if (requests > 1) return reply(request, response, 503, notAccepted);
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
          createServer((asked, response) => reply(asked, response, 200, acceptance)),
          port,
        );
      return globalThis.fetch(...request);
    };
    expect(await executeAt(`http://127.0.0.1:${port}`, { fetch })).toEqual(answer);
  });
});

describe.each([
  ["refuses connections", async () => `http://127.0.0.1:${await freePort()}`],
  ["answers with garbage", () => answering(200, "garbage")],
  ["answers a bare 404", () => answering(404, "not found")],
  ["is under maintenance", () => answering(503, notAccepted)],
  [
    "does not sign what it says",
    () =>
      httpRail((_, response) =>
        response.end(JSON.stringify({ tenantId: "1001", executionId, answer: { kind: "pending" } })),
      ),
  ],
])("a rail that %s", (_, start) => {
  test("is unavailable when it is asked for a payment's status, and that is never taken for not found", async () => {
    expect(await client(await start(), ONE_TRY).status("1001", executionId)).toMatchObject({ kind: "unavailable" });
    expect(await client(await start(), ONE_TRY).cancel("1001", executionId)).toMatchObject({ kind: "unavailable" });
  });

  test("is unavailable when it is asked for its payments, and that is never taken for an empty list", async () => {
    expect(await client(await start(), ONE_TRY).list({ sinceMs: 7, limit: 1 })).toMatchObject({ kind: "unavailable" });
  });
});

test("the answer about another tenant's payment is not taken for a status", async () => {
  const url = await answering(200, JSON.stringify({ tenantId: "1002", executionId, answer: { kind: "pending" } }));
  expect(await client(url).status("1001", executionId)).toMatchObject({ kind: "unavailable" });
});

test.each([
  ["of another time", { sinceMs: 8, after: "b" }],
  ["of another page", { sinceMs: 7, after: "a" }],
  ["of the first page", { sinceMs: 7 }],
])("a page %s is not taken for the answer", async (_, asked) => {
  const url = await answering(200, JSON.stringify({ ...asked, answer: { kind: "page", payments: [] } }));
  expect(await client(url).list({ sinceMs: 7, limit: 1, after: "b" })).toMatchObject({ kind: "unavailable" });
});

test.each([
  "https://rail.example/v1",
  "https://rail.example/v1/",
  "https://RAIL.example:443/v1//",
  "https://rail.example/v1?trace=1#top",
])("the address of %s is stored in one spelling, by which claims find the rail again", (url) => {
  expect(client(url).rail).toMatchObject({ name: "http", address: "https://rail.example/v1", corridors: "all" });
});
