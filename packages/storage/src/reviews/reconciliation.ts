import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { TimelineNews } from "@intents/domain/events/timeline.ts";
import type { ReviewReason } from "@intents/domain/intents/review.ts";
import type { IntentStatus } from "@intents/domain/intents/statuses.ts";
import type { CorrectedRecipient } from "@intents/domain/ledger/correcting.ts";
import { type OperatorChange, operatorAudit } from "../audit/operators.ts";
import { type Key, keysOf } from "../table/keys.ts";
import { queryAll } from "../table/pages.ts";
import { findRecord, listPartition, newRecord, readRecords, replacedRecord } from "../table/records.ts";
import { fromDoc, type Table, toDoc } from "../table/table.ts";
import { type Action, transact } from "../table/transact.ts";
import { type CommissionsFollow, reviewActions } from "./reviews.ts";

/** A message of the rail that came too late, or that contradicts the intent: for an operator to settle by hand. */
export type Reconciliation = Readonly<{
  tenantId: string;
  intentId: string;
  executionId: string;
  kind: ReviewReason;
  /** The rail's word, and the intent's or recipient's status. */
  said: string;
  stands: string;
  /** The recipients of the order that the rail took, where nothing else keeps it: its submission was released. */
  recipients?: readonly CorrectedRecipient[];
  /** The same of the order's payment id, and the spread that its quote locked: what arrives by it earns a commission. */
  earning?: Readonly<{ paymentId: number; commissionSpread: string }>;
  /** Since when an operator has to settle it. */
  openedAt: string;
  /** When the rail was asked that said so, where it has said something else before. */
  saidAt?: string;
  /** The number of the word that is told, where it is not the first. */
  nth?: number;
  /** The rail's earlier words, oldest first, each with its settlement then. */
  earlier?: readonly EarlierReport[];
  /** Set once an operator has settled it; the record stays. */
  closed?: Closed;
}>;

type Closed = Readonly<{ at: string; by: string; reason: string }>;
type EarlierReport = Readonly<{ said: string; at: string; closed?: Closed }>;

/** A rail that keeps changing its mind is remembered for so many words. */
const EARLIER_MAX = 100;
/** Tries of a write while workers change the record or the mark of its intent. */
const TRIES_MAX = 20;
const PAUSE_MS_MAX = 20;

/** The id by which an operator names a record, and with it the word that is told: a newer word makes it another. */
export const reconciliationId = ({
  intentId,
  executionId,
  kind,
  nth = 1,
}: Pick<Reconciliation, "intentId" | "executionId" | "kind" | "nth">): string =>
  [intentId, executionId, kind, ...(nth === 1 ? [] : [nth])].join("#");

/** The key of the one record of an execution and a kind, whatever word it tells. */
const keyOf = (tenantId: string, id: string): Key => keysOf(tenantId).reconciliation(nameOf(id));
const nameOf = (id: string): string => id.split("#").slice(0, 3).join("#");

/** The label of writes and conditions of a record. */
export const RECORD_LABEL = "reconciliation";

/** The condition that a record is as it was read: open, if it was, and about the same word. */
export const sameRecord = (table: Table, record: Reconciliation): Action => ({
  label: RECORD_LABEL,
  write: {
    ConditionCheck: {
      TableName: table.name,
      Key: keyOf(record.tenantId, reconciliationId(record)),
      ConditionExpression: "doc = :record",
      ExpressionAttributeValues: { ":record": toDoc(record) },
    },
  },
});

/**
 * Opens a record of what a rail says, and with it the review of the intent. A record that there is tells the new word from
 * now on, open again if it was closed, and keeps what was said before. The same word again changes nothing, nor does one
 * that was asked for before the word that is told.
 */
export const openReconciliation = (
  table: Table,
  record: Reconciliation,
  nowMs: number,
  follow: CommissionsFollow = {},
): Promise<void> => writeReport(table, record, { nowMs, ...follow }, () => record);

/** The same for a record that there is. */
export const amendReconciliation = (
  table: Table,
  record: Reconciliation,
  nowMs: number,
  follow: CommissionsFollow = {},
): Promise<void> => writeReport(table, record, { nowMs, ...follow }, () => undefined);

