import { readFileSync } from "node:fs";
import type { ExecuteAnswer, FundAnswer, Rail, RecordsAnswer } from "@intents/domain/rails/rail.ts";
import { describe, expect, test } from "vitest";
import { funding, order } from "../../test/rail-fixture.ts";
import { answerSignatureOf, SIGNATURE_HEADER, signatureOf, TIMESTAMP_HEADER } from "./contract.ts";
import { serveRail } from "./server.ts";

const secret = "a-shared-secret-of-the-tests";
const FORMER = "the-secret-before";
const nowMs = Date.UTC(2026, 10, 1);
const path = "/payments/e1";
const refusal = { kind: "refused", reason: "no" } as const;
const { fundingReference, ...batch } = funding();
const fundingBody = JSON.stringify(batch);
const emptyPage = { kind: "page", payments: [] } as const;
const orderBody = JSON.stringify(order());

type Answers = Readonly<{ execute?: ExecuteAnswer; fund?: FundAnswer; list?: RecordsAnswer }>;

function railWith({ execute = { kind: "duplicate" }, fund = refusal, list = emptyPage }: Answers = {}) {
  const asked: string[] = [];
  const stand: Rail["status"] = async (tenantId, executionId) => {
    asked.push(`${tenantId} ${executionId}`);
    return { kind: "pending" };
  };
  const rail: Rail = {
    rail: { name: "any", address: "anywhere", remembersMs: 1, maxUsd: "1", questionMax: 10, corridors: "all" },
    describe: () => ({ provider: "", action: "", version: "", maxRecipients: 1, acceptedLimitations: [] }),
    execute: async ({ tenantId }, executionId) => {
      asked.push(`${tenantId} ${executionId}`);
      return execute;
    },
    status: stand,
    cancel: stand,
    fund: async ({ tenantId, fundingReference }) => {
      asked.push(`${tenantId} ${fundingReference}`);
      return fund;
    },
    list: async ({ sinceMs, after, limit }) => {
      asked.push(`${sinceMs} ${after} ${limit}`);
      return list;
    },
  };
  return { asked, serve: serveRail({ rail, secrets: [secret, FORMER], now: () => nowMs }) };
}

type Parts = { timestamp: string; method: string; path: string; body: string };
const signed: Parts = { timestamp: String(nowMs), method: "PUT", path, body: orderBody };

/** A request of `sent`, with the signature over `signedParts`. */
function toRequest(sent: Parts, signedParts: Parts = sent, by = secret): Request {
  const headers = { [TIMESTAMP_HEADER]: sent.timestamp, [SIGNATURE_HEADER]: signatureOf(signedParts, by) };
  const body = sent.method === "GET" ? {} : { body: sent.body };
  return new Request(`https://rail.example${sent.path}`, { method: sent.method, headers, ...body });
}

