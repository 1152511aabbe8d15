import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bill, document } from "./document.ts";

const GUIDE = new URL("../../../docs/deploy.md", import.meta.url);

test("docs/costs.md is made of the table of budgets; `pnpm costs` writes it", async () => {
  await expect(document()).toMatchFileSnapshot("../../../docs/costs.md");
});

test("the bill in docs/deploy.md is that of docs/costs.md; `pnpm costs` writes it", async () => {
  const billed = /^\| USD a month \|[\s\S]*?(?=\n\n)/m;
  const guide = readFileSync(GUIDE, "utf8");
  expect(guide).toMatch(billed);
  await expect(guide.replace(billed, bill)).toMatchFileSnapshot("../../../docs/deploy.md");
});
