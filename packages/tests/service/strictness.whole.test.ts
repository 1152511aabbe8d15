import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { fileForm, pdf, savedDocumentBody, studentBody } from "./client.ts";
import { newCommissionRequests } from "./commissions.ts";
import { expectEnvelope, expectShape } from "./refusals.ts";
import { openService } from "./service-fixture.ts";
import { tuition } from "./tuition.ts";

// Over HTTP each rule has one case: packages/http/src/request proves which parameters every route takes.

const { client, service } = await openService();

test("a query parameter or a part of a form that a route does not know is refused by its name; a page passes over it", async () => {
  expectShape(await client.call("GET", "/v2/users/me?surprise=1"), "surprise");
  const form = fileForm(pdf());
  form.set("surprise", "x");
  expectShape(await client.call("POST", "/v2/documents", { form }), "surprise");
  expect((await client.call("GET", "/docs?utm_source=mail&lang=en&lang=en")).status).toBe(200);
});

test("a part of a list is asked for by skip and limit, and says whether there is more", async () => {
  const countries = async (query: string) =>
    (await client.must<{ countries: unknown[] }>("GET", `/v2/lookup/countries?${query}`)).countries;
  const all = await countries("");
  expect(await countries("limit=1")).toEqual(all.slice(0, 1));
  expect(await countries("skip=1&limit=1000")).toEqual(all.slice(1));
  expectShape(await client.call("GET", "/v2/lookup/countries?skip=-1&limit=x"), "skip", "limit");
  await newCommissionRequests(client);
  const hasMore = async (limit: number) =>
    (await client.must<{ hasMore: boolean }>("GET", `/v2/commissions/outstanding?limit=${limit}`)).hasMore;
  expect([await hasMore(0), await hasMore(1000)]).toEqual([true, false]);
});

describe("a request", () => {
  test("with two keys is 401, even if both are the same", async () => {
    const { hostname, port } = new URL(service.url);
    const key = "demo:demo-secret";
    const statusFor = (keys: readonly string[]) =>
      new Promise((resolve, reject) => {
        const asked = request({ hostname, port, path: "/v2/users/me", headers: { "X-API-Key": [...keys] } }, (answer) =>
          resolve(answer.resume().statusCode),
        );
        asked.on("error", reject).end();
      });
    expect([await statusFor([key]), await statusFor([key, key]), await statusFor(["x:y", key])]).toEqual([
      200, 401, 401,
    ]);
  });

  test("whose body is compressed is 415, JSON or form", async () => {
    const headers = { "Content-Encoding": "gzip" };
    const json = await client.call("POST", "/v2/students", { body: studentBody(), headers });
    expectEnvelope(json, 415, "[GEN9015]");
    expect(json.headers.get("accept-encoding")).toBe("identity");
    expectEnvelope(await client.call("POST", "/v2/documents", { form: fileForm(pdf()), headers }), 415, "[GEN9015]");
    expect((await client.call("GET", "/v2/users/me", { headers })).status).toBe(200);
    const plain = { body: studentBody(), headers: { "Content-Encoding": "identity" } };
    expect((await client.call("POST", "/v2/students", plain)).status).toBe(201);
  });

  test("may write UUIDs in capitals, and they are the same ones", async () => {
    const { body, quote, documentId } = await tuition(client);
    expect(await client.must("GET", `/v2/quotes/${quote.quoteId.toUpperCase()}`)).toEqual(quote);
    const { manualPayment } = body.instructions;
    const shouted = {
      ...manualPayment,
      quoteId: quote.quoteId.toUpperCase(),
      payerIdentityDocumentId: documentId.toUpperCase(),
    };
    const intent = await client.must<{ id: string }>("POST", "/v2/payment-intents", {
      body: { ...body, instructions: { manualPayment: shouted } },
    });
    expect(intent).toMatchObject({ instructions: { manualPayment } });
    expect((await client.submit(intent.id)).status).toBe(200);

    const party = `/v2/students/${(await client.newStudent())._id}`;
    const sourceDocumentId = (await client.uploadPdf()).toUpperCase();
    const saved = await client.must<{ legacyDocumentId: string }>("POST", `${party}/documents`, {
      body: { ...savedDocumentBody, sourceDocumentId },
    });
    const content = `${party}/documents/${saved.legacyDocumentId.toUpperCase()}/content`;
    expect((await client.call("GET", content)).status).toBe(200);
  });
});
