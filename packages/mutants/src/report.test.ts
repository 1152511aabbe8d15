import { expect, test } from "vitest";
import { mutantsOf } from "./mutants.ts";
import { describe as describeOutcome, isAlive, type Outcome, scores } from "./report.ts";

const [swapped, left, right] = mutantsOf("b.ts", "const y = 1;\nconst x =\n  a &&\n  b;\n").slice(1);
const outcomes = [
  { mutant: { ...swapped, file: "b.ts" }, fate: "survived" },
  { mutant: { ...left, file: "a.ts" }, fate: "killed" },
  { mutant: { ...right, file: "b.ts" }, fate: "timed out" },
  { mutant: { ...right, file: "b.ts" }, fate: "not reached" },
] as readonly Outcome[];
const unjudged = { mutant: { ...right, file: "c.ts" }, fate: "not judged" } as Outcome;

test("a survivor is told with its place, what stood there and what stands there now", () => {
  expect([...outcomes, unjudged].filter(isAlive).map(describeOutcome)).toEqual([
    "b.ts:3 survived\n  - a && b\n  + a || b",
    "b.ts:3 not reached\n  - a && b\n  + b",
    "c.ts:3 not judged\n  - a && b\n  + b",
  ]);
});

test("the scores count whatever did not survive, rounded down", () => {
  expect(scores(outcomes, [])).toBe(
    " 100 %     1 of    1  a.ts\n  33 %     1 of    3  b.ts\n  50 %     2 of    4  all\nEvery mutant was judged.",
  );
});

test("the scores count a mutant that could not be judged neither as killed nor as a survivor, and end with why", () => {
  const told = scores(
    [...outcomes, unjudged, { ...unjudged, mutant: { ...unjudged.mutant, file: "b.ts" } }],
    ["c", "d"],
  );
  expect(told.split("\n")).toEqual([
    " 100 %     1 of    1  a.ts",
    "  33 %     1 of    3  b.ts, 1 not judged",
    "   - %     0 of    0  c.ts, 1 not judged",
    "  50 %     2 of    4  all, 2 not judged",
    "NOT JUDGED: 2 of 6 mutants. These tests fail without any mutant: c, d",
  ]);
});
