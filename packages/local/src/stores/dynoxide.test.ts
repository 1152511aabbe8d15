import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DYNOXIDE_VERSION } from "./dynoxide.ts";

test("npx is asked for the version that the workspace has", () => {
  const workspace = readFileSync(join(import.meta.dirname, "../../../../pnpm-workspace.yaml"), "utf8");
  expect(workspace).toContain(`"@dynoxide/linux-x64": ${DYNOXIDE_VERSION}\n`);
});
