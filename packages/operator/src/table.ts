import { styleText } from "node:util";
import Table from "cli-table3";
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

/** Where a table is shown: how wide it may be, if it has to fit, and whether it is coloured (`NO_COLOR`). */
export type Screen = Readonly<{ columns?: number; stream?: NodeJS.WriteStream }>;

type Cells = readonly string[];

/** A column's characters beside its text: a space on each side, and the line between columns. */
const BESIDE = 3;
/** A column is not made narrower: what does not fit so is told record by record. */
const NARROWEST = 10;

/**
 * A row for each record, as wide as the screen at most; with lines between rows where a row has several lines. Records
 * stand one below the other where their columns do not fit.
 */
export function toTable(names: Cells, rows: readonly Cells[], screen: Screen): string {
  const widths = widthsOf([names, ...rows], screen.columns);
  if (widths === undefined) return rows.map((cells) => toSheet(names, cells, screen)).join("\n");
  const cells = rows.map((row) => row.map((cell, at) => wrap(cell, widths[at])));
  const table = new Table({
    head: names.map((name) => paint("bold", name, screen)),
    style: { head: [], border: [], compact: !cells.some((row) => row.some((cell) => cell.includes("\n"))) },
  });
  table.push(...cells.map((row) => row.map((cell) => painted(cell, screen))));
  return table.toString();
}

/** One record: a line for each of its fields. */
export function toSheet(names: Cells, cells: Cells, screen: Screen): string {
  const first = Math.max(0, ...names.map(widthOf));
  const left = Math.max(NARROWEST, (screen.columns ?? Number.POSITIVE_INFINITY) - first - 2 * BESIDE - 1);
  const table = new Table({ style: { head: [], border: [] } });
  table.push(...names.map((name, at) => [paint("bold", name, screen), painted(wrap(cells[at] ?? "", left), screen)]));
  return table.toString();
}

/**
 * The width of each column. What has no space in it, such as an id or a time, is not broken where there is any other way,
 * so that it can be copied; beyond that, columns share what is left, none more than it needs. Undefined when that is too
 * little.
 */
function widthsOf(rows: readonly Cells[], columns: number | undefined): number[] | undefined {
  const widest = (of: (cell: string) => number) =>
    (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => of(cells[column] ?? ""))));
  const needed = widest(widthOf);
  if (columns === undefined) return needed;
  const left = columns - 1 - needed.length * BESIDE;
  const words = widest((cell) => Math.max(...cell.split(/[^\S\n]+/).map(widthOf)));
  const narrow = needed.map((width) => Math.min(width, NARROWEST));
  const unbroken = words.map((word, column) => Math.max(word, narrow[column] ?? 0));
  // A column of ids is never broken; a long word among others is, before records stand one below the other.
  const broken = unbroken.map((width, column) => (width === needed[column] ? width : (narrow[column] ?? 0)));
  const least = [unbroken, broken].find((widths) => sumOf(widths) <= left);
  if (least === undefined) return undefined;
  const widths = [...least];
  let spare = left - sumOf(least);
  const wants = needed.map((width, column) => ({ column, more: width - (least[column] ?? 0) }));
  for (const [served, { column, more }] of wants.toSorted((one, other) => one.more - other.more).entries()) {
    const given = Math.min(more, Math.floor(spare / (wants.length - served)));
    widths[column] = (least[column] ?? 0) + given;
    spare -= given;
  }
  return widths;
}

const sumOf = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width, 0);

/** Breaks lines between words, and where a word is longer than a line, within it. */
const wrap = (text: string, width = Number.POSITIVE_INFINITY): string =>
  widthOf(text) <= width ? text : wrapAnsi(text, width, { hard: true, trim: false });

const widthOf = (text: string): number => Math.max(...text.split("\n").map((line) => stringWidth(line)));

type Style = "bold" | "green" | "red" | "yellow" | "cyan";

/** How words are shown that tell how something stands; a cell may hold any other word. */
const styles: ReadonlyMap<string, Style> = new Map(
  Object.entries<Style>({
    completed: "green",
    cleared: "green",
    paid: "green",
    failed: "red",
    rejected: "red",
    requires_recovery: "yellow",
    partially_completed: "yellow",
    held: "yellow",
    suspended: "yellow",
    executing: "cyan",
    submitted: "cyan",
  }),
);

const painted = (cell: string, screen: Screen): string => {
  const style = styles.get(cell);
  return style === undefined ? cell : paint(style, cell, screen);
};

const paint = (style: Style, text: string, { stream = process.stdout }: Screen): string =>
  styleText(style, text, { stream });
