import Table from "cli-table3";
import type { Session } from "./session.ts";

/** One record for people, or the same as JSON for scripts. */
export function print({ json }: Pick<Session, "json">, record: Readonly<Record<string, unknown>>): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(record)}\n`);
    return;
  }
  const table = new Table({ style: { head: [], border: [] } });
  for (const [name, value] of Object.entries(record))
    table.push([name, Array.isArray(value) ? value.join(", ") : String(value)]);
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
  const table = new Table({ head: Object.keys(first), style: { head: [], border: [] } });
  for (const record of records) table.push(Object.values(record).map(String));
  process.stdout.write(`${table.toString()}\n`);
}