describe("serveRail", () => {
  test.each([
    ["the newest secret", secret, secret, 200],
    ["the secret before", FORMER, FORMER, 200],
    ["a secret that it never had", "another", secret, 401],
  ])("answers a request signed with %s by a secret that who asked can know", async (_, by, answeredBy, status) => {
    const { serve } = railWith();
    const request = toRequest(signed, signed, by);
    const signature = request.headers.get(SIGNATURE_HEADER) ?? "";
    const answer = await serve(request);
    const body = await answer.text();
    expect(answer.status).toBe(status);
    expect(answer.headers.get(SIGNATURE_HEADER)).toBe(answerSignatureOf({ signature, status, body }, answeredBy));
  });

  test.each<[string, Partial<Parts>]>([
    ["another body", { body: orderBody.replace("912.50", "12.50") }],
    ["another path", { path: "/payments/e2" }],
    ["another query", { path: `${path}?tenantId=1002` }],
    ["another method", { method: "POST" }],
    ["another time", { timestamp: String(nowMs + 1) }],
  ])("a signature that was made for %s is refused", async (_, changes) => {
    const { serve, asked } = railWith();
    const answer = await serve(toRequest({ ...signed, ...changes }, signed));
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ outcome: "not_accepted" });
    expect(asked).toEqual([]);
  });

  test.each([
    [-300_001, 401],
    [-300_000, 200],
    [300_000, 200],
    [300_001, 401],
  ])("a request signed %i ms from now is answered %i", async (offsetMs, status) => {
    const { serve } = railWith();
    expect((await serve(toRequest({ ...signed, timestamp: String(nowMs + offsetMs) }))).status).toBe(status);
  });

  test.each(["", "NaN", "1e15", "-1"])("the timestamp %j is refused", async (timestamp) => {
    const { serve } = railWith();
    expect((await serve(toRequest({ ...signed, timestamp }))).status).toBe(401);
  });

  test("a request without any signature is refused", async () => {
    const { serve } = railWith();
    expect((await serve(new Request("https://rail.example/payments/e1?tenantId=1"))).status).toBe(401);
  });

  test.each<[string, Partial<Parts>, number]>([
    ["an order that is no order", { body: "{}" }, 400],
    ["a body that is no JSON", { body: "{" }, 400],
    ["a status without a tenant", { method: "GET", body: "" }, 400],
    ["a path that is not served", { path: "/other" }, 404],
    ["an id that cannot be decoded", { path: "/payments/%E0%A4%A" }, 404],
    ["a method that is not served", { method: "PATCH" }, 405],
    ["a deposit that is no deposit", { path: "/fundings/7", body: "{}" }, 400],
    ["a deposit of no amount", { path: "/fundings/7", body: fundingBody.replace("9125.00", "much") }, 400],
    ["a deposit that is read", { path: "/fundings/7", method: "GET", body: "" }, 405],
    ["a deposit without a reference", { path: "/fundings/", body: fundingBody }, 404],
    ["a list that is written", { path: "/payments?sinceMs=0&limit=1" }, 405],
    ["a list since no time", { path: "/payments?limit=1", method: "GET", body: "" }, 400],
    ["a list since an unreadable time", { path: "/payments?limit=1&sinceMs=now", method: "GET", body: "" }, 400],
    ["a list without a limit", { path: "/payments?sinceMs=0", method: "GET", body: "" }, 400],
    ["a list of none", { path: "/payments?sinceMs=0&limit=0", method: "GET", body: "" }, 400],
    ["a list of too many", { path: "/payments?sinceMs=0&limit=1001", method: "GET", body: "" }, 400],
    ["a list after nothing", { path: "/payments?sinceMs=0&limit=1&after=", method: "GET", body: "" }, 400],
    ["a body without end", { body: "x".repeat(600 * 1024) }, 413],
  ])("%s is not accepted, and the rail is not asked", async (_, changes, status) => {
    const { serve, asked } = railWith();
    const answer = await serve(toRequest({ ...signed, ...changes }));
    expect([answer.status, await answer.json()]).toMatchObject([status, { outcome: "not_accepted" }]);
    expect(asked).toEqual([]);
  });

  test.each<[ExecuteAnswer, number, object]>([
    [
      { kind: "refused", reason: "no" },
      200,
      { tenantId: "1001", executionId: "e1", answer: { kind: "refused", reason: "no" } },
    ],
    [{ kind: "unreachable", reason: "later" }, 503, { outcome: "not_accepted", reason: "later" }],
    [{ kind: "unknown", reason: "lost" }, 504, { outcome: "unknown", reason: "lost" }],
  ])("the rail's %j is answered %i", async (answer, status, body) => {
    const { serve, asked } = railWith({ execute: answer });
    const response = await serve(toRequest(signed));
    expect([response.status, await response.json()]).toEqual([status, body]);
    expect(asked).toEqual(["1001 e1"]);
  });

  test.each(["GET", "DELETE"])("%s asks the rail for the tenant in the signed request", async (method) => {
    const { serve, asked } = railWith();
    await serve(toRequest({ ...signed, method, path: "/rail/v1/payments/e1%3A7?tenantId=1001", body: "" }));
    expect(asked).toEqual(["1001 e1:7"]);
  });
});

