import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { keptData } from "./kept.ts";

test("docs/privacy.md shows what is kept of people, row by row", () => {
  const text = readFileSync(new URL("../../../../docs/privacy.md", import.meta.url), "utf8");
  const [kept = ""] = text.split("\n## ");
  const [, , ...rows] = kept.split("\n").filter((line) => line.startsWith("|"));
  expect(rows).toEqual(
    keptData.map(({ place, holds, why, until, by, ...row }) => {
      const exported = row.goes === "erase" ? row.exported : "–";
      return `| ${[place, holds, why, until, row.goes, by, exported].join(" | ")} |`;
    }),
  );
});
