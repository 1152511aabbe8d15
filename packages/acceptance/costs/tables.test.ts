import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tables } from "./tables.ts";

test.each(tables())("%s has the table of what was counted; `pnpm costs` writes it", (document, table) => {
  expect(readFileSync(new URL(`../../../${document}`, import.meta.url), "utf8")).toContain(`\n\n${table}\n\n`);
});
