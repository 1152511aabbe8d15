import { afterAll, beforeAll, test } from "vitest";
import { launchService, type RunningService } from "../service/service.ts";
import { fuzz } from "./tools/fuzz.ts";
import { findTools, haste, run, scratchFolder } from "./tools/tools.ts";

let service: RunningService;
beforeAll(async () => {
  service = await launchService(haste);
});
afterAll(() => service.stop());

const operations = ["createQuote", "uploadDocument", "listPaymentIntents", "getQuote", "dryRunPaymentIntent"];
/** A sample of what `pnpm fuzz` tries. */
const few = [
  ...["--phases", "examples,coverage,fuzzing", "--max-examples", "10"],
  ...operations.flatMap((name) => ["--include-operation-id", name]),
];

test("schemathesis finds nothing in an operation of each kind", async ({ skip }) => {
  const tools = await findTools("python");
  if ("missing" in tools) skip(tools.missing);
  else await run(tools, scratchFolder("schemathesis"), fuzz, service.url, ...few);
});
