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

test("a survivor is told with its place, what stood there and what stands there now", () => {
  expect(outcomes.filter(isAlive).map(describeOutcome)).toEqual([
    "b.ts:3 survived\n  - a && b\n  + a || b",
    "b.ts:3 not reached\n  - a && b\n  + b",
  ]);
});

test("the scores count whatever did not survive, rounded down", () => {
  expect(scores(outcomes)).toBe(" 100 %     1 of    1  a.ts\n  33 %     1 of    3  b.ts\n  50 %     2 of    4  all");
});
