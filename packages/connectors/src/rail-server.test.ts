import { readFileSync } from "node:fs";
import type { Connector, ExecuteAnswer } from "@intents/domain/connector.ts";
import { describe, expect, test } from "vitest";
import { SIGNATURE_HEADER, signatureOf, TIMESTAMP_HEADER } from "./rail-contract.ts";
import { order } from "./rail-fixture.ts";
import { serveRail } from "./rail-server.ts";

const secret = "a-shared-secret-of-the-tests";
const nowMs = Date.UTC(2026, 10, 1);
const path = "/payments/e1";
const orderBody = JSON.stringify(order());

function railWith(answer: ExecuteAnswer) {
  const asked: string[] = [];
  const stand: Connector["status"] = async (tenantId, executionId) => {
    asked.push(`${tenantId} ${executionId}`);
    return { kind: "pending" };
  };
  const connector: Connector = {
    describe: () => ({ provider: "", action: "", version: "", maxRecipients: 1, acceptedLimitations: [] }),
    execute: async ({ tenantId }, executionId) => {
      asked.push(`${tenantId} ${executionId}`);
      return answer;
    },
    status: stand,
    cancel: stand,
  };
  return { asked, serve: serveRail({ connector, secret, now: () => nowMs }) };
}

type Parts = { timestamp: string; method: string; path: string; body: string };
const signed: Parts = { timestamp: String(nowMs), method: "PUT", path, body: orderBody };

/** A request of `sent`, with the signature over `signedParts`. */
function toRequest(sent: Parts, signedParts: Parts = sent): Request {
  const headers = { [TIMESTAMP_HEADER]: sent.timestamp, [SIGNATURE_HEADER]: signatureOf(signedParts, secret) };
  const body = sent.method === "GET" ? {} : { body: sent.body };
  return new Request(`https://rail.example${sent.path}`, { method: sent.method, headers, ...body });
}

describe("serveRail", () => {
  test.each<[string, Partial<Parts>]>([
    ["another body", { body: orderBody.replace("912.50", "12.50") }],
    ["another path", { path: "/payments/e2" }],
    ["another query", { path: `${path}?tenantId=1002` }],
    ["another method", { method: "POST" }],
    ["another time", { timestamp: String(nowMs + 1) }],
  ])("a signature that was made for %s is refused", async (_, changes) => {
    const { serve, asked } = railWith({ kind: "duplicate" });
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
    const { serve } = railWith({ kind: "duplicate" });
    expect((await serve(toRequest({ ...signed, timestamp: String(nowMs + offsetMs) }))).status).toBe(status);
  });

  test.each(["", "NaN", "1e15", "-1"])("the timestamp %j is refused", async (timestamp) => {
    const { serve } = railWith({ kind: "duplicate" });
    expect((await serve(toRequest({ ...signed, timestamp }))).status).toBe(401);
  });

  test("a request without any signature is refused", async () => {
    const { serve } = railWith({ kind: "duplicate" });
    expect((await serve(new Request("https://rail.example/payments/e1?tenantId=1"))).status).toBe(401);
  });

  test.each<[string, Partial<Parts>, number]>([
    ["an order that is no order", { body: "{}" }, 400],
    ["a body that is no JSON", { body: "{" }, 400],
    ["a status without a tenant", { method: "GET", body: "" }, 400],
    ["a path that is not served", { path: "/other" }, 404],
    ["an id that cannot be decoded", { path: "/payments/%E0%A4%A" }, 404],
    ["a method that is not served", { method: "PATCH" }, 405],
    ["a body without end", { body: "x".repeat(600 * 1024) }, 413],
  ])("%s is not accepted, and the rail is not asked", async (_, changes, status) => {
    const { serve, asked } = railWith({ kind: "duplicate" });
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
    const { serve, asked } = railWith(answer);
    const response = await serve(toRequest(signed));
    expect([response.status, await response.json()]).toEqual([status, body]);
    expect(asked).toEqual(["1001 e1"]);
  });

  test.each(["GET", "DELETE"])("%s is asked for the tenant that was signed for", async (method) => {
    const { serve, asked } = railWith({ kind: "duplicate" });
    await serve(toRequest({ ...signed, method, path: "/rail/v1/payments/e1%3A7?tenantId=1001", body: "" }));
    expect(asked).toEqual(["1001 e1:7"]);
  });
});

test("the published contract names every header, status and word that is spoken", () => {
  const document = readFileSync(new URL("../../../docs/rail-api.yaml", import.meta.url), "utf8");
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
    ...Object.keys(order()),
    ...["'200'", "'400'", "'401'", "'404'", "'405'", "'413'", "'503'", "'504'"],
  ];
  expect(words.filter((word) => !document.includes(word))).toEqual([]);
});
