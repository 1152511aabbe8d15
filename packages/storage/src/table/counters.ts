import { randomInt } from "node:crypto";
import { COUNTER_PARTITIONS, keysOf } from "./keys.ts";
import { listPartition } from "./records.ts";
import type { Table } from "./table.ts";
import type { Action } from "./transact.ts";

/** A counter is spread over this many items, so that concurrent transactions rarely meet (H27). */
export const COUNTER_SHARDS = 16;

/** A change of a counter: a record appears (`to`), disappears (`from`), or moves from one key to another. */
export type Count = Readonly<{
  counter: string;
  from?: string;
  to?: string;
  /** The weight of the record, 1 by default: an amount in minor units. */
  by?: number;
}>;

/** Counts records exactly, in the transaction that changes them. A shard may go below zero; the sum never does. */
export function countActions(tenantId: string, counts: readonly Count[], table: Table): Action[] {
  return counts
    .filter(({ from, to }) => from !== to)
    .map(({ counter, from, to, by = 1 }) => {
      const steps = [
        { name: "#from", key: from, step: -by },
        { name: "#to", key: to, step: by },
      ].filter((entry): entry is { name: string; key: string; step: number } => entry.key !== undefined);
      return {
        label: "counter",
        write: {
          Update: {
            TableName: table.name,
            Key: keysOf(tenantId).counter(counter, randomInt(COUNTER_SHARDS)),
            UpdateExpression: `ADD ${steps.map(({ name }) => `${name} ${name.replace("#", ":")}`).join(", ")}`,
            ExpressionAttributeNames: Object.fromEntries(steps.map(({ name, key }) => [name, key])),
            ExpressionAttributeValues: Object.fromEntries(
              steps.map(({ name, step }) => [name.replace("#", ":"), step]),
            ),
          },
        },
      };
    });
}

/** The number of records under each key of a counter. */
export async function readCounts(table: Table, tenantId: string, counter: string): Promise<Map<string, number>> {
  const partitions = Array.from({ length: COUNTER_PARTITIONS }, (_, shard) => keysOf(tenantId).counter(counter, shard));
  const items = await Promise.all(partitions.map(({ PK }) => listPartition(table, PK)));
  const counts = new Map<string, number>();
  for (const item of items.flat()) {
    for (const [key, value] of Object.entries(item)) {
      if (typeof value === "number") counts.set(key, (counts.get(key) ?? 0) + value);
    }
  }
  return counts;
}
