import { test } from "vitest";
import { linters } from "../../conformance/src/lint.ts";
import { findNodeTools, run } from "../../conformance/src/tools.ts";
import { some } from "../suite/sample.ts";

// The suite runs the first of them.
test.for(some(Object.entries(linters), 2))("%s finds nothing in the contract", async ([, linter], { skip }) => {
  const tools = await findNodeTools();
  if ("missing" in tools) skip(tools.missing);
  else await run(linter(tools));
});
