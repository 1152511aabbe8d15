import { type OperatorChange, operatorAudit } from "../audit/operators.ts";
import { type Key, keysOf } from "../table/keys.ts";
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
  /** What the rail says, and the state of the intent. */
  said: string;
  stands: string;
  /** Since when an operator has to settle it. */
  openedAt: string;
  /** When the rail was asked that said so, where it has said something else before. */
  saidAt?: string;
  /** The number of the word that is told, where it is not the first. */
  nth?: number;
  /** What the rail said before, the oldest first, with how it was settled then. */
  earlier?: readonly EarlierWord[];
  /** Set once an operator has settled it; the record stays. */
  closed?: Closed;
}>;

type Closed = Readonly<{ at: string; by: string; reason: string }>;
type EarlierWord = Readonly<{ said: string; at: string; closed?: Closed }>;

/** A rail that keeps changing its mind is remembered for so many words. */
const EARLIER_MAX = 100;
/** So many workers may change a record while another word is written down. */
const TRIES_MAX = 8;

/** The id by which an operator names a record, and with it the word that is told: a newer word makes it another. */
export const reconciliationId = ({
  intentId,
  executionId,
  kind,
  nth = 1,
}: Pick<Reconciliation, "intentId" | "executionId" | "kind" | "nth">): string =>
  [intentId, executionId, kind, ...(nth === 1 ? [] : [nth])].join("#");

/** The key of the one record of an execution and a kind, whatever word it tells. */
const keyOf = (tenantId: string, id: string): Key =>
  keysOf(tenantId).reconciliation(id.split("#").slice(0, 3).join("#"));

/**
 * Opens a record of what a rail says. One that there is tells it from now on, open again if it was closed, and keeps what
 * was said before. The same word again changes nothing, nor does one that was asked for before the word that is told.
 */
export async function openReconciliation(table: Table, record: Reconciliation): Promise<void> {
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    if ((await amendReconciliation(table, record)) !== "none") return;
    if (await addRecord(table, keyOf(record.tenantId, reconciliationId(record)), record)) return;
  }
  throw new Error(`The record ${reconciliationId(record)} comes and goes`);
}

/** The same for a record that there is; `none` where there is none. */
export async function amendReconciliation(table: Table, record: Reconciliation): Promise<"none" | "told"> {
  const key = keyOf(record.tenantId, reconciliationId(record));
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const before = await findRecord<Reconciliation>(table, key);
    if (before === undefined) return "none";
    const { said, openedAt, saidAt = openedAt, nth = 1, earlier = [], closed } = before;
    if (said === record.said || record.openedAt < saidAt) return "told";
    const after: Reconciliation = {
      ...record,
      ...(closed === undefined && { openedAt }),
      saidAt: record.openedAt,
      nth: nth + 1,
      earlier: [...earlier, { said, at: saidAt, ...(closed && { closed }) }].slice(-EARLIER_MAX),
    };
    const put = replacedRecord(table, key, before, after);
    if ((await transact(table, () => [{ label: "reconciliation", write: { Put: put } }])).done) return "told";
  }
  throw new Error(`The record ${reconciliationId(record)} changes faster than a word is written`);
}

/** Opens a record within a transaction, for an event that can happen only once. */
export const reconciliationAction = (table: Table, record: Reconciliation): Action => ({
  label: "reconciliation",
  write: { Put: newRecord(table, keyOf(record.tenantId, reconciliationId(record)), record) },
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

/** Marks a record as settled by hand; undefined when there is none that tells this word, or it is closed already. */
export async function closeReconciliation(
  table: Table,
  tenantId: string,
  id: string,
  change: OperatorChange,
): Promise<Reconciliation | undefined> {
  const key = keyOf(tenantId, id);
  const before = await findRecord<Reconciliation>(table, key);
  if (before === undefined || before.closed !== undefined || reconciliationId(before) !== id) return undefined;
  const { operator: by, reason, atMs } = change;
  const after = { ...before, closed: { at: new Date(atMs).toISOString(), by, reason } };
  const verdict = await transact(table, () => [
    { label: "reconciliation", write: { Put: replacedRecord(table, key, before, after) } },
    operatorAudit(table, tenantId, change),
  ]);
  return verdict.done ? after : undefined;
}
