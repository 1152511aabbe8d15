import { readFileSync, writeFileSync } from "node:fs";
import { tables } from "./tables.ts";

// Puts each table into its document, in the place of the one with the same head.
for (const [document, table] of tables()) {
  const file = new URL(`../../../${document}`, import.meta.url);
  const [head = ""] = table.split("\n");
  const [before, after = ""] = readFileSync(file, "utf8").split(head);
  writeFileSync(file, `${before}${table}${after.slice(after.indexOf("\n\n"))}`);
}