describe("a deposit", () => {
  const put = { ...signed, path: `/rail/v1/fundings/${fundingReference}`, body: fundingBody };
  const bankDetails = { beneficiaryName: "Clients", bankName: "Bank", accountNumber: "123456789" };
  const funded = { kind: "funded", bankDetails, dueDate: "2026-11-04" } as const;

  test.each<[FundAnswer, number, object]>([
    [funded, 200, { tenantId: "1001", fundingReference, answer: funded }],
    [refusal, 200, { tenantId: "1001", fundingReference, answer: refusal }],
    [{ kind: "unreachable", reason: "later" }, 503, { outcome: "not_accepted", reason: "later" }],
    [{ kind: "unknown", reason: "lost" }, 504, { outcome: "unknown", reason: "lost" }],
  ])("that the rail answers %j is answered %i", async (fund, status, body) => {
    const { serve, asked } = railWith({ fund });
    const response = await serve(toRequest(put));
    expect([response.status, await response.json()]).toEqual([status, body]);
    expect(asked).toEqual([`1001 ${fundingReference}`]);
  });

  test("under another reference than the signed one is refused", async () => {
    const { serve, asked } = railWith();
    expect((await serve(toRequest({ ...put, path: "/rail/v1/fundings/7" }, put))).status).toBe(401);
    expect(asked).toEqual([]);
  });
});

describe("a list", () => {
  const get = { ...signed, method: "GET", path: "/rail/v1/payments?sinceMs=17&after=there&limit=1000", body: "" };

  test("repeats the page that was asked for, and asks the rail for exactly that page", async () => {
    const { serve, asked } = railWith({ list: { ...emptyPage, after: "here" } });
    const response = await serve(toRequest(get));
    expect([response.status, await response.json()]).toEqual([
      200,
      { sinceMs: 17, after: "there", answer: { kind: "page", payments: [], after: "here" } },
    ]);
    await serve(toRequest({ ...get, path: "/rail/v1/payments?sinceMs=17&limit=1" }));
    expect(asked).toEqual(["17 there 1000", "17 undefined 1"]);
  });

  test("that the rail cannot give is a 503", async () => {
    const { serve } = railWith({ list: { kind: "unavailable", reason: "maintenance" } });
    const response = await serve(toRequest(get));
    expect([response.status, await response.json()]).toEqual([503, { outcome: "unknown", reason: "maintenance" }]);
  });
});

describe("a question about many payments", () => {
  const ids = ["e1", "e2"].map((executionId) => ({ tenantId: "1001", executionId }));
  const post = { ...signed, method: "POST", path: "/rail/v1/payments/status", body: JSON.stringify({ payments: ids }) };

  test("is put to the rail for each, and answered with the ids", async () => {
    const { serve, asked } = railWith();
    const response = await serve(toRequest(post));
    const payments = ids.map((id) => ({ ...id, answer: { kind: "pending" } }));
    expect([response.status, await response.json()]).toEqual([200, { payments }]);
    expect(asked).toEqual(["1001 e1", "1001 e2"]);
  });

  test.each([
    ["none", []],
    ["101", Array.from({ length: 101 }, () => ids[0])],
    ["one without a tenant", [{ executionId: "e1" }]],
  ])("about %s is refused, and nothing is asked", async (_, payments) => {
    const { serve, asked } = railWith();
    const response = await serve(toRequest({ ...post, body: JSON.stringify({ payments }) }));
    expect([response.status, asked]).toEqual([400, []]);
  });
});

test("the published contract names every header, status and word that is spoken", () => {
  const document = readFileSync(new URL("../../../../docs/rail-api.yaml", import.meta.url), "utf8");
  const words = [
    ...["Rail-Timestamp", "Rail-Signature", "/payments/{executionId}", "tenantId", "not_accepted", "unknown"],
    ...["accepted", "duplicate", "refused", "pending", "settled", "cancelled", "not_found", "cleared", "failed"],
    ...[
      "railPaymentId",
      "expectedSettlementMs",
      "bankDetails",
      "dueDate",
      "checkoutUrl",
      "bsb",
      "aba",
      "iban",
      "swift",
    ],
    ...[
      "/fundings/{fundingReference}",
      "/payments",
      "/payments/status",
      "sinceMs",
      "after",
      "limit",
      "untilMs",
      "funded",
      "page",
    ],
    ...["acceptedAtMs", "standing", "failed", "payments"],
    ...Object.keys(order()),
    ...Object.keys(funding()),
    ...["'200'", "'400'", "'401'", "'404'", "'405'", "'413'", "'503'", "'504'"],
  ];
  expect(words.filter((word) => !document.includes(word))).toEqual([]);
});
