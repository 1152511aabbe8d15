import { h } from "preact";
import { render } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import { Chart, foldRest, niceAbove } from "./chart.tsx";

const buckets = [
  { name: "2026-11-22", short: "11-22" },
  { name: "2026-11-23", short: "11-23" },
];
const chart = { id: "x", title: "Payments by status", unit: "payments", buckets };

describe("a chart", () => {
  test("draws each kind from the ground up, in the measure of the largest bar", () => {
    const series = [
      { name: "completed", counts: [3, 10] },
      { name: "failed", counts: [1, 0] },
    ];
    const drawn = render(h(Chart, { ...chart, series }));
    const bars = [...drawn.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="0.68" height="([\d.]+)"/g)];
    expect(bars.map(([, ...numbers]) => numbers.map(Number))).toEqual([
      [0.16, 70, 30],
      [0.16, 60, 10],
      [1.16, 0, 100],
    ]);
  });

  test("has all its figures in a table behind it", () => {
    const drawn = render(h(Chart, { ...chart, series: [{ name: "completed", counts: [1200, 34] }] }));
    expect(drawn).toMatch(/<td>2026-11-22<\/td><td class="number">1,200<\/td><td class="number">1,200<\/td>/);
  });

  test("without payments says so", () => {
    expect(render(h(Chart, { ...chart, series: [] }))).toContain("No payments in this time.");
  });
});

test("the smallest kinds are drawn as one, and nothing of them is lost", () => {
  const series = Array.from({ length: 10 }, (_, index) => ({ name: `k${index}`, counts: [index, 1] }));
  const folded = foldRest(series);
  expect(folded.map(({ name }) => name)).toEqual(["k9", "k8", "k7", "k6", "k5", "k4", "4 others"]);
  expect(folded.at(-1)?.counts).toEqual([0 + 1 + 2 + 3, 4]);
});

test.each([
  [1, 1],
  [3, 5],
  [10, 10],
  [11, 20],
  [2_000, 2_000],
  [2_001, 5_000],
])("the measure above %d is %d", (most, top) => {
  expect(niceAbove(most)).toBe(top);
});
