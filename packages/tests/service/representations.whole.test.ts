import { readFileSync } from "node:fs";
import { request } from "node:http";
import { gunzipSync } from "node:zlib";
import { routes } from "@intents/contract/routes.ts";
import { describe, expect, test } from "vitest";
import { newBelongings } from "./belongings.ts";
import { fileForm, pdf } from "./client.ts";
import { expectEnvelope } from "./refusals.ts";
import { openService } from "./service-fixture.ts";
import { newKey } from "./tuition.ts";

const { client, service } = await openService();
const owned = await newBelongings(client);
const tagOf = async (path: string): Promise<string> =>
  (await client.call("GET", path)).headers.get("etag")?.replace(/^W\//, "") ?? "none";

/** An answer as it came, which fetch would decompress. */
const ask = (path: string, headers: Readonly<Record<string, string>>, method = "GET") =>
  new Promise<{ headers: Readonly<Record<string, unknown>>; bytes: Buffer }>((resolve, reject) => {
    const options = { method, headers: { "X-API-Key": "demo:demo-secret", ...headers } };
    const asked = request(`${service.url}${path}`, options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => resolve({ headers: answer.headers, bytes: Buffer.concat(chunks) }));
    });
    asked.on("error", reject).end();
  });

test("HEAD is answered as GET is, without a body: one resource, a list, a page and a file of it", async () => {
  const month = `/v2/commissions/export?reportPeriod=${owned.commissions.month}`;
  for (const path of [`/v2/students/${owned.student._id}`, "/v2/students", "/docs", `/assets/${owned.script}`, month]) {
    const [get, head] = [await client.call("GET", path), await client.call("HEAD", path)];
    expect([path, head.status, head.bytes.length]).toEqual([path, get.status, 0]);
    for (const name of ["content-type", "cache-control", "etag", "vary", "location", "content-disposition"])
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
  }
});

test("HEAD needs a key where GET does, and a path that takes no GET", async () => {
  expect((await client.call("HEAD", "/v2/users/me", { key: null })).status).toBe(401);
  const refused = await client.call("HEAD", "/v2/quotes");
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "POST"]);
});

describe("a resource", () => {
  test.each([`/v2/students/${owned.student._id}`, `/v2/public/payment-links/${owned.link.token}`, "/docs/lifecycle"])(
    "at %s has a tag, by which a caller who has it is told so",
    async (path) => {
      const { headers, bytes } = await ask(path, { "Accept-Encoding": "identity" });
      const tag = String(headers["etag"]);
      expect(tag).toMatch(/^"[\w-]{43}"$/);
      expect(bytes.length).toBeGreaterThan(0);
      const again = await client.call("GET", path, { headers: { "If-None-Match": tag } });
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
      expect(again.headers.get("etag")?.replace("W/", "")).toBe(tag);
    },
  );

  test("that was changed has another tag, which the answer to the change has too", async () => {
    const { _id } = await client.newStudent();
    const path = `/v2/students/${_id}`;
    const before = await tagOf(path);
    const put = await client.call("PUT", path, { body: { city: "Recife" } });
    expect(put.headers.get("etag")).not.toBe(before);
    expect(await tagOf(path)).toBe(put.headers.get("etag"));
  });

  test("such as a payment has another tag whenever it has moved on", async () => {
    const { id } = await client.newTuitionIntent();
    const path = `/v2/payment-intents/${id}`;
    const tags = [await tagOf(path)];
    await client.submit(id, newKey());
    await client.waitForStatus(id, "completed");
    tags.push(await tagOf(path));
    expect(new Set(tags).size).toBe(2);
    expect(await tagOf(path)).toBe(tags[1]);
  });
});

