/** One line of the report: a measurement, its baseline, and whether it meets its goal. */
export type Row = Readonly<{
  name: string;
  ours: string;
  baseline: string;
  ratio: string;
  goal: string;
  verdict: "met" | "missed" | "";
}>;

type Unit = "per second" | "ms" | "KB" | "MB" | "accepted" | "refused" | "read units" | "calls per MB begun";

type Comparison = Readonly<{
  name: string;
  unit: Unit;
  /** One figure per round. Those of one round in `ours` and `baseline` were measured next to each other. */
  ours: readonly number[];
  baseline?: readonly number[];
  goal?: Goal;
}>;

/** The bounds of the ratio where there is a baseline, and of the figure itself otherwise. */
export type Goal = Readonly<{ atLeast?: number; atMost?: number }>;

/** A line with the medians and the spread of both, and the median of the ratios of the rounds. */
export function toRow({ name, unit, ours, baseline, goal }: Comparison): Row {
  const ratios = baseline === undefined ? [] : ours.map((figure, round) => figure / (baseline[round] ?? Number.NaN));
  const judged = median(baseline === undefined ? ours : ratios);
  return {
    name,
    ours: withSpread(ours, unit),
    baseline: baseline === undefined ? "" : withSpread(baseline, unit),
    ratio: baseline === undefined ? "" : withSpread(ratios),
    goal: goal === undefined ? "" : inWords(goal, baseline === undefined ? ` ${unit}` : ""),
    verdict: goal === undefined ? "" : isMet(goal, judged, ours) ? "met" : "missed",
  };
}

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Whether the goal is met: a range must hold in every round, a bound on one side for the median. */
function isMet({ atLeast, atMost }: Goal, judged: number, ours: readonly number[]): boolean {
  if (atLeast !== undefined && atMost !== undefined)
    return ours.every((figure) => figure >= atLeast && figure <= atMost);
  return judged >= (atLeast ?? Number.NEGATIVE_INFINITY) && judged <= (atMost ?? Number.POSITIVE_INFINITY);
}

const inWords = ({ atLeast, atMost }: Goal, unit: string): string => {
  if (atLeast !== undefined && atMost !== undefined) return `${atLeast} to ${atMost}${unit}`;
  return atLeast === undefined ? `≤ ${atMost}${unit}` : `≥ ${atLeast}${unit}`;
};

function withSpread(figures: readonly number[], unit?: Unit): string {
  const texts = [median(figures), Math.min(...figures), Math.max(...figures)].map(toText);
  const [middle, least, most] = texts;
  return `${middle}${unit === undefined ? "" : ` ${unit}`}${least === most ? "" : ` (${least}..${most})`}`;
}

const toText = (figure: number): string =>
  figure.toFixed(figure >= 100 ? 0 : figure >= 10 ? 1 : 2).replace(/\.0+$/, "");
