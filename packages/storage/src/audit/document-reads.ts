import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { newRecordId } from "@intents/domain/ids.ts";
import { keysOf } from "../table/keys.ts";
import { addRecord, listNewest } from "../table/records.ts";
import { fromDoc, type Table } from "../table/table.ts";
import { StoreBusy } from "../table/transact.ts";

/** The one who got the content of an identity document: a key of the tenant, or an operator who exported a person. */
export type DocumentReader = Readonly<{ by: "tenant"; clientId: string } | { by: "export"; operator: string }> &
  Readonly<{ requestId: string }>;

/** A student, payer or payment, one of its documents, and its reader. It names nobody whose document it is. */
export type DocumentRead = Readonly<{ tenantId: string; ownerId: string; documentId: string; reader: DocumentReader }>;

/** The same as it is kept. */
export type ReadEntry = Readonly<{ at: string; documentId: string }> & DocumentReader;

type Means = Readonly<{ table: Table; now: () => number; random: (count: number) => Uint8Array }>;

/**
 * Writes the trace of a read. Put if absent, never updated (H56): the content goes out once it is written. Throws
 * StoreBusy where it was not, or may not have been.
 */
export async function traceRead({ table, now, random }: Means, read: DocumentRead): Promise<void> {
  const { tenantId, ownerId, documentId, reader } = read;
  const atMs = now();
  const entry: ReadEntry = { at: new Date(atMs).toISOString(), documentId, ...reader };
  const key = keysOf(tenantId).documentRead(ownerId, newRecordId(atMs, random));
  const isNew = await addRecord(table, key, entry).catch((cause: unknown) => {
    throw new StoreBusy("The trace of a read was not written", { cause });
  });
  if (!isNew) throw new Error("A new trace's key is already in use");
}

/** The reads of the documents of a student, payer or payment: the newest `limit` of them, newest first. */
export const listReads = (table: Table, tenantId: string, ownerId: string, limit: number): Promise<ReadEntry[]> =>
  listNewest(table, keysOf(tenantId).documentRead(ownerId, "").PK, limit);

/** A place before all traces, whose ids begin with their time. */
const FIRST = "0".repeat(24);

type ReadsQuery = Readonly<{ tenantId: string; ownerId: string; after?: string; limit: number }>;

/** A page of the same for their tenant, newest first: `after` is the id of the last one of the page before. */
export async function pageOfReads(table: Table, { tenantId, ownerId, after, limit }: ReadsQuery) {
  const { Items = [] } = await table.db.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: `PK = :pk${after === undefined ? "" : " AND SK < :after"}`,
      ExpressionAttributeValues: {
        ":pk": keysOf(tenantId).documentRead(ownerId, "").PK,
        ...(after !== undefined && { ":after": after }),
      },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: limit + 1,
    }),
  );
  const items = Items.slice(0, limit).map((item) => ({ id: String(item["SK"]), ...toRead(fromDoc<ReadEntry>(item)) }));
  return { items, hasMore: Items.length > limit, nextCursor: items.at(-1)?.id ?? after ?? FIRST };
}

/** A read as the tenant is told it: of an operator not who it was. */
function toRead({ at, documentId, ...reader }: ReadEntry) {
  if (reader.by === "export") return { at, documentId, by: "operator" as const };
  const { by, clientId, requestId } = reader;
  return { at, documentId, by, clientId, requestId };
}
