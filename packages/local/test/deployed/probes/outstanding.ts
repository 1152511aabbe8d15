import { parseSettings } from "@intents/deployment/settings.ts";
import { walkOutstanding } from "@intents/storage/commissions.ts";
import { walkRecords } from "@intents/storage/records.ts";
import { openTable } from "@intents/storage/table.ts";

const table = openTable(parseSettings(process.env).TABLE_NAME);

/** Any other query, which only the caller knows: its grant cannot stand in this bundle. */
type Event = Readonly<{ query?: Parameters<typeof walkRecords>[1] }>;

/** @public How many records it reads of an index that no line of this file names: a module that it imports does. */
export async function handler({ query }: Event): Promise<number> {
  const pages = query === undefined ? walkOutstanding(table, "1001") : walkRecords(table, query);
  let count = 0;
  for await (const records of pages) count += records.length;
  return count;
}
