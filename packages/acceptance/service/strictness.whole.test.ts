import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { isStrict } from "@intents/contract/parameters.ts";
import { routes } from "@intents/contract/routes.ts";
import { describe, expect, test } from "vitest";
import { bodyOf, formOf, newBelongings, pathOf } from "./belongings.ts";
import { fileForm, pdf, savedDocumentBody, studentBody } from "./client.ts";
import { expectEnvelope, expectShape, pathsOf } from "./refusals.ts";
import { openOwnService } from "./service-fixture.ts";
import { tuition } from "./tuition.ts";

const { client, service } = await openOwnService();
const owned = await newBelongings(client);
const [strict, lenient] = [true, false].map((under) =>
  Object.values(routes).filter(
    ({ on, errors = [] }) => isStrict({ on }) === under && !errors.includes("not_implemented"),
  ),
);
const withQuery = (path: string, query: string) => `${path}${path.includes("?") ? "&" : "?"}${query}`;

describe("a query parameter", () => {
  test.each(strict ?? [])("that $on does not know is refused by its name, however often it is sent", async (route) => {
    const [method = ""] = route.on.split(" ");
    const sent = route.form === undefined ? { body: bodyOf(route, owned) } : { form: formOf(route, owned) };
    for (const query of ["surprise=1", "surprise=1&surprise=2", "surprise[]=1"]) {
      const reply = await client.call(method, withQuery(pathOf(route, owned), query), sent);
      expect(reply.status).toBe(400);
      expect(new Set(pathsOf(reply).map((path) => path.replace("[]", "")))).toEqual(new Set(["surprise"]));
    }
  });

  test.each(lenient ?? [])("is nothing that $on minds", async (route) => {
    const [method = ""] = route.on.split(" ");
    if (method !== "GET") return;
    const plain = await client.call(method, pathOf(route, owned));
    const decorated = await client.call(method, withQuery(pathOf(route, owned), "utm_source=mail&lang=en&lang=en"));
    expect(decorated.status).toBe(plain.status);
  });

  test("that is scalar is refused when it is sent twice, and a list may be", async () => {
    const ask = (query: string) => client.call("GET", `/v2/${query}`);
    for (const name of ["skip", "limit", "sort", "projection"]) {
      expectShape(await ask(`students?${name}=1&${name}=1`), name);
    }
    expectShape(await ask("commissions/export?reportPeriod=2026-01&reportPeriod=2026-02"), "reportPeriod");
    expectShape(await ask("lookup/countries?limit=1&limit=2"), "limit");
    expect((await ask("students?filter[email][$in][]=a&filter[email][$in][]=b")).status).toBe(200);
  });
});

test.each([
  ["/v2/lookup/countries", "countries"],
  ["/v2/lookup/purposes/provider", "purposes"],
  ["/v2/lookup/payer-types/provider", "payerTypes"],
  ["/v2/lookup/payment-methods/5001", "paymentMethods"],
  ["/v2/commissions/outstanding", "items"],
  [`/v2/students/${owned.student._id}/documents`, "documents"],
  [`/v2/payers/${owned.payer._id}/documents`, "documents"],
])("%s takes skip and limit, as every list does", async (path, name) => {
  const itemsOf = async (query: string) => (await client.must<Record<string, unknown[]>>("GET", path + query))[name];
  const all = (await itemsOf("")) ?? [];
  expect(all.length).toBeGreaterThan(0);
  expect(await itemsOf("?limit=1")).toEqual(all.slice(0, 1));
  expect(await itemsOf("?skip=1")).toEqual(all.slice(1));
  expect(await itemsOf("?skip=1&limit=1000")).toEqual(all.slice(1));
  expect(await itemsOf("?limit=0")).toEqual([]);
  expectShape(await client.call("GET", `${path}?limit=1001`), "limit");
  expectShape(await client.call("GET", `${path}?skip=-1&limit=x`), "skip", "limit");
});

test("outstanding commissions say that there are more when a part of them is asked for", async () => {
  const hasMore = async (query: string) =>
    (await client.must<{ hasMore: boolean }>("GET", `/v2/commissions/outstanding?${query}`)).hasMore;
  expect([await hasMore("limit=0"), await hasMore("limit=1000")]).toEqual([true, false]);
});

test.each(Object.values(routes).filter(({ form }) => form === "multipart"))(
  "a part of a form that $on does not know is refused by its name",
  async (route) => {
    const [method = ""] = route.on.split(" ");
    for (const part of ["x", new File([pdf()], "x.pdf")]) {
      const form = formOf(route, owned);
      form.set("surprise", part);
      expectShape(await client.call(method, pathOf(route, owned), { form }), "surprise");
    }
  },
);

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

  test.each(["gzip", "br", "deflate", "x-unheard-of"])("whose body is %s is 415, JSON or form", async (encoding) => {
    const headers = { "Content-Encoding": encoding };
    const json = await client.call("POST", "/v2/students", { raw: JSON.stringify(studentBody()), headers });
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

    const party = `/v2/students/${owned.student._id}`;
    const sourceDocumentId = (await client.uploadPdf()).toUpperCase();
    const saved = await client.must<{ legacyDocumentId: string }>("POST", `${party}/documents`, {
      body: { ...savedDocumentBody, sourceDocumentId },
    });
    const content = `${party}/documents/${saved.legacyDocumentId.toUpperCase()}/content`;
    expect((await client.call("GET", content)).status).toBe(200);
  });

  test("may filter by UUIDs in capitals, whichever field holds them", async () => {
    const { body, quote, documentId } = await tuition(client);
    const partyId = randomUUID();
    const purposeProofDocumentId = await client.uploadPdf();
    const { id } = await client.must<{ id: string }>("POST", "/v2/payment-intents", {
      body: {
        ...body,
        payer: { ...body.payer, partyId, details: { firstName: "Ana", lastName: "Souza" } },
        subject: { role: "student", partyId },
        recipients: body.recipients.map((recipient) => ({ ...recipient, purposeProofDocumentId })),
      },
    });
    const held = {
      "payer.partyId": partyId,
      "subject.partyId": partyId,
      "instructions.manualPayment.quoteId": quote.quoteId,
      "instructions.manualPayment.payerIdentityDocumentId": documentId,
      "recipients.purposeProofDocumentId": purposeProofDocumentId,
    };
    for (const [path, uuid] of Object.entries(held)) {
      const shouted = uuid.toUpperCase();
      for (const filter of [
        `filter[${path}]=${shouted}`,
        `filter[${path}][$in][]=${shouted}`,
        `filter={"${path}":"${shouted}"}`,
      ]) {
        const { body: page } = await client.call<{ data: { paymentIntents: { id: string }[] } }>(
          "GET",
          `/v2/payment-intents?${filter}`,
        );
        expect(page.data.paymentIntents.map((found) => found.id)).toEqual([id]);
      }
    }
  });

  test("of an intent that names one document in two spellings names it twice", async () => {
    const { body, documentId } = await tuition(client);
    const recipients = body.recipients.map((recipient) => ({
      ...recipient,
      purposeProofDocumentId: documentId.toUpperCase(),
    }));
    const { id } = await client.must<{ id: string }>("POST", "/v2/payment-intents", { body: { ...body, recipients } });
    const { rule } = await client.must<{ rule: { missingRequirements: string[] } }>(
      "POST",
      `/v2/payment-intents/${id}/dry-run`,
    );
    expect(rule.missingRequirements).toContain("documents.uniqueDocumentIds");
  });
});
