import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openBench } from "./bench.ts";
import { mutantsOf, plant } from "./mutants.ts";
import { readSuiteLimits } from "./suite-limits.ts";

const root = join(import.meta.dirname, "../../..");
const file = join(import.meta.dirname, "report.ts");
const text = readFileSync(file, "utf8");
const mutants = mutantsOf(file, text).map((mutant, id) => ({ id, mutant }));
const idOf = (original: string): number => mutants.find(({ mutant }) => mutant.original === original)?.id ?? -2;

const own = "packages/mutants/src/report.test.ts";
/** It ends what hangs, and measures nothing. */
const LIMIT_MS = 150_000;
const limited = "packages/mutants/src/suite-limits.test.ts";
const limits = await readSuiteLimits(root);
const bench = openBench({ root, sources: { [file]: plant(text, mutants) }, tests: [own, limited], limits });
afterAll(() => bench.stop());

test("tests pass while every mutant sleeps, and fail by one that is woken", async () => {
  const asleep = await bench.ask({ mutant: -1, test: own }, LIMIT_MS);
  expect(asleep).toMatchObject({ passed: true, words: "" });
  expect(asleep?.reached).toContain(idOf('"timed out"'));
  const awake = await bench.ask({ mutant: idOf('"timed out"'), test: own }, LIMIT_MS);
  expect(awake).toMatchObject({ passed: false, words: expect.stringContaining("a survivor is told") });
  expect(await bench.ask({ mutant: -1, test: own }, LIMIT_MS)).toMatchObject({ passed: true });
});

test("a judge gives a test as long as the suite does", async () => {
  expect(await bench.ask({ mutant: -1, test: limited }, LIMIT_MS)).toMatchObject({ passed: true, words: "" });
});

test("a judge that takes too long is replaced", async () => {
  expect(await bench.ask({ mutant: -1, test: own }, 1)).toBeUndefined();
  expect(await bench.ask({ mutant: -1, test: own }, LIMIT_MS)).toMatchObject({ passed: true });
});
