import { scanPages } from "@intents/storage/table/pages.ts";
import type { Table } from "@intents/storage/table/table.ts";

export type Item = Readonly<Record<string, unknown>>;

/** All items of a table. */
export async function scanItems(table: Table, name: string): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of scanPages({ ...table, name }, {})) items.push(...(page.Items ?? []));
  return items;
}
