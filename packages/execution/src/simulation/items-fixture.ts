import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { Table } from "@intents/storage/table.ts";

export type Item = Readonly<Record<string, unknown>>;

/** Everything that a table holds. */
export async function scanItems({ db }: Table, TableName: string): Promise<Item[]> {
  const items: Item[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await db.send(
      new ScanCommand({ TableName, ConsistentRead: true, ...(start !== undefined && { ExclusiveStartKey: start }) }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return items;
}
