import { BatchGetCommand, type DynamoDBDocumentClient, GetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { Table } from "../table/table.ts";

/** The bytes that one request may read before it is refused as too broad (H33). */
const BYTES_MAX = 25_000_000;
/** A store that is slow ends a request of many reads so long before API Gateway would. */
const TIME_MS_MAX = 20_000;
/** A query stops after it has read so much, however little of it a filter lets through (AWS: 1 MB). */
const QUERY_BYTES = 1_000_000;
/** About the size of an entry in an index of keys. */
const KEY_BYTES = 200;

/** The budget of a request is used up. */
export class TooMuch extends Error {}

/** The reads of the store; read units are counted only when they were asked for. */
export type Reads = { storeCalls: number; itemsRead: number; readUnits: number };

export type Meter = Readonly<{
  /** The same table with all its reads counted. They throw TooMuch once the budget is used up. */
  metered: (table: Table) => Table;
  reads: Reads;
}>;

/** Meters with one budget in common. */
export function openMeters(isExplained: boolean): () => Meter {
  const startMs = performance.now();
  let bytesRead = 0;
  return () => {
    const reads: Reads = { storeCalls: 0, itemsRead: 0, readUnits: 0 };
    const send = async (db: DynamoDBDocumentClient, command: unknown): Promise<unknown> => {
      if (bytesRead > BYTES_MAX || performance.now() - startMs > TIME_MS_MAX) throw new TooMuch();
      const isCounted =
        command instanceof QueryCommand || command instanceof BatchGetCommand || command instanceof GetCommand;
      if (isExplained && isCounted) command.input.ReturnConsumedCapacity = "TOTAL";
      const output: Output = await db.send(command as QueryCommand);
      const items = output.Items ?? Object.values(output.Responses ?? {}).flat();
      reads.storeCalls += 1;
      reads.itemsRead += output.ScannedCount ?? items.length;
      for (const { CapacityUnits = 0 } of [output.ConsumedCapacity ?? []].flat()) reads.readUnits += CapacityUnits;
      bytesRead += bytesOf(command, output, items);
      return output;
    };
    const metered = (table: Table): Table => ({
      ...table,
      db: Object.create(table.db, { send: { value: (command: unknown) => send(table.db, command) } }),
    });
    return { metered, reads };
  };
}

type Item = Readonly<Record<string, unknown>>;
type Capacity = Readonly<{ CapacityUnits?: number | undefined }>;
type Output = Readonly<{
  Items?: readonly Item[] | undefined;
  Responses?: Readonly<Record<string, readonly Item[]>> | undefined;
  ScannedCount?: number | undefined;
  LastEvaluatedKey?: Item | undefined;
  ConsumedCapacity?: Capacity | readonly Capacity[] | undefined;
}>;

/** About how many bytes were read. A query that stopped early without a limit of its own has read a full 1 MB. */
function bytesOf(command: unknown, output: Output, items: readonly Item[]): number {
  const bytes = items.reduce((sum, { doc }) => sum + (typeof doc === "string" ? Buffer.byteLength(doc) : 0), 0);
  const least = bytes + (output.ScannedCount ?? items.length) * KEY_BYTES;
  const isCut = command instanceof QueryCommand && command.input.Limit === undefined && output.LastEvaluatedKey;
  return isCut ? Math.max(least, QUERY_BYTES) : least;
}
