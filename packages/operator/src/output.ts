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
