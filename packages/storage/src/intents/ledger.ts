import type { LedgerEntry } from "@intents/domain/ledger/ledger.ts";
import { keysOf } from "../table/keys.ts";
import { listPartition, newRecord } from "../table/records.ts";
import { fromDoc, type Table } from "../table/table.ts";
import type { Action } from "../table/transact.ts";

type IntentKey = Readonly<{ tenantId: string; id: string }>;

/** The entries that one event of one execution books at once. */
type Booking = Readonly<{ at: string; entries: readonly LedgerEntry[] }>;

/**
 * Books entries in the transaction that changes the intent, those of one event of an execution as one item; put if
 * absent, never updated, so that no event is booked twice (H56, H57).
 */
export const ledgerActions = (table: Table, { tenantId, id }: IntentKey, entries: readonly LedgerEntry[]): Action[] =>
  [...Map.groupBy(entries, bookingIdOf)].map(([bookingId, booked]) => {
    const booking: Booking = { at: booked[0]?.at ?? "", entries: booked };
    return { label: "ledger", write: { Put: newRecord(table, keysOf(tenantId).ledger(id, bookingId), booking) } };
  });

/** `<executionId>#<event>`: the entries of all legs and of the fee; of a correction, with its number. */
function bookingIdOf({ id }: LedgerEntry): string {
  const [executionId, , event] = id.split("#");
  return `${executionId}#${event}`;
}

/** All that was booked for an intent. */
export async function listLedger(table: Table, { tenantId, id }: IntentKey): Promise<LedgerEntry[]> {
  const items = await listPartition(table, keysOf(tenantId).ledger(id, "").PK);
  return items.flatMap((item) => fromDoc<Booking>(item).entries);
}
