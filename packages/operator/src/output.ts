import Table from "cli-table3";
import { InvalidArgumentError, Option } from "commander";
import type { Session } from "./session.ts";

/** One record for people, or the same as JSON for scripts. */
export function print({ json }: Pick<Session, "json">, record: Readonly<Record<string, unknown>>): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(record)}\n`);
    return;
  }
  const table = new Table({ style: { head: [], border: [] } });
  for (const [name, value] of Object.entries(record)) table.push([name, toCell(value)]);
  process.stdout.write(`${table.toString()}\n`);
}

/** Many records of one kind: a row each for people, an array for scripts. */
export function printAll({ json }: Pick<Session, "json">, records: readonly Readonly<Record<string, unknown>>[]): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(records)}\n`);
    return;
  }
  const [first] = records;
  if (first === undefined) {
    process.stdout.write("none\n");
    return;
  }
  const rows = records.map((record) => Object.values(record).map(toCell));
  const colWidths = Object.keys(first).map((_, column) =>
    rows.some((cells) => (cells[column] ?? "").length > CELL_MAX) ? CELL_MAX + 2 : null,
  );
  const style = { head: [], border: [], compact: true };
  const table = new Table({ head: Object.keys(first), style, colWidths, wordWrap: true, wrapOnWordBoundary: false });
  table.push(...rows);
  process.stdout.write(`${table.toString()}\n`);
}

/** The option by which a list is as long as its reader wants it. */
export const limitOption = () =>
  new Option("--limit <n>", "how many at most").default(50).argParser((value: string) => {
    const limit = /^\d{1,4}$/.test(value) ? Number(value) : 0;
    if (limit < 1 || limit > 1000) throw new InvalidArgumentError("a number from 1 to 1000");
    return limit;
  });

/** A longer cell of a table is broken into lines. */
const CELL_MAX = 90;

function toCell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "object") return String(value);
  const isPlainList = Array.isArray(value) && value.every((each) => typeof each !== "object");
  return isPlainList ? value.join(", ") : JSON.stringify(value, undefined, 2);
}

const BAR_WIDTH = 30;

type Screen = Readonly<{ isTTY: boolean; write(text: string): unknown }>;

/** A bar on standard error that fills up on the way to `total`; nothing where standard error is no terminal. */
export function openProgress(what: string, total: number, screen: Screen = process.stderr) {
  let done = 0;
  return {
    advance(by: number): void {
      done += by;
      if (!screen.isTTY) return;
      const share = Math.min(1, done / Math.max(total, 1));
      const bar = "█".repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, "░");
      screen.write(`\r${bar} ${Math.round(share * 100)} % ${done} ${what}`);
    },
    end(): void {
      if (screen.isTTY) screen.write("\n");
    },
  };
}
