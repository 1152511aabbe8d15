import { afterAll, beforeAll, test } from "vitest";
import { tryClient } from "../../conformance/src/clients.ts";
import { schemathesis } from "../../conformance/src/fuzz.ts";
import { findPythonTools, haste, run } from "../../conformance/src/tools.ts";
import { launchService, type RunningService } from "../service/service.ts";

// A sample of what `pnpm clients` and `pnpm fuzz` try.

const operations = ["createQuote", "uploadDocument", "listPaymentIntents", "getQuote", "dryRunPaymentIntent"];
const few = [
  ...["--phases", "examples,coverage,fuzzing", "--max-examples", "10"],
  ...operations.flatMap((name) => ["--include-operation-id", name]),
];

let service: RunningService;
beforeAll(async () => {
  service = await launchService(haste);
});
afterAll(() => service.stop());

test("a client that is generated compiles, pays, and lists payments page by page", async ({ skip }) => {
  const missing = await tryClient("openapi-fetch", service.url);
  if (missing !== undefined) skip(missing.missing);
});

test("schemathesis finds nothing in an operation of each kind", async ({ skip }) => {
  const tools = await findPythonTools();
  if ("missing" in tools) skip(tools.missing);
  else await run(schemathesis(tools.python, service.url, few));
});
