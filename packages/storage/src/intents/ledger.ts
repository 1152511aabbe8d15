import type { LedgerEntry } from "@intents/domain/ledger/ledger.ts";
import { keysOf } from "../table/keys.ts";
import { listPartition, newRecord } from "../table/records.ts";
import { fromDoc, type Table } from "../table/table.ts";
import type { Action } from "../table/transact.ts";

type IntentKey = Readonly<{ tenantId: string; id: string }>;

/** Books entries in the transaction that changes the intent; put if absent, never updated (H56). */
export const ledgerActions = (table: Table, { tenantId, id }: IntentKey, entries: readonly LedgerEntry[]): Action[] =>
  entries.map((entry) => ({
    label: "ledger",
    write: { Put: newRecord(table, keysOf(tenantId).ledger(id, entry.id), entry) },
  }));

/** All that was booked for an intent. */
export async function listLedger(table: Table, { tenantId, id }: IntentKey): Promise<LedgerEntry[]> {
  const items = await listPartition(table, keysOf(tenantId).ledger(id, "").PK);
  return items.map((item) => fromDoc<LedgerEntry>(item));
}
