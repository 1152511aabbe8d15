import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bill, document } from "./document.ts";

const README = new URL("../../../README.md", import.meta.url);

test("docs/costs.md is made of the table of budgets; `pnpm costs` writes it", async () => {
  await expect(document()).toMatchFileSnapshot("../../../docs/costs.md");
});

test("the README's bill is that of docs/costs.md; `pnpm costs` writes it", async () => {
  const billed = /^\| USD a month \|[\s\S]*?(?=\n\n)/m;
  const readme = readFileSync(README, "utf8");
  expect(readme).toMatch(billed);
  await expect(readme.replace(billed, bill)).toMatchFileSnapshot("../../../README.md");
});
