import { expect, test } from "vitest";
import { toRow } from "./figures.ts";

const rounds = [1, 2, 3];
const goal = { atMost: 0.5 };
const failed = "failed: not measured";

test.each([
  ["a time within its goal is met", "ms", rounds, [2, 4, 9], "met"],
  ["a time outside of its goal misses it", "ms", rounds, rounds, "missed"],
  ["a count within its goal is met", "calls", [2], [4], "met"],
  ["a count outside of its goal fails", "calls", [3], [4], "failed: out of bounds"],
  ["a figure that one round lacks fails", "ms", [1, Number.NaN, 3], rounds, failed],
  ["a figure of no round fails", "ms", [], [], failed],
  ["a baseline that one round lacks fails", "ms", rounds, [1, 2], failed],
  ["a baseline of nothing fails", "read units", [1], [0], failed],
] as const)("%s", (_, unit, ours, baseline, verdict) => {
  expect(toRow({ name: "a row", unit, ours, baseline, goal })).toMatchObject({ verdict });
});

test("a row has medians, spreads, the median of the ratios, and the bound of the ratio or of the figure", () => {
  const figures = { name: "start", unit: "ms", ours: [3, 1, 2, 20], baseline: [2, 2, 2, 2] } as const;
  const row = { ours: "2.50 ms (1..20)", baseline: "2 ms", ratio: "1.25 (0.50..10)", goal: "≥ 1.2", verdict: "met" };
  expect(toRow({ ...figures, goal: { atLeast: 1.2 } })).toEqual({ name: "start", ...row });
  const missed = { goal: "≤ 2 ms", verdict: "missed" };
  expect(toRow({ ...figures, goal: { atMost: 2, of: "figure" } })).toMatchObject(missed);
  expect(toRow(figures)).toMatchObject({ goal: "", verdict: "" });
});
