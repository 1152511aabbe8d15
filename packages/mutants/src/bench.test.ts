import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openBench } from "./bench.ts";
import { mutantsOf, plant } from "./mutants.ts";

const root = join(import.meta.dirname, "../../..");
const file = join(import.meta.dirname, "report.ts");
const text = readFileSync(file, "utf8");
const mutants = mutantsOf(file, text).map((mutant, id) => ({ id, mutant }));
const idOf = (original: string): number => mutants.find(({ mutant }) => mutant.original === original)?.id ?? -2;

const own = "packages/mutants/src/report.test.ts";
const bench = openBench({ root, sources: { [file]: plant(text, mutants) }, tests: [own] });
afterAll(() => bench.stop());

test("tests pass while every mutant sleeps, and fail by one that is woken", { timeout: 60_000 }, async () => {
  const asleep = await bench.ask({ mutant: -1, test: own }, 30_000);
  expect(asleep).toMatchObject({ passed: true, words: "" });
  expect(asleep?.reached).toContain(idOf('"survived"'));
  const awake = await bench.ask({ mutant: idOf('"survived"'), test: own }, 30_000);
  expect(awake).toMatchObject({ passed: false, words: expect.stringContaining("a survivor is told") });
  expect(await bench.ask({ mutant: -1, test: own }, 30_000)).toMatchObject({ passed: true });
});

test("a judge that takes too long is replaced", { timeout: 60_000 }, async () => {
  expect(await bench.ask({ mutant: -1, test: own }, 1)).toBeUndefined();
  expect(await bench.ask({ mutant: -1, test: own }, 30_000)).toMatchObject({ passed: true });
});
