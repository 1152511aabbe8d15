import { request } from "node:http";
import { methodsOf } from "@intents/contract/route.ts";
import { routes } from "@intents/contract/routes.ts";
import { describe, expect, test } from "vitest";
import type { ErrorBody, Reply } from "./client.ts";
import { expectEnvelope } from "./refusals.ts";
import { openService } from "./service-fixture.ts";

const { client, service } = await openService();

const paths = [...new Set(Object.values(routes).map(({ on }) => on.slice(on.indexOf(" ") + 1)))];

describe("a path", () => {
  test.each(paths)("%s answers an undeclared method with 405, and says which it allows", async (path) => {
    const declared = Object.values(routes)
      .filter(({ on }) => on.endsWith(` ${path}`))
      .flatMap(methodsOf);
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter(
      (name) => !declared.includes(name),
    )) {
      const reply = await client.call(method, path.replaceAll(/\{\w+\}/g, "x1"));
      // GET on such a path matches a sibling path with a parameter, whose id is then unknown.
      if (reply.status === 404 && path.endsWith("/requirements")) continue;
      expectEnvelope(reply, 405, "[GEN9005]");
      expect(reply.headers.get("allow")?.split(", ").toSorted(), `${method} ${path}`).toEqual(declared.toSorted());
    }
  });

  test.each([
    "/v2",
    "/v2/nowhere",
    "/v1/students",
    "/V2/students",
    "/v2//students",
    "/v2/students/x/y/z",
    "/v2/../etc",
    "/favicon.ico",
  ])("%s is 404 for every method, with and without a key", async (path) => {
    for (const method of ["GET", "POST", "DELETE"]) expectEnvelope(await client.call(method, path), 404, "[GEN9003]");
    expectEnvelope(await client.call("GET", path, { key: null }), 404, "[GEN9003]");
  });

  test.each([
    "x".repeat(2_000),
    "%23",
    "a%2Fb",
    "a%2F..%2Fb",
    "%00",
    "a%00b",
    "..%2F..",
    "%E2%82%AC",
    "%F0%9F%98%80",
    "T%23other%23STUDENT",
    "__proto__",
    "constructor",
    "null",
    "undefined",
    "-1",
    "1e999",
    "9007199254740993",
    "%20",
    "'%3B--",
    "%7B%7D",
    "NaN",
    "0x10",
  ])("with the id %j is 404", async (id) => {
    for (const resource of ["students", "payers", "payees", "quotes", "payment-intents", "lookup/payment-methods"]) {
      const { status, body } = await client.call("GET", `/v2/${resource}/${id}`);
      expect({ resource, status, statusCode: body.statusCode }).toEqual({ resource, status: 404, statusCode: 404 });
    }
  });

  test("that is not properly percent-encoded is 400", async () => {
    for (const id of ["%", "%zz", "%E2%82", "%ff"]) expectEnvelope(await client.call("GET", `/v2/students/${id}`), 400);
  });

  test("of more than 8 KB is 414, and headers of more than 10 KB are 431", async () => {
    expectEnvelope(await client.call("GET", `/v2/students/${"x".repeat(8_200)}`), 414);
    expectEnvelope(await client.call("GET", `/v2/students?limit=1&${"x".repeat(12_000)}`), 414);
    expectEnvelope(await client.call("GET", "/v2/students", { headers: { "X-Long": "x".repeat(11_000) } }), 431);
    expectEnvelope(await client.call("GET", "/v2/students", { key: `demo:${"x".repeat(11_000)}` }), 431);
  });
});

