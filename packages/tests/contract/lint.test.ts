import { test } from "vitest";
import { findTools, folder, run } from "./tools/tools.ts";

/** Redocly. Its rules, and the exceptions with their reasons, stand in files of the folder. */
const LINT = '"$NODE_TOOLS/node_modules/.bin/redocly" lint "$CONTRACT" --config redocly.yaml --max-problems 1000';

test("Redocly finds nothing in the contract", async ({ skip }) => {
  const tools = await findTools("node");
  if ("missing" in tools) skip(tools.missing);
  else await run(tools, folder, LINT);
});
