import { type OperatorChange, operatorAudit } from "../audit/operators.ts";
import { keysOf } from "../table/keys.ts";
import { queryAll } from "../table/pages.ts";
import { addRecord, findRecord, listPartition, newRecord, readRecords, replacedRecord } from "../table/records.ts";
import { fromDoc, type Table } from "../table/table.ts";
import { type Action, transact } from "../table/transact.ts";

/** A message of the rail that came too late, or that contradicts the intent: for an operator to settle by hand. */
export type Reconciliation = Readonly<{
  tenantId: string;
  intentId: string;
  executionId: string;
  kind: "accepted_after_release" | "contradicts_outcome" | "paid_after_close";
  /** The message of the rail, and the state of the intent. */
  said: string;
  stands: string;
  openedAt: string;
  /** Set once an operator has settled it; the record stays. */
  closed?: Readonly<{ at: string; by: string; reason: string }>;
}>;

/** The id by which an operator names a record. */
export const reconciliationId = ({
  intentId,
  executionId,
  kind,
}: Pick<Reconciliation, "intentId" | "executionId" | "kind">): string => `${intentId}#${executionId}#${kind}`;

/** Opens a record once, however often the rail repeats itself. */
export async function openReconciliation(table: Table, record: Reconciliation): Promise<void> {
  await addRecord(table, keysOf(record.tenantId).reconciliation(reconciliationId(record)), record);
}

/** Opens a record within a transaction, for an event that can happen only once. */
export const reconciliationAction = (table: Table, record: Reconciliation): Action => ({
  label: "reconciliation",
  write: { Put: newRecord(table, keysOf(record.tenantId).reconciliation(reconciliationId(record)), record) },
});

/** All of a tenant's records, open and closed, by intent. */
export async function listReconciliations(table: Table, tenantId: string): Promise<Reconciliation[]> {
  const items = await listPartition(table, keysOf(tenantId).reconciliation("").PK);
  return items.map((item) => fromDoc<Reconciliation>(item));
}

/** The same, those of the newest intents first, page by page. */
export const readReconciliations = (table: Table, tenantId: string): AsyncGenerator<Reconciliation[]> =>
  readRecords<Reconciliation>(table, {
    KeyConditionExpression: "PK = :pk",
    ExpressionAttributeValues: { ":pk": keysOf(tenantId).reconciliation("").PK },
    ConsistentRead: true,
    ScanIndexForward: false,
  });

/** The records about one intent. */
export async function findReconciliations(table: Table, tenantId: string, intentId: string): Promise<Reconciliation[]> {
  const { PK, SK } = keysOf(tenantId).reconciliation(`${intentId}#`);
  const items = await queryAll(table, {
    KeyConditionExpression: "PK = :pk AND begins_with(SK, :intent)",
    ExpressionAttributeValues: { ":pk": PK, ":intent": SK },
    ConsistentRead: true,
  });
  return items.map((item) => fromDoc<Reconciliation>(item));
}

/** Marks a record as settled by hand; undefined when there is no such record, or it is closed already. */
export async function closeReconciliation(
  table: Table,
  tenantId: string,
  id: string,
  change: OperatorChange,
): Promise<Reconciliation | undefined> {
  const key = keysOf(tenantId).reconciliation(id);
  const before = await findRecord<Reconciliation>(table, key);
  if (before === undefined || before.closed !== undefined) return undefined;
  const { operator: by, reason, atMs } = change;
  const after = { ...before, closed: { at: new Date(atMs).toISOString(), by, reason } };
  const verdict = await transact(table, () => [
    { label: "reconciliation", write: { Put: replacedRecord(table, key, before, after) } },
    operatorAudit(table, tenantId, change),
  ]);
  return verdict.done ? after : undefined;
}
