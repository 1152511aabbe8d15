import { newRecordId } from "@intents/domain/ids.ts";
import { keysOf } from "../table/keys.ts";
import { addRecord, listNewest } from "../table/records.ts";
import type { Table } from "../table/table.ts";

/** The one who got the content of an identity document: a key of the tenant, or an operator who exported a person. */
export type DocumentReader = Readonly<{ by: "tenant"; clientId: string } | { by: "export"; operator: string }> &
  Readonly<{ requestId: string }>;

/** A student, payer or payment, one of its documents, and its reader. It names nobody whose document it is. */
export type DocumentRead = Readonly<{ tenantId: string; ownerId: string; documentId: string; reader: DocumentReader }>;

/** The same as it is kept. */
export type ReadEntry = Readonly<{ at: string; documentId: string }> & DocumentReader;

type Means = Readonly<{ table: Table; now: () => number; random: (count: number) => Uint8Array }>;

/** Writes the trace of a read. Put if absent, never updated (H56): the content goes out once it is written. */
export async function traceRead({ table, now, random }: Means, read: DocumentRead): Promise<void> {
  const { tenantId, ownerId, documentId, reader } = read;
  const atMs = now();
  const entry: ReadEntry = { at: new Date(atMs).toISOString(), documentId, ...reader };
  const isNew = await addRecord(table, keysOf(tenantId).documentRead(ownerId, newRecordId(atMs, random)), entry);
  if (!isNew) throw new Error("A new trace's key is already in use");
}

/** The reads of the documents of a student, payer or payment: the newest `limit` of them, newest first. */
export const listReads = (table: Table, tenantId: string, ownerId: string, limit: number): Promise<ReadEntry[]> =>
  listNewest(table, keysOf(tenantId).documentRead(ownerId, "").PK, limit);
