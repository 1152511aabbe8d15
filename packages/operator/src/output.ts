import { csvLine } from "@intents/domain/commissions/csv.ts";
import { InvalidArgumentError, Option } from "commander";
import { type Screen, toSheet, toTable } from "./table.ts";

/** The form of what a command prints: tables for people, or JSON or CSV for programs. */
export type Format = "table" | "json" | "csv";

type Form = Readonly<{ format: Format }>;
type Fields = Readonly<Record<string, unknown>>;

/** How records are shown other than in JSON: fewer columns for people, flat ones for spreadsheets. */
export type View<Item> = Readonly<{ table: (item: Item) => Fields; csv: (item: Item) => Fields }>;

const plain: View<Fields> = { table: (fields) => fields, csv: (fields) => fields };

/** A terminal's width is to be kept to; a file or a program gets lines as long as they are. */
const screen = (): Screen => (process.stdout.isTTY ? { columns: process.stdout.columns } : {});

const write = (text: string): boolean => process.stdout.write(text);

/** One record for people, with a table of its own for each list of records in it; or the same for programs. */
export function print({ format }: Form, record: Fields): void {
  if (format === "json") write(`${JSON.stringify(record)}\n`);
  else if (format === "csv") printAll({ format }, [record]);
  else {
    const entries = Object.entries(record);
    const single = entries.filter(([, value]) => !isRecords(value));
    const cells = single.map(([, value]) => toCell(value, 2));
    write(
      `${toSheet(
        single.map(([name]) => name),
        cells,
        screen(),
      )}\n`,
    );
    for (const [name, value] of entries) {
      if (!isRecords(value)) continue;
      write(`\n${name}\n`);
      printAll({ format }, value);
    }
  }
}

/** Many records of one kind: a row each for people, an array or lines for programs. */
export function printAll<Item extends Fields>(
  { format }: Form,
  records: readonly Item[],
  view: View<Item> = plain,
): void {
  if (format === "json") {
    write(`${JSON.stringify(records)}\n`);
    return;
  }
  const rows = records.map(format === "csv" ? view.csv : view.table);
  // Records may lack fields that others have.
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => names.map((name) => toCell(row[name])));
  // Without a record nobody knows the columns.
  if (format === "csv" && rows.length === 0) return;
  if (format === "csv") write([names, ...cells].map(csvLine).join(""));
  else write(rows.length === 0 ? "none\n" : `${toTable(names, cells, screen())}\n`);
}

const isRecords = (value: unknown): value is Fields[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => isFlat(each));
const isFlat = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.values(value).every((field) => typeof field !== "object");

function toCell(value: unknown, indent?: number): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "object") return String(value);
  const isPlainList = Array.isArray(value) && value.every((each) => typeof each !== "object");
  return isPlainList ? value.join(", ") : JSON.stringify(value, undefined, indent);
}

/** No list is longer, `all` included. */
const LIST_MAX = 1_000_000;

/** The option by which a list is as long as its reader wants it. */
export const limitOption = () =>
  new Option("--limit <n>", `how many at most, or all: ${LIST_MAX}`).default(50).argParser((value: string) => {
    if (value === "all") return LIST_MAX;
    const limit = /^\d{1,7}$/.test(value) ? Number(value) : 0;
    if (limit < 1 || limit > LIST_MAX) throw new InvalidArgumentError(`a number from 1 to ${LIST_MAX}, or all`);
    return limit;
  });

const BAR_WIDTH = 30;

type Terminal = Readonly<{ isTTY: boolean; write(text: string): unknown }>;

/** A bar on standard error that fills up on the way to `total`; nothing where standard error is no terminal. */
export function openProgress(what: string, total: number, terminal: Terminal = process.stderr) {
  let done = 0;
  return {
    advance(by: number): void {
      done += by;
      if (!terminal.isTTY) return;
      const share = Math.min(1, done / Math.max(total, 1));
      const bar = "█".repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, "░");
      terminal.write(`\r${bar} ${Math.round(share * 100)} % ${done} ${what}`);
    },
    end(): void {
      if (terminal.isTTY) terminal.write("\n");
    },
  };
}