async function writeReport(
  table: Table,
  record: Reconciliation,
  dated: Readonly<{ nowMs: number }> & CommissionsFollow,
  first: () => Reconciliation | undefined,
): Promise<void> {
  const id = reconciliationId(record);
  const key = keyOf(record.tenantId, id);
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const before = await findRecord<Reconciliation>(table, key);
    const after = before === undefined ? first() : withReport(before, record);
    if (after === undefined) return;
    const put = before === undefined ? newRecord(table, key, after) : replacedRecord(table, key, before, after);
    const review = await reviewActions(table, after, "opened", dated);
    const write = () => [{ label: RECORD_LABEL, write: { Put: put } }, ...review];
    if ((await transact(table, write)).done) return;
    await pause(randomInt(PAUSE_MS_MAX));
  }
  throw new Error(`The record ${id} changes faster than a word is written`);
}

/** A record that tells another word; undefined where it tells this one, or one that was asked for later. */
function withReport(before: Reconciliation, record: Reconciliation): Reconciliation | undefined {
  const { said, openedAt, saidAt = openedAt, nth = 1, earlier = [], closed } = before;
  if (said === record.said || record.openedAt < saidAt) return undefined;
  return {
    ...record,
    ...(closed === undefined && { openedAt }),
    saidAt: record.openedAt,
    nth: nth + 1,
    earlier: [...earlier, { said, at: saidAt, ...(closed && { closed }) }].slice(-EARLIER_MAX),
  };
}

/** Opens a record within the transaction that brings an intent to `status`, for an event that can happen only once. */
export const reconciliationActions = async (
  table: Table,
  record: Reconciliation,
  status: IntentStatus,
): Promise<Action[]> => [
  { label: RECORD_LABEL, write: { Put: newRecord(table, keyOf(record.tenantId, reconciliationId(record)), record) } },
  ...(await reviewActions(table, record, "opened", { nowMs: Date.parse(record.openedAt), status })),
];

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

/** The times at which a record was opened and closed, as the intent's timeline tells them. */
export function reviewNews({
  executionId,
  kind,
  said,
  openedAt,
  saidAt = openedAt,
  earlier = [],
  closed,
}: Reconciliation): TimelineNews[] {
  const reports: readonly EarlierReport[] = [...earlier, { said, at: saidAt, ...(closed && { closed }) }];
  const details = { executionId, about: kind };
  return reports.flatMap((report, index): TimelineNews[] => {
    const isOpened = index === 0 || reports[index - 1]?.closed !== undefined;
    const { at, closed: end } = report;
    return [
      ...(isOpened ? [{ type: "paymentIntent.reviewOpened", by: "service", at, details } as const] : []),
      ...(end ? [{ type: "paymentIntent.reviewClosed", by: "operator", at: end.at, details } as const] : []),
    ];
  });
}

/**
 * Marks a record as settled by hand, which ends the review of its intent where it is the last one; undefined when there is
 * none that tells this word, or it is closed already.
 */
export async function closeReconciliation(
  table: Table,
  tenantId: string,
  id: string,
  change: OperatorChange,
  follow: CommissionsFollow = {},
): Promise<Reconciliation | undefined> {
  const key = keyOf(tenantId, id);
  const { operator: by, reason, atMs } = change;
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const before = await findRecord<Reconciliation>(table, key);
    if (before === undefined || before.closed !== undefined || reconciliationId(before) !== id) return undefined;
    const after = { ...before, closed: { at: new Date(atMs).toISOString(), by, reason } };
    const review = await reviewActions(table, before, "closed", { nowMs: atMs, ...follow });
    const verdict = await transact(table, () => [
      { label: RECORD_LABEL, write: { Put: replacedRecord(table, key, before, after) } },
      operatorAudit(table, tenantId, change),
      ...review,
    ]);
    if (verdict.done) return after;
    await pause(randomInt(PAUSE_MS_MAX));
  }
  throw new Error(`The record ${id} changes faster than it is closed`);
}
