import { parseSettings } from "@intents/deployment/settings.ts";
import { readOutstanding } from "@intents/storage/commissions/commissions.ts";
import { readRecords } from "@intents/storage/table/records.ts";
import { openTable } from "@intents/storage/table/table.ts";

const table = openTable(parseSettings(process.env).TABLE_NAME);

/** Any other query, which only the caller knows: its grant cannot stand in this bundle. */
type Event = Readonly<{ query?: Parameters<typeof readRecords>[1] }>;

/** @public How many records it reads of an index that no line of this file names: a module that it imports does. */
export async function handler({ query }: Event): Promise<number> {
  const pages = query === undefined ? readOutstanding(table, "1001") : readRecords(table, query);
  let count = 0;
  for await (const records of pages) count += records.length;
  return count;
}
