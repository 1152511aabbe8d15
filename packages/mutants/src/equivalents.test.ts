import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Equivalent, isAbout } from "./equivalent.ts";
import { equivalents } from "./equivalents.ts";
import { mutantsOf } from "./mutants.ts";

const root = join(import.meta.dirname, "../../..");

test.each<Equivalent>(equivalents)("$file still has the mutant of an equivalent: $code", (entry) => {
  const mutants = mutantsOf(entry.file, readFileSync(join(root, entry.file), "utf8"));
  expect(mutants.some((mutant) => isAbout(mutant, entry))).toBe(true);
});
