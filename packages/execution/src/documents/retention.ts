import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { isTerminal } from "@intents/domain/intents/statuses.ts";
import type { PaymentDocument } from "@intents/domain/parties/document.ts";
import type { DocumentRef } from "@intents/domain/parties/document-ref.ts";
import { deleteFile } from "@intents/storage/files/files.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { type FoundDocument, scanDocuments } from "@intents/storage/parties/document-scan.ts";
import { dropDocument, forgetDocument } from "@intents/storage/parties/documents.ts";
import { findParty } from "@intents/storage/parties/parties.ts";
import { type FailedItem, refuseFailed, settleInTurns } from "@intents/storage/table/in-turns.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import type { Run } from "../run.ts";
import { deleteDocument } from "./deletion.ts";

/** For how long documents are kept, in milliseconds: after the payment's end, and after they were saved. */
export type Retention = Readonly<{ paymentsMs: number; savedMs: number }>;

/** The numbers of documents that were looked at and deleted, and whether the end was reached. */
export type Retained = Readonly<{ seen: number; deleted: number; finished: boolean }>;

/** A payment's document, and by what it is named. */
export type StoredDocument = Readonly<{ ref: DocumentRef; document: PaymentDocument }>;

type Stores = Pick<Run, "table" | "files" | "now">;

const JOB = "sweep-documents";
const SIDE_BY_SIDE = 8;
/** A document that has just expired may still be needed by a request that found it in time. */
const GRACE_MS = 3_600_000;

/**
 * Deletes expired unused documents, documents of long ended payments, old saved documents, and saved documents of deleted
 * parties. The sweep stops at `deadlineMs`; the next run goes on from there. If the sweep cannot delete a document, it
 * deletes the others, and names that one at its end.
 */
export async function sweepDocuments(run: Stores, retention: Retention, deadlineMs: number): Promise<Retained> {
  let [seen, deleted] = [0, 0];
  const failed: FailedItem[] = [];
  let finished = true;
  for await (const page of scanDocuments(run.table, JOB)) {
    finished = run.now() < deadlineMs;
    if (!finished) break;
    const outcomes = await settleInTurns(page, SIDE_BY_SIDE, (found) => sweep(run, retention, found), {
      failed,
      nameOf,
    });
    seen += page.length;
    deleted += outcomes.filter(Boolean).length;
  }
  refuseFailed(failed, `${deleted} were deleted`);
  return { seen, deleted, finished };
}

const nameOf = ({ tenantId, ...found }: FoundDocument): string =>
  `${tenantId}/${"ref" in found ? found.ref.documentId : found.saved.legacyDocumentId}`;

async function sweep(run: Stores, retention: Retention, found: FoundDocument): Promise<boolean> {
  const { tenantId } = found;
  if ("ref" in found) return sweepPaymentDocument(run, retention, tenantId, found);
  const { kind, partyId, saved } = found;
  const isOld = Date.parse(saved.createdAt) + retention.savedMs <= run.now();
  if (!isOld && (await findParty(run.table, tenantId, kind, partyId)) !== undefined) return false;
  await deleteDocument(run, { tenantId, kind, partyId, legacyDocumentId: saved.legacyDocumentId });
  return true;
}

async function sweepPaymentDocument(
  run: Stores,
  { paymentsMs }: Retention,
  tenantId: string,
  { ref, document }: StoredDocument,
): Promise<boolean> {
  const { executionId, consumedBy, expiresAtMs } = document;
  if (consumedBy === undefined) {
    if (executionId !== undefined || expiresAtMs + GRACE_MS > run.now()) return false;
    // The record of a payer's upload goes first, so that no claim can have it (Decision 010). A tenant's goes last.
    if ("linkId" in ref) return dropDocument(run.table, tenantId, ref, run.now());
    await deleteKept(run, tenantId, ref, document);
    return dropDocument(run.table, tenantId, ref, run.now());
  }
  const intent = await findIntent(run.table, tenantId, consumedBy);
  if (intent.ok && !isLongOver(intent.value, run.now() - paymentsMs)) return false;
  return deletePaymentDocument(run, tenantId, { ref, document }, consumedBy);
}

/** Whether a payment ended, or a link was closed, by `beforeMs`; what goes on keeps its documents. */
const isLongOver = ({ status, linkClosedAt, updatedAt }: PaymentIntent, beforeMs: number): boolean =>
  (isTerminal(status) || linkClosedAt !== undefined) && Date.parse(updatedAt) <= beforeMs;

/**
 * Deletes a document of an intent with its kept bytes, which go first, because only the record finds them. The record
 * stays, and false is told, when a submit has just reserved it.
 */
export async function deletePaymentDocument(
  run: Pick<Run, "table" | "files">,
  tenantId: string,
  { ref, document }: StoredDocument,
  intentId: string,
): Promise<boolean> {
  await deleteKept(run, tenantId, ref, document);
  return forgetDocument(run.table, tenantId, ref, intentId);
}

/** The copies that are kept of a document, and those that a crash may have left before its record told of them. */
async function deleteKept(
  { files }: Pick<Run, "files">,
  tenantId: string,
  ref: DocumentRef,
  { executionId }: PaymentDocument,
): Promise<void> {
  const keys = keysOf(tenantId);
  if (!("linkId" in ref)) return deleteFile(files, keys.object("kept", ref.documentId));
  if (executionId !== undefined) await deleteFile(files, keys.keptPayerUpload(ref, executionId));
}
