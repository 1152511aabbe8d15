import { defineRoutes } from "@intents/contract/route.ts";
import { METRICS_NAMESPACE } from "@intents/deployment/metrics.ts";
import { fail, ok } from "@intents/domain/result.ts";
import type { Context } from "aws-lambda";
import { afterEach, expect, test, vi } from "vitest";
import { eventFor } from "../test/event-fixture.ts";
import { endpoint } from "./endpoint.ts";

const routes = defineRoutes({
  getAsset: {
    ...{ on: "GET /assets/{id}", group: "payer-page", summary: "", description: "", auth: "public" },
    answers: { status: 200, asset: ["text/css"] },
    errors: ["not_found"],
  },
});
vi.stubEnv("POWERTOOLS_LOG_LEVEL", "INFO");
vi.stubEnv("POWERTOOLS_DEV", "true");
const handler = endpoint(
  "assets",
  routes,
  {
    getAsset: async ({ params: { id } }) => {
      if (id === "none") return fail({ kind: "not_found", resource: "path" } as const);
      if (id === "busy") return fail({ kind: "busy", retryAfterSeconds: 5 } as const);
      return ok({ text: "", contentType: "text/css" });
    },
  },
  { gate: () => ({ headers: {} }) },
);
afterEach(() => {
  vi.restoreAllMocks();
  delete process.env[METRICS_NAMESPACE];
});

/** The line that is logged of a request. */
async function lineOf(id: string, on = "GET /assets/{id}") {
  const written = vi.spyOn(console, "info").mockImplementation(() => undefined);
  await handler(eventFor(on, { pathParameters: { id } }), {} as Context);
  expect(written).toHaveBeenCalledTimes(1);
  return JSON.parse(String(written.mock.calls[0]?.[0])) as Record<string, unknown>;
}

test("a refused request is told by its code, and is a figure of the business in AWS", async () => {
  const local = await lineOf("none");
  expect(local).toMatchObject({ message: "request", statusCode: 404, code: "GEN9003" });
  expect(local).not.toHaveProperty("_aws");
  vi.restoreAllMocks();
  process.env[METRICS_NAMESPACE] = "payment-intents-sandbox";
  expect(await lineOf("none")).toMatchObject({
    ...{ statusCode: 404, code: "GEN9003", Refusals: 1 },
    _aws: { CloudWatchMetrics: [{ Namespace: "payment-intents-sandbox", Dimensions: [["code"]] }] },
  });
});

test.each([
  ["has no code", "busy", "GET /assets/{id}", "503"],
  ["is answered without a body", "none", "HEAD /assets/{id}", "404"],
])("a refusal that %s is told by its status", async (_what, id, on, code) => {
  expect(await lineOf(id, on)).toMatchObject({ code });
});

test("an answer is no refusal", async () => {
  process.env[METRICS_NAMESPACE] = "payment-intents-sandbox";
  const line = await lineOf("there");
  expect(line).toMatchObject({ statusCode: 200 });
  for (const name of ["code", "Refusals", "_aws"]) expect(line).not.toHaveProperty(name);
});
