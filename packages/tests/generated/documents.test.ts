import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generated } from "./documents.ts";

const root = join(import.meta.dirname, "../../..");

test.each(generated)("$path is as it is generated", async ({ path, text }) => {
  const present = readFileSync(join(root, path), "utf8");
  expect(await text(present), "run `pnpm generate`").toBe(present);
});