describe("a change", () => {
  const changes = [
    { kind: "student", make: async () => `/v2/students/${(await client.newStudent())._id}`, body: { city: "Recife" } },
    {
      kind: "payer",
      make: async () => `/v2/payers/${(await client.newPayer())._id}`,
      body: { email: "a@example.com" },
    },
  ];

  test.each(changes)("of a $kind that its caller has not read since it changed is 412", async ({ make, body }) => {
    const path = await make();
    const tag = await tagOf(path);
    const put = (ifMatch: string) => client.call("PUT", path, { body, headers: { "If-Match": ifMatch } });
    expect((await put(tag)).status).toBe(200);
    const read = await client.must("GET", path);
    expectEnvelope(await put(tag), 412, "[GEN9012]");
    expect(await client.must("GET", path)).toEqual(read);
    expectEnvelope(await client.call("PUT", `${path}x`, { body, headers: { "If-Match": "*" } }), 404, "[GEN9003]");
  });

  test.each(changes)("of a $kind is made by one of many who have read the same", async ({ make, body }) => {
    const path = await make();
    const headers = { "If-Match": await tagOf(path) };
    const replies = await Promise.all(Array.from({ length: 8 }, () => client.call("PUT", path, { body, headers })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
  });

  test("of an invoice whose request has changed since is 412, and keeps the request as it is", async () => {
    const path = `/v2/commissions/requests/${owned.commissions.submitted}`;
    const put = (ifMatch: string) => {
      const form = fileForm(pdf(), "a.pdf", "application/pdf", "invoice");
      return client.call("PUT", path, { form, headers: { "If-Match": ifMatch } });
    };
    expectEnvelope(await put('"other"'), 412, "[GEN9012]");
    const put200 = await put(await tagOf(path));
    expect([put200.status, put200.headers.get("etag")?.replace("W/", "")]).toEqual([200, await tagOf(path)]);
    // An outdated tag does not replace the invoice.
    const seen = await tagOf(path);
    expect((await put(seen)).status).toBe(200);
    expectEnvelope(await put(seen), 412, "[GEN9012]");
  });
});

describe("a long answer", () => {
  const path = "/v2/lookup/countries";

  test("is compressed for whoever accepts that, and its tag is then a weak one of the same content", async () => {
    const plain = await ask(path, { "Accept-Encoding": "identity" });
    const zipped = await ask(path, { "Accept-Encoding": "br, gzip;q=0.9" });
    const unwanted = await ask(path, { "Accept-Encoding": "gzip;q=0" });
    expect(plain.headers).not.toHaveProperty("content-encoding");
    expect(unwanted.headers).not.toHaveProperty("content-encoding");
    expect(unwanted.headers["etag"]).toBe(plain.headers["etag"]);
    expect(zipped.headers).toMatchObject({ "content-encoding": "gzip", "content-length": `${zipped.bytes.length}` });
    expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true);
    expect(zipped.bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(zipped.headers["etag"]).toBe(`W/${plain.headers["etag"]}`);
    expect([plain.headers["vary"], zipped.headers["vary"]]).toEqual(["Accept-Encoding", "Accept-Encoding"]);
  });

  test("of bytes is the same after decompression", async () => {
    const bytes = pdf(100_000);
    const { documentId } = await client.must<{ documentId: string }>("POST", "/v2/documents", {
      form: fileForm(bytes),
    });
    const party = `/v2/students/${owned.student._id}`;
    const { legacyDocumentId } = await client.saveDocument(party, documentId);
    const zipped = await ask(`${party}/documents/${legacyDocumentId}/content`, { "Accept-Encoding": "gzip" });
    expect(zipped.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(zipped.bytes).equals(bytes)).toBe(true);
  });

  test("is no shorter for whoever accepts no compression, and a short one is never compressed", async () => {
    expect((await ask(path, {})).headers).not.toHaveProperty("content-encoding");
    const short = await ask("/v2/lookup/countries?limit=1", { "Accept-Encoding": "gzip" });
    expect(short.headers).not.toHaveProperty("content-encoding");
    expect(short.headers["etag"]).toMatch(/^"/);
  });
});

test("what was created is found at its Location", async () => {
  const party = `/v2/students/${owned.student._id}`;
  const made = await Promise.all([
    client.call("POST", "/v2/students", { body: { firstName: "A", lastName: "B", email: "a@example.com" } }),
    client.call("POST", "/v2/payers", { body: { payerType: "individual", email: "a@example.com" } }),
    client.call("POST", "/v2/payees", { body: { name: "Own Ltd", countryCode: "AU", currencyCode: "AUD" } }),
    client.call("POST", "/v2/quotes", { body: routes["createQuote"]?.example }),
    client.call("POST", "/v2/payment-intents", { body: routes["createPaymentIntent"]?.example }),
    client.call("POST", `${party}/documents`, {
      body: { sourceDocumentId: owned.upload, type: "identity", fileName: "a.pdf", contentType: "application/pdf" },
    }),
  ]);
  const bases = ["/v2/students", "/v2/payers", "/v2/payees", "/v2/quotes", "/v2/payment-intents", `${party}/documents`];
  for (const [index, { status, headers }] of made.entries()) {
    const { pathname } = new URL(headers.get("location") ?? "none", `${service.url}${bases[index]}`);
    expect([status, bases[index], (await client.call("GET", pathname)).status]).toEqual([201, bases[index], 200]);
    expect(pathname).toMatch(new RegExp(`^${bases[index]}/`));
  }
  const slash = await client.call("POST", "/v2/payees/", { body: routes["createPayee"]?.example });
  const { pathname } = new URL(slash.headers.get("location") ?? "none", `${service.url}/v2/payees/`);
  expect([slash.status, (await client.call("GET", pathname)).status]).toEqual([201, 200]);
});

test("who lacks a valid key is told how to prove one", async () => {
  for (const key of [null, "demo:wrong"]) {
    const { status, headers } = await client.call("GET", "/v2/users/me", { key });
    expect([status, headers.get("www-authenticate")]).toEqual([401, "ApiKey"]);
  }
});

test("the document of the API is the one of the repository, with the stage's address, for whoever asks, and only once", async () => {
  const path = "/v2/openapi.json";
  const { status, headers, body } = await client.call<Readonly<Record<string, unknown>>>("GET", path, { key: null });
  expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
  const document = JSON.parse(readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8"));
  expect(body).toEqual({ ...document, servers: [{ url: service.url, description: "This stage" }] });
  const again = await client.call("GET", path, { key: null, headers: { "If-None-Match": await tagOf(path) } });
  expect([again.status, again.bytes.length]).toEqual([304, 0]);
});

test("an address without a page of the documentation answers with a page that leads to all", async () => {
  const { status, headers, bytes } = await client.call("GET", "/docs/nothing");
  expect([status, headers.get("content-type"), headers.get("cache-control"), headers.get("etag")]).toEqual([
    ...[404, "text/html; charset=utf-8", "no-store", null],
  ]);
  expect(Buffer.from(bytes).toString()).toMatch(/<h1>No such page<\/h1>.*<a href="\.\.\/docs">/s);
});
