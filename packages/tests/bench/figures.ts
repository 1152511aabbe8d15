/** One line of the report: a measurement, its baseline, and whether it meets its goal. */
export type Row = Readonly<Record<"name" | "ours" | "baseline" | "ratio" | "goal" | "verdict", string>>;

type Unit = "per second" | "ms" | "MB" | "read units" | "calls";

type Comparison = Readonly<{
  name: string;
  unit: Unit;
  /** One figure per round. Those of one round in `ours` and `baseline` were measured next to each other. */
  ours: readonly number[] | undefined;
  baseline: readonly number[] | undefined;
  /** The bound of the ratio, or with `of` that of our own figure. */
  goal?: Readonly<{ atLeast?: number; atMost?: number; of?: "figure" }>;
}>;

/** A verdict that begins so fails the run. */
export const FAILED = "failed";

/** Counted figures are the same on any machine, so that they fail the run where times only miss their goal. */
const counted: readonly Unit[] = ["read units", "calls"];

/** A line with the medians and the spread of both, and the median of the ratios of the rounds. */
export function toRow({ name, unit, ours = [], baseline = [], goal }: Comparison): Row {
  const ratios = ours.map((figure, round) => figure / (baseline[round] ?? Number.NaN));
  const { atLeast, atMost, of } = goal ?? {};
  const judged = median(of === "figure" ? ours : ratios);
  const isMeasured = ratios.length > 0 && [...ours, ...ratios].every(Number.isFinite);
  const isMet = judged >= (atLeast ?? judged) && judged <= (atMost ?? judged);
  const verdict = isMet ? "met" : counted.includes(unit) ? `${FAILED}: out of bounds` : "missed";
  const bound = atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
  return {
    name,
    ours: withSpread(ours, ` ${unit}`),
    baseline: withSpread(baseline, ` ${unit}`),
    ratio: withSpread(ratios),
    goal: goal === undefined ? "" : bound + (of === undefined ? "" : ` ${unit}`),
    verdict: isMeasured ? (goal === undefined ? "" : verdict) : `${FAILED}: not measured`,
  };
}

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((one, other) => one - other);
  const [lower = Number.NaN, upper = Number.NaN] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (lower + upper) / 2;
}

function withSpread(figures: readonly number[], unit = ""): string {
  const [middle, least, most] = [median(figures), Math.min(...figures), Math.max(...figures)].map(toText);
  return `${middle}${unit}${least === most ? "" : ` (${least}..${most})`}`;
}

const toText = (figure: number): string =>
  figure.toFixed(figure >= 100 ? 0 : figure >= 10 ? 1 : 2).replace(/\.0+$/, "");
