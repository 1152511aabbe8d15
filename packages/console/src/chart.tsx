import { Grid, numbers } from "./parts.tsx";

/** One of the kinds that bars are made of, and how many of it lie in each bucket. */
export type Series = Readonly<{ name: string; counts: readonly number[] }>;

export type ChartData = Readonly<{
  id: string;
  title: string;
  /** The counted things, such as `payments`. */
  unit: string;
  /** The buckets in the order of time; `short` stands below the bar. */
  buckets: readonly Readonly<{ name: string; short: string }>[];
  series: readonly Series[];
}>;

/** Kinds beyond these are drawn as one. */
const KINDS_MAX = 7;
/** Below the bars stand at most so many labels. */
const LABELS_MAX = 8;

/**
 * Bars over time, made of kinds. The drawing is stretched to its place, so that texts stand beside it; whoever cannot see
 * it, or wants figures, has them in the table behind it.
 */
export function Chart(chart: ChartData) {
  const { title, unit, buckets } = chart;
  const series = foldRest(chart.series);
  const totals = buckets.map((_, at) => sumOf(series.map(({ counts }) => counts[at] ?? 0)));
  const all = sumOf(totals);
  if (all === 0) {
    return (
      <figure class="card chart">
        <figcaption>{title}</figcaption>
        <p class="empty">No {unit} in this time.</p>
      </figure>
    );
  }
  const top = niceAbove(Math.max(...totals));
  const every = Math.ceil(buckets.length / LABELS_MAX);
  return (
    <figure class="card chart">
      <figcaption>{title}</figcaption>
      <ul class="legend">
        {series.map(({ name, counts }, index) => (
          <li key={name}>
            <svg viewBox="0 0 1 1" width="12" height="12" aria-hidden="true">
              <rect width="1" height="1" class={toneOf(name, index)} />
            </svg>
            <span>{name}</span> <b>{format(sumOf(counts))}</b>
          </li>
        ))}
      </ul>
      <div class="plot">
        <p class="top" aria-hidden="true">
          {format(top)}
        </p>
        <svg viewBox={`0 0 ${buckets.length} 100`} preserveAspectRatio="none" role="img">
          <title>{`${title}: the table below has the figures`}</title>
          <path class="lines" d={`M0 0H${buckets.length}M0 50H${buckets.length}M0 100H${buckets.length}`} />
          {buckets.map(({ name }, at) => (
            <Bar
              key={name}
              at={at}
              series={series}
              scale={100 / top}
              title={`${name}: ${format(totals[at] ?? 0)} ${unit}`}
            />
          ))}
        </svg>
        <ol class="labels" aria-hidden="true">
          {buckets.map(({ name, short }, at) => (
            <li key={name}>{at % every === 0 ? short : ""}</li>
          ))}
        </ol>
      </div>
      <details>
        <summary>As a table</summary>
        <Grid
          caption={title}
          columns={["UTC", ...series.map(({ name }) => numbers(name)), numbers("all")]}
          rows={buckets.map(({ name }, at) => ({
            key: name,
            cells: [name, ...series.map(({ counts }) => format(counts[at] ?? 0)), format(totals[at] ?? 0)],
          }))}
        />
      </details>
    </figure>
  );
}

type BarProps = Readonly<{ at: number; series: readonly Series[]; scale: number; title: string }>;

/** A bar from the ground up, in the order of the kinds. */
function Bar({ at, series, scale, title }: BarProps) {
  let ground = 100;
  const parts = series.flatMap(({ name, counts }, index) => {
    const height = (counts[at] ?? 0) * scale;
    ground -= height;
    return height === 0 ? [] : [{ name, y: ground, height, tone: toneOf(name, index) }];
  });
  return (
    <g>
      <title>{title}</title>
      {parts.map(({ name, y, height, tone }) => (
        <rect key={name} x={at + 0.16} y={y} width={0.68} height={height} class={tone} />
      ))}
    </g>
  );
}

/** Statuses have colours of their own, other kinds those of their places. */
const toneOf = (name: string, index: number): string => `tone-${index} of-${name.replaceAll(/[^a-z]/g, "-")}`;

/** The largest kinds first, and one for all others. */
export function foldRest(series: readonly Series[]): readonly Series[] {
  const sorted = series.toSorted((one, other) => sumOf(other.counts) - sumOf(one.counts));
  if (sorted.length <= KINDS_MAX) return sorted;
  const rest = sorted.slice(KINDS_MAX - 1);
  const counts = (rest[0]?.counts ?? []).map((_, at) => sumOf(rest.map((each) => each.counts[at] ?? 0)));
  return [...sorted.slice(0, KINDS_MAX - 1), { name: `${rest.length} others`, counts }];
}

/** The next of 1, 2, 5, 10, 20, 50 and so on that is not below `most`. */
export function niceAbove(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= most) ?? most;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);
const format = (count: number): string => count.toLocaleString("en");
