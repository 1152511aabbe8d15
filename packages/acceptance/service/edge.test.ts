import { request } from "node:http";
import { routes } from "@intents/contract/routes.ts";
import { describe, expect, test } from "vitest";
import { type ErrorBody, noRateLimit, type Reply, studentBody } from "./client.ts";
import { expectEnvelope, expectShape, pathsOf, problemsOf } from "./refusals.ts";
import { openService } from "./service-fixture.ts";

const { client, service } = await openService(noRateLimit);

const post = (raw: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}) =>
  client.call("POST", "/v2/students", { raw, headers });
const bytesOf = (text: string) => new TextEncoder().encode(text);
const paths = [...new Set(Object.values(routes).map(({ on }) => on.slice(on.indexOf(" ") + 1)))];

describe("a body", () => {
  test.each([
    ["is empty", ""],
    ["is white space", "  \n"],
    ["is cut off", '{"firstName":"Ana'],
    ["has a trailing comma", '{"firstName":"Ana",}'],
    ["has more after its end", "{}{}"],
    ["is a comment", "// {}"],
    ["holds NaN", '{"firstName":NaN}'],
    ["is not UTF-8", Uint8Array.from([...bytesOf('{"firstName":"'), 0xff, 0xfe, ...bytesOf('"}')])],
    ["holds half a character", Uint8Array.from([...bytesOf('{"firstName":"'), 0xe2, 0x82, ...bytesOf('"}')])],
    ["is UTF-16", Uint8Array.from(Buffer.from('{"firstName":"Ana"}', "utf16le"))],
    ["is null", "null"],
    ["is a number", "1"],
    ["is a string", '"{}"'],
    ["is an array", '[{"firstName":"Ana"}]'],
    ["is nested 5,000 deep", `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`],
    ["is arrays 5,000 deep", "[".repeat(5_000) + "]".repeat(5_000)],
  ])("that %s is the array-style 400", async (_what, raw) => {
    const reply = await post(raw);
    expectShape(reply, ...pathsOf(reply));
    expect(problemsOf(reply).length).toBeGreaterThan(0);
  });

  test("gets every problem told at once, each by its dotted path, unknown properties by name", async () => {
    const body = {
      useCase: "gift",
      deliveryMode: "payment_link_submission",
      amountMode: 7,
      payer: { role: "king", details: { email: "x", shoeSize: 44 } },
      recipients: [{ role: "tenant" }, { amount: { portionBps: 10_001, payerAmount: "1,50", tip: 1 }, bank: "x" }],
      instructions: {
        manualPayment: { purpose: "commission" },
        paymentLink: { displayCurrency: "AUD", includeCreatedByText: true },
      },
      termsAccepted: "yes",
      colour: "red",
    };
    expectShape(
      await client.call("POST", "/v2/payment-intents", { body }),
      "useCase",
      "deliveryMode",
      "amountMode",
      "payer.role",
      "payer.details.email",
      "payer.details.shoeSize",
      "recipients.1.amount.portionBps",
      "recipients.1.amount.payerAmount",
      "recipients.1.amount.tip",
      "recipients.1.bank",
      "instructions.manualPayment.purpose",
      "instructions.paymentLink.displayCurrency",
      "instructions.paymentLink.includeCreatedByText",
      "termsAccepted",
      "colour",
    );
  });

  test("without its required fields is told that they are required, whatever they would have to be", async () => {
    const reply = await client.call("POST", "/v2/payment-intents", { body: { payer: {} } });
    const missing = ["useCase", "deliveryMode", "amountMode", "payer.role", "termsAccepted"];
    expectShape(reply, ...missing);
    expect(problemsOf(reply)).toEqual(missing.map((path) => `${path} is required`));
    const nulls = await client.call("POST", "/v2/students", { body: { ...studentBody(), firstName: null } });
    expect(problemsOf(nulls)).toEqual(["firstName must be a string"]);
    const unasked = await client.call("GET", "/v2/commissions/export");
    expect(problemsOf(unasked)).toEqual(["reportPeriod is required"]);
    const form = await client.call("POST", "/v2/commissions/requests", { form: new FormData() });
    expect(problemsOf(form)).toEqual(["paymentIds is required", "commissionTotalAmount is required"]);
    const upload = await client.call("POST", "/v2/documents", { form: new FormData() });
    expect(problemsOf(upload)).toEqual(["file is required"]);
  });

  test("with thousands of problems is told a hundred of them, and how many more there are", async () => {
    const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x${index}${"y".repeat(20)}`, 1]));
    const reply = await client.call("POST", "/v2/students", { body: { ...studentBody(), ...unknown } });
    expect(problemsOf(reply)).toHaveLength(101);
    expect(problemsOf(reply).at(-1)).toBe("and 4900 more problems");
    expect(reply.body.details).toEqual({ errors: expect.any(Array), moreErrors: 4_900 });
    expect(reply.body.details?.["errors"]).toHaveLength(100);
    const long = await client.call("POST", "/v2/students", { body: { ...studentBody(), ["z".repeat(200_000)]: 1 } });
    expect(long.bytes.length).toBeLessThan(1_000);
  });

  test("has each problem told for machines, too: its path, and the reason", async () => {
    const body = { ...studentBody(), dob: "x", "a name with spaces": 1, countryCode: "BRA" };
    const { body: told } = await client.call("POST", "/v2/students", { body });
    expect(told.details).toEqual({
      errors: [
        { path: "dob", reason: "must be a date, yyyy-mm-dd" },
        { path: "countryCode", reason: "must be an ISO 3166-1 alpha-2 country code" },
        { path: "a%20name%20with%20spaces", reason: "should not exist" },
      ],
    });
  });

  test("with keys such as __proto__ is refused by their names, and affects no other request", async () => {
    const raw = `{"firstName":"A","lastName":"B","email":"a@b.co","__proto__":{"phone":"x"},"constructor":{"prototype":{"a":1}},"toString":1}`;
    expectShape(await post(raw), "__proto__", "constructor", "toString");
    expect(Object.keys(await client.newStudent()).toSorted()).toEqual([
      "_id",
      "createdAt",
      "email",
      "firstName",
      "lastName",
      "updatedAt",
    ]);
  });

  test("of just under 256 KB is read, and of one byte more is 413", async () => {
    const padded = (size: number) => {
      const body = JSON.stringify(studentBody());
      return body + " ".repeat(size - body.length);
    };
    expect((await post(padded(256 * 1024))).status).toBe(201);
    expectEnvelope(await post(padded(256 * 1024 + 1)), 413, "[GEN9013]");
    expectEnvelope(await post(padded(11_000_000)), 413, "[GEN9013]");
  });

  test("is read as JSON whatever its content type says, but a form is 415", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-8", ""]) {
      expect((await post(JSON.stringify(studentBody()), { "Content-Type": type })).status).toBe(201);
    }
    expectEnvelope(await post("{}", { "Content-Type": "multipart/form-data; boundary=x" }), 415, "[GEN9015]");
  });

  test("where none is taken is refused by its properties, unless it has none", async () => {
    const { id } = await client.newTuitionIntent();
    const dryRun = (body: unknown) => client.call("POST", `/v2/payment-intents/${id}/dry-run`, { body });
    expectShape(await dryRun({ force: true }), "force");
    expectShape(await dryRun([]), "body");
    expect((await dryRun({})).status).toBe(200);
  });
});

describe("a path", () => {
  test.each(paths)("%s answers an undeclared method with 405, and says which it allows", async (path) => {
    const declared = Object.values(routes)
      .map(({ on }) => on.split(" "))
      .filter(([, resource]) => resource === path)
      .map(([method]) => method);
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
    "/",
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
    post("{"),
    client.call("GET", `/v2/students/${"x".repeat(8_200)}`),
  ]);
  const ids = replies.map(({ headers }) => headers.get("x-request-id"));
  expect(new Set(ids).size).toBe(replies.length);
  expect(ids).not.toContain("mine");
  expect(replies[1]?.body.details).toEqual({ requestId: ids[1] });
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
