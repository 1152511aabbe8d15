import { defineRoutes } from "@intents/contract/route.ts";
import { fail, ok } from "@intents/domain/result.ts";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { expect, test, vi } from "vitest";
import { eventFor } from "../test/event-fixture.ts";
import { endpoint } from "./endpoint.ts";
import type { NoticePage } from "./notices.ts";

const common = { group: "payer-page", summary: "", description: "", auth: "public" } as const;
const routes = defineRoutes({
  showPage: { on: "GET /pages/{id}", ...common, answers: { status: 200, page: "text/html" }, errors: ["not_found"] },
  getAsset: { on: "GET /assets/{id}", ...common, answers: { status: 200, asset: ["text/css"] }, errors: ["not_found"] },
});
const noticePage: NoticePage = ({ statusCode, retryAfterSeconds, lang, acceptLanguage }) => ({
  html: [statusCode, retryAfterSeconds, lang, acceptLanguage].join(),
  headers: { "content-type": "text/html" },
});
const gate = () => ({ headers: { "X-RateLimit-Limit": "120" } });
const refuse = async ({ params: { id } }: { params: { id: string } }) => {
  if (id === "busy") return fail({ kind: "busy", retryAfterSeconds: 5 } as const);
  if (id === "none") return fail({ kind: "not_found", resource: "page" } as const);
  if (id === "fault") throw new Error("a bug");
  return ok({ html: "<p>", headers: { "content-type": "text/html" }, text: "", contentType: "text/css" });
};
vi.stubEnv("POWERTOOLS_LOG_LEVEL", "SILENT");
const handler = endpoint("pages", routes, { showPage: refuse, getAsset: refuse }, { gate, noticePage });

async function ask(on: string, id: string, changes: Partial<APIGatewayProxyEvent> = {}) {
  const event = eventFor(on, { pathParameters: { id }, headers: { "Accept-Language": "fr" }, ...changes });
  return (await handler(event, {} as Context)) as APIGatewayProxyResult;
}

test.each([
  ["busy", 503, "503,5,,fr"],
  ["none", 404, "404,,,fr"],
  ["fault", 500, "500,,,fr"],
  ["there", 200, "<p>"],
])("a page that is %s is answered %d with a page", async (id, statusCode, body) => {
  const answer = await ask("GET /pages/{id}", id);
  expect({ statusCode: answer.statusCode, body: answer.body }).toEqual({ statusCode, body });
  expect(answer.headers).toMatchObject({ "content-type": "text/html", "X-Request-Id": "request" });
  expect(answer.headers).not.toHaveProperty("Content-Type");
});

test("a refused page keeps the headers of the refusal, is told in the language that was asked for, and HEAD has no body", async () => {
  const { headers, body } = await ask("GET /pages/{id}", "busy", { queryStringParameters: { lang: "de" } });
  expect(headers).toMatchObject({ "Retry-After": "5", "X-RateLimit-Limit": "120", "Cache-Control": "no-store" });
  expect(body).toBe("503,5,de,fr");
  expect((await ask("HEAD /pages/{id}", "busy")).body).toBe("");
});

test.each(["busy", "none", "fault"])("what is no page is refused in JSON: %s", async (id) => {
  const { headers, body } = await ask("GET /assets/{id}", id);
  expect(headers?.["Content-Type"]).toBe("application/json");
  expect(JSON.parse(body)).toHaveProperty("statusCode");
});

test("a group with pages says how it tells of refusals", () => {
  expect(() => endpoint("pages", routes, { showPage: refuse, getAsset: refuse }, { gate })).toThrow(
    "GET /pages/{id} need noticePage",
  );
});
