import { paginateScan } from "@aws-sdk/lib-dynamodb";
import type { Table } from "@intents/storage/table/table.ts";

export type Item = Readonly<Record<string, unknown>>;

/** All items of a table. */
export async function scanItems(table: Table, name: string): Promise<Item[]> {
  const items: Item[] = [];
  const pages = paginateScan({ client: table.db }, { TableName: name, ConsistentRead: true });
  for await (const page of pages) items.push(...(page.Items ?? []));
  return items;
}
