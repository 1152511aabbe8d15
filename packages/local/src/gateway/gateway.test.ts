import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { sendRaw, startTestGateway } from "../../test/gateway-fixture.ts";
import { FunctionTimeout } from "../functions.ts";
import { BODY_BYTES_MAX, READ_BYTES_MAX } from "./request-body.ts";

type Gateway = Awaited<ReturnType<typeof startTestGateway>>;
let gateway: Gateway | undefined;
afterEach(async () => gateway?.stop());

async function start(...handlers: Parameters<typeof startTestGateway>): Promise<Gateway> {
  gateway = await startTestGateway(...handlers);
  return gateway;
}

/** Expects the error envelope, with the request's id in it. */
async function expectFault(response: Response, status: number): Promise<void> {
  const body = (await response.json()) as Record<string, unknown>;
  expect(response.status).toBe(status);
  expect(body).toMatchObject({ statusCode: status, message: expect.any(String), timestamp: expect.any(String) });
  expect(body["details"]).toEqual({ requestId: response.headers.get("x-request-id") });
}

describe("the event", () => {
  test("is API Gateway's: decoded parameters, all header values, a base64 body", async () => {
    const { url, calls } = await start();
    await fetch(`${url}/v2/things?a=1&a=2&filter%5Bname%5D=%C3%A9+x&flag`, {
      method: "POST",
      body: Buffer.from([0, 255, 10]),
    });
    const [event] = calls.payees;
    expect(event).toMatchObject({
      resource: "/v2/things",
      path: "/v2/things",
      httpMethod: "POST",
      pathParameters: null,
      queryStringParameters: { a: "2", "filter[name]": "é x", flag: "" },
      multiValueQueryStringParameters: { a: ["1", "2"], "filter[name]": ["é x"], flag: [""] },
      stageVariables: null,
      body: Buffer.from([0, 255, 10]).toString("base64"),
      isBase64Encoded: true,
      requestContext: {
        resourcePath: "/v2/things",
        httpMethod: "POST",
        path: "/local/v2/things",
        stage: "local",
        identity: { sourceIp: "127.0.0.1" },
        requestTime: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    });
    expect(event!.multiValueHeaders["X-Forwarded-For"]).toEqual(["127.0.0.1"]);
  });

  test("has every value of a repeated header, and no body where none was sent", async () => {
    const { port, calls } = await start();
    await sendRaw(
      port,
      "POST /v2/things HTTP/1.1\r\nHost: localhost\r\nX-Twice: one\r\nX-Twice: two\r\n__proto__: x\r\nConnection: close\r\n\r\n",
    );
    const [event] = calls.payees;
    expect(event!.multiValueHeaders["X-Twice"]).toEqual(["one", "two"]);
    expect(event!.headers["X-Twice"]).toBe("two");
    expect(Object.entries(event!.multiValueHeaders)).toContainEqual(["__proto__", ["x"]]);
    expect([event!.body, event!.isBase64Encoded]).toEqual([null, false]);
    expect(event!.queryStringParameters).toBeNull();
  });

  test("of an unknown path or method goes to the fallback function, which needs no key", async () => {
    const { url, calls } = await start();
    await fetch(`${url}/v2/nothing/here`);
    await fetch(`${url}/v2/things/%20a%2Fb`, { method: "DELETE" });
    expect(calls.fallback.map(({ resource, pathParameters }) => [resource, pathParameters])).toEqual([
      ["/{proxy+}", { proxy: "v2/nothing/here" }],
      ["/v2/things/{id}", { id: " a/b" }],
    ]);
    expect(calls.authorizer).toEqual([]);
  });
});

describe("the answer", () => {
  test("is the function's, with its headers, and names the request", async () => {
    const { url, calls } = await start({
      payees: () => ({
        statusCode: 201,
        headers: { "content-type": "text/csv", "Content-Length": "999", "X-One": 1 },
        multiValueHeaders: { "X-Many": ["a", "b"] },
        body: Buffer.from([1, 200, 3]).toString("base64"),
        isBase64Encoded: true,
      }),
    });
    const response = await fetch(`${url}/v2/things`, { method: "POST" });
    expect(response.status).toBe(201);
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([1, 200, 3]);
    expect(response.headers.get("content-type")).toBe("text/csv");
    expect([response.headers.get("x-one"), response.headers.get("x-many")]).toEqual(["1", "a, b"]);
    expect(response.headers.get("x-request-id")).toBe(calls.payees[0]!.requestContext.requestId);
  });

  test.each([
    ["nothing", undefined],
    ["no status", { body: "{}" }],
    ["a status that is no status", { statusCode: 99, body: "" }],
    ["an object for a body", { statusCode: 200, body: {} }],
    ["a header that cannot be sent", { statusCode: 200, headers: { "X-Bad": "a\nb" }, body: "" }],
    ["more than 6 MB", { statusCode: 200, body: "x".repeat(6_291_556) }],
  ])("is 502 for %s", async (_name, answer) => {
    const { url, problems } = await start({ payees: () => answer });
    await expectFault(await fetch(`${url}/v2/things`, { method: "POST" }), 502);
    expect(problems).toHaveLength(1);
  });

  test("may hold almost 6 MB", async () => {
    const { url } = await start({ payees: () => ({ statusCode: 200, body: "x".repeat(6_200_000) }) });
    expect((await fetch(`${url}/v2/things`, { method: "POST" })).status).toBe(200);
  });

  test("is 502 when the function throws, 504 when it takes too long, and the next request is served", async () => {
    const faults = [new Error("secret detail"), new FunctionTimeout("slow")];
    const { url } = await start({
      payees: () => {
        const fault = faults.shift();
        if (fault !== undefined) throw fault;
        return { statusCode: 200, body: "" };
      },
    });
    const post = () => fetch(`${url}/v2/things`, { method: "POST" });
    const thrown = await post();
    expect(await thrown.clone().text()).not.toContain("secret");
    await expectFault(thrown, 502);
    await expectFault(await post(), 504);
    expect((await post()).status).toBe(200);
  });
});

describe("limits", () => {
  test.each([
    [BODY_BYTES_MAX, 200],
    [BODY_BYTES_MAX + 1, 413],
    [READ_BYTES_MAX + 1_000_000, 413],
  ])("a body of %i bytes is answered %i", async (bytes, status) => {
    const { url } = await start();
    const response = await fetch(`${url}/v2/things`, { method: "POST", body: Buffer.alloc(bytes) });
    if (status === 200) expect(response.status).toBe(200);
    else await expectFault(response, status);
  });

  test("headers over 10,240 bytes are 431 and an address over 8,192 is 414, however large", async () => {
    const { url } = await start();
    for (const bytes of [10_240, 15_000]) {
      await expectFault(
        await fetch(`${url}/v2/things`, { method: "POST", headers: { "X-Long": "x".repeat(bytes) } }),
        431,
      );
    }
    for (const bytes of [8_200, 50_000]) await expectFault(await fetch(`${url}/v2/things?q=${"x".repeat(bytes)}`), 414);
    expect((await fetch(`${url}/v2/things`, { method: "POST", headers: { "X-Long": "x".repeat(9_500) } })).status).toBe(
      200,
    );
  });

  test.each([
    ["more than Node reads", `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(1_100_000)}\r\n\r\n`, 431],
    ["something else than HTTP", "\x16\x03\x01\x02 hello\r\n\r\n", 400],
    [
      "a Host that others may own",
      "GET /v2/things HTTP/1.1\r\nHost: evil.example:3000\r\nConnection: close\r\n\r\n",
      421,
    ],
    ["a Host in disguise", "GET / HTTP/1.1\r\nHost: 127.0.0.1.evil.example\r\nConnection: close\r\n\r\n", 421],
    ["a Host that is none", "GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n", 421],
    ["two Hosts", "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n", 400],
    ["no Host", "GET /v2/things HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["bad percent-encoding", "GET /v2/things/%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400],
    ["a target that is no path", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400],
    ["a broken chunk", "POST /v2/things HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400],
    [
      "two lengths",
      "POST /v2/things HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
      400,
    ],
  ])("%s is refused in the envelope, and other requests are served", async (_name, text, status) => {
    const { url, port } = await start();
    const received = await sendRaw(port, text);
    expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(received.toLowerCase()).toContain("x-request-id: ");
    expect(JSON.parse(received.split("\r\n\r\n")[1]!)).toMatchObject({ statusCode: status });
    expect((await fetch(`${url}/v2/things`, { method: "POST" })).status).toBe(200);
  });

  test.each(["localhost", "127.0.0.1:3000", "[::1]:3000", "LOCALHOST", "pay.example", "pay.example:8443"])(
    "the service answers to the Host %s",
    async (host) => {
      const { port, calls } = await start();
      const text = `POST /v2/things HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
      expect(await sendRaw(port, text)).toMatch(/^HTTP\/1.1 200 /);
      expect(calls.payees).toHaveLength(1);
    },
  );

  test("a sender that leaves in the middle of its body does not disturb other requests", async () => {
    const { url, port, calls } = await start();
    const socket = connect(port, "127.0.0.1");
    socket.write("POST /v2/things HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf", () =>
      socket.destroy(),
    );
    expect((await fetch(`${url}/v2/things`, { method: "POST" })).status).toBe(200);
    expect(calls.payees).toHaveLength(1);
  });
});

describe("a gateway that stops", () => {
  const POST = "POST /v2/things HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";
  const LONG_MS = 60_000;

  /** An open connection, what came back on it so far, and its end. */
  async function open(port: number) {
    const socket = connect(port, "127.0.0.1").setEncoding("latin1");
    let received = "";
    socket.on("data", (chunk: string) => {
      received += chunk;
    });
    const closed = once(socket, "close");
    await once(socket, "connect");
    return { socket, closed, received: () => received, answers: () => received.match(/HTTP\/1\.1 \d+/g) ?? [] };
  }

  test("answers what lies in its sockets unread, on new connections and on kept ones", async () => {
    const { port, stop } = await start();
    const kept = await open(port);
    kept.socket.write(POST);
    await expect.poll(kept.received).toContain("HTTP/1.1 200");
    const fresh = await Promise.all(Array.from({ length: 20 }, () => open(port)));
    const idle = await open(port);
    for (const { socket } of [kept, ...fresh]) socket.write(POST);
    await stop(LONG_MS);
    await Promise.all([kept, ...fresh, idle].map(({ closed }) => closed));
    expect(kept.answers()).toEqual(["HTTP/1.1 200", "HTTP/1.1 200"]);
    expect(fresh.map(({ answers }) => answers())).toEqual(fresh.map(() => ["HTTP/1.1 200"]));
    expect(fresh.every(({ received }) => /^connection: close/im.test(received()))).toBe(true);
    expect(idle.received()).toBe("");
  });

  test("waits for the rest of a request that has begun, and for the reader of a large answer", async () => {
    const large = "x".repeat(6_000_000);
    const { port, stop } = await start({ payees: () => ({ statusCode: 200, body: large }) });
    const [slow, begun] = [await open(port), await open(port)];
    slow.socket.write(POST);
    await expect.poll(slow.received).toContain("HTTP/1.1 200");
    slow.socket.pause();
    begun.socket.write(POST.slice(0, 20));
    const stopped = stop(LONG_MS);
    begun.socket.write(POST.slice(20));
    slow.socket.resume();
    await Promise.all([stopped, slow.closed, begun.closed]);
    for (const { received } of [slow, begun]) expect(received().split("\r\n\r\n")[1]).toHaveLength(large.length);
  });
});

test("each answer is told with its route's address, and nothing that is personal or secret", async () => {
  const { url, answered } = await start();
  await fetch(`${url}/v2/things/ana@example.com?key=secret`, { headers: { "X-API-Key": "one:secret" } });
  await fetch(`${url}/v2/nobody/ana@example.com`);
  await expect
    .poll(() => answered.map(({ method, resource, status }) => [method, resource, status]))
    .toEqual([
      ["GET", "/v2/things/{id}", 200],
      ["GET", "/{proxy+}", 404],
    ]);
  expect(JSON.stringify(answered)).not.toMatch(/secret|example/);
});