describe("a key", () => {
  const keys: readonly (readonly [string, string | null])[] = [
    ["that is missing", null],
    ["that is empty", ""],
    ["of an unknown client", "nobody:demo-secret"],
    ["with a wrong secret", "demo:basic-secret"],
    ["without its secret", "demo:"],
    ["without its client", ":demo-secret"],
    ["without a colon", "demo-demo-secret"],
    ["that is a colon", ":"],
    ["with a colon more", "demo:demo-secret:"],
    ["with two colons", "demo::demo-secret"],
    ["that is URL-encoded", "demo%3Ademo-secret"],
    ["that is base64", Buffer.from("demo:demo-secret").toString("base64")],
    ["in capitals", "DEMO:demo-secret"],
    ["with a space inside", "demo: demo-secret"],
    ["with bytes beyond ASCII", "demo:demo-secrét"],
    ["with the separator of stored keys", "demo#x:demo-secret"],
    ["that is the hash of the secret", "demo:2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea"],
    ["of 5,000 characters", `demo:${"x".repeat(5_000)}`],
  ];
  test.each(keys)("%s is 401, on every kind of request", async (_what, key) => {
    expectEnvelope(await client.call("GET", "/v2/users/me", { key }), 401, "[GEN9001]");
    expectEnvelope(await client.call("POST", "/v2/students", { key, raw: "{" }), 401, "[GEN9001]");
    expectEnvelope(await client.call("GET", "/v2/quotes/x", { key }), 401, "[GEN9001]");
  });

  test("is asked for on every route that is not public", async () => {
    for (const { on, auth } of Object.values(routes)) {
      const [method = "", path = ""] = on.split(" ");
      const { status } = await client.call(method, path.replaceAll(/\{\w+\}/g, "x1"), { key: null });
      expect(status === 401, on).toBe(auth === "key");
    }
  });

  test("is found under a header name in any case", async () => {
    const { status } = await client.call("GET", "/v2/users/me", {
      key: null,
      headers: { "x-aPi-KEY": "demo:demo-secret" },
    });
    expect(status).toBe(200);
  });

  test("is taken from its header alone, not from Authorization or the query", async () => {
    const headers = { Authorization: "demo:demo-secret" };
    expectEnvelope(
      await client.call("GET", "/v2/users/me?X-API-Key=demo:demo-secret", { key: null, headers }),
      401,
      "[GEN9001]",
    );
  });

  test("and its secret appear in no answer and no log, even when they are wrong", async () => {
    const key = "demo:a-secret-mistyped";
    const { body } = await client.call("GET", "/v2/users/me", { key });
    expect(JSON.stringify(body)).not.toContain("mistyped");
    expect(service.output()).not.toMatch(/mistyped|X-API-Key: (?!demo:demo-secret)/);
  });
});

test("every answer has an X-Request-Id of its own, and a fault or refusal of the gateway names it", async () => {
  const replies: Reply<ErrorBody>[] = await Promise.all([
    client.call("GET", "/v2/users/me"),
    client.call("GET", "/v2/users/me", { key: null, headers: { "X-Request-Id": "mine" } }),
    client.call("GET", "/v2/nowhere"),
    client.call("DELETE", "/v2/students"),
    client.call("POST", "/v2/students", { raw: "{" }),
    client.call("GET", `/v2/students/${"x".repeat(8_200)}`),
  ]);
  const ids = replies.map(({ headers }) => headers.get("x-request-id"));
  expect(new Set(ids).size).toBe(replies.length);
  expect(ids).not.toContain("mine");
  expect(replies[1]?.body.details).toEqual({ requestId: ids[1] });
});

test("only names of this machine, and those of the settings, are answered: no website's own that leads here", async () => {
  const { hostname, port } = new URL(service.url);
  const asked = ["evil.example", `evil.example:${port}`, "localhost", `127.0.0.1:${port}`, "pay.example"].map(
    (host) =>
      new Promise((resolve, reject) => {
        const headers = { Host: host, "X-API-Key": "demo:demo-secret" };
        const sent = request(
          { hostname, port, path: "/v2/users/me", headers },
          ({ statusCode, headers: answerHeaders }) =>
            resolve([
              statusCode,
              answerHeaders["strict-transport-security"] !== undefined,
              answerHeaders["x-content-type-options"],
            ]),
        );
        sent.on("error", reject).end();
      }),
  );
  const [refused, answered] = [421, 200].map((status) => [status, true, "nosniff"]);
  expect(await Promise.all(asked)).toEqual([refused, refused, answered, answered, answered]);
});

test("a request that promises more body than it sends is given up, and the service answers on", async () => {
  const { hostname, port } = new URL(service.url);
  const half = request({
    hostname,
    port,
    path: "/v2/students",
    method: "POST",
    headers: { "X-API-Key": "demo:demo-secret", "Content-Length": "100" },
  });
  const failed = new Promise((resolve) => half.on("error", resolve));
  half.write('{"firstName":');
  await client.call("GET", "/v2/users/me");
  half.destroy(new Error("gone"));
  await failed;
  expect((await client.call("GET", "/v2/users/me")).status).toBe(200);
});
