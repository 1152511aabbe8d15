import { parseSettings } from "@intents/deployment/settings.ts";
import { readOutstanding } from "@intents/storage/commissions/commissions.ts";
import { readRecords } from "@intents/storage/table/records.ts";
import { openTable } from "@intents/storage/table/table.ts";

const table = openTable(parseSettings(process.env).TABLE_NAME);

/** Any other query, as its caller writes it: this bundle cannot show the grant that it needs. */
type Event = Readonly<{ query?: Parameters<typeof readRecords>[1] }>;

/**
 * @public The number of records that it reads from an index. No line of this file names the index: an imported module
 * does.
 */
export async function handler({ query }: Event): Promise<number> {
  const pages = query === undefined ? readOutstanding(table, "1001") : readRecords(table, query);
  let count = 0;
  for await (const records of pages) count += records.length;
  return count;
}
