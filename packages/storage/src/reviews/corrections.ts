import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { bookCorrection, type CorrectedRecipient } from "@intents/domain/ledger/correcting.ts";
import type { CorrectedOutcome, Correction, UncorrectedEnd } from "@intents/domain/money-state/correction.ts";
import { eventActions } from "../events/events.ts";
import { ledgerActions } from "../intents/ledger.ts";
import { type IntentKey, keysOf } from "../table/keys.ts";
import { listPartition, newRecord } from "../table/records.ts";
import { fromDoc, type Table } from "../table/table.ts";
import { type Action, transact } from "../table/transact.ts";
import { type CommissionTerms, correctedCommission } from "./corrected-commission.ts";
import { RECORD_LABEL, type Reconciliation, reconciliationId, sameRecord } from "./reconciliation.ts";
import { findMark, lastOf, type Mark, markAction } from "./reviews.ts";

/** Tries while other changes of the mark come in between. */
const TRIES_MAX = 20;
const PAUSE_MS_MAX = 20;

/** A recipient, how it stood before any correction, and the outcome that an operator has found. */
export type Corrected = Readonly<{ recipient: CorrectedRecipient; before: UncorrectedEnd; outcome: CorrectedOutcome }>;

/** The means of a correction: the terms of its commission, and the writes to a link whose money arrived at a time. */
type CorrectionMeans = Readonly<{ nowMs: number; terms: CommissionTerms; arrived: (at: string) => Promise<Action[]> }>;

/**
 * Corrects one recipient of a record: the correction, its ledger entries, its commission, and what callers are told of
 * it, in one transaction; money that arrived closes the single-use link that it was paid by. The same outcome by the same
 * record again changes nothing. False when the record was closed, or tells another word.
 */
export async function correctRecipient(
  table: Table,
  intent: PaymentIntent,
  record: Reconciliation,
  { recipient, before, outcome }: Corrected,
  { nowMs, terms, arrived }: CorrectionMeans,
): Promise<boolean> {
  const { tenantId, id, status, externalId } = intent;
  const recordId = reconciliationId(record);
  const { splitRole, isReceived, ...about } = recipient;
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const { stored, mark } = await findMark(table, intent);
    const { corrections = [], changes, changedAtMs } = mark;
    const isSame = (one: Correction) => one.executionId === about.executionId && one.order === about.order;
    const known = corrections.find(isSame);
    if (known?.recordId === recordId && known.outcome === outcome) return true;
    const atMs = Math.max(nowMs, changedAtMs, Date.parse(intent.updatedAt));
    const [step, number] = [changes + 1, lastOf(corrections) + 1];
    const at = new Date(atMs).toISOString();
    const correction: Correction = { ...about, number, at, before, outcome, recordId };
    const others = corrections.filter((one) => !isSame(one));
    const after: Mark = { ...mark, changes: step, changedAtMs: atMs, corrections: [...others, correction] };
    const entries = bookCorrection(recipient, { standing: known?.outcome ?? before, outcome, number, at });
    const changed = { tenantId, about: `${id}#REVIEW`, atMs, step, externalId };
    const put = newRecord(table, keysOf(tenantId).correction(id, number), correction);
    const [since] = mark.open.map(({ openedAt }) => openedAt).toSorted();
    const made = { corrections: after.corrections ?? [], since };
    const commission = await correctedCommission(table, intent, correction, made, terms);
    const link = outcome === "arrived" ? await arrived(at) : [];
    const verdict = await transact(table, () => [
      sameRecord(table, record),
      markAction(table, intent, stored, after),
      { label: "correction", write: { Put: put } },
      ...ledgerActions(table, intent, entries),
      ...eventActions(table, changed, [{ of: "paymentIntent", id, status, news: "corrected" }]),
      ...commission,
      ...link,
    ]);
    if (verdict.done) return true;
    if (verdict.failed.includes(RECORD_LABEL)) return false;
    await pause(randomInt(PAUSE_MS_MAX));
  }
  throw new Error(`The mark of ${id} changes faster than it is corrected`);
}

/** All corrections of an intent, oldest first: also those that later ones have replaced. */
export async function listCorrections(table: Table, { tenantId, id }: IntentKey): Promise<Correction[]> {
  const items = await listPartition(table, keysOf(tenantId).correction(id, 0).PK);
  return items.map((item) => fromDoc<Correction>(item));
}
