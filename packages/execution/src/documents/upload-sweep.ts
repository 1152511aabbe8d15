import type { PaymentDocument } from "@intents/domain/parties/document.ts";
import { findStoredRequest } from "@intents/storage/commissions/commission-requests.ts";
import { deleteFile, type Files, listFiles, type StoredFile } from "@intents/storage/files/files.ts";
import { dropDocument, findPayerDocuments, findSavedDocument } from "@intents/storage/parties/documents.ts";
import { findCursor, replaceCursor } from "@intents/storage/table/cursors.ts";
import { type FailedItem, refuseFailed, settleInTurns } from "@intents/storage/table/in-turns.ts";
import {
  type KeptPayerUpload,
  parseKeptPayerUpload,
  parseRequestFile,
  parseSavedFile,
  SWEPT,
} from "@intents/storage/table/object-keys.ts";
import type { Table } from "@intents/storage/table/table.ts";
import type { Run } from "../run.ts";

/** The name under which the sweep remembers its place. */
const JOB = "sweep-uploads";
const SIDE_BY_SIDE = 8;

/** The numbers of kept copies of payers' uploads that were looked at and deleted, and whether the end was reached. */
export type Swept = Readonly<{ seen: number; deleted: number; finished: boolean }>;

type Copy = KeptPayerUpload & Readonly<{ key: string }>;
type Stores = Pick<Run, "table" | "files" | "now">;

/**
 * Deletes the kept copies of payers' uploads that no session has, and the files of saved documents and of requests
 * for commissions that no record names: a crash or a failing store has left them. Stops at `deadlineMs`, milliseconds
 * since 1970, and goes on from there the next time. One that fails keeps no other, and is named at last.
 */
export async function sweepUploads(run: Stores, deadlineMs: number): Promise<Swept> {
  const { table, files, now } = run;
  const failed: FailedItem[] = [];
  let [seen, deleted, finished] = [0, 0, true];
  for await (const page of listSwept(files, await findCursor(table, JOB))) {
    const copies = page.flatMap(({ key }): Copy[] => {
      const kept = parseKeptPayerUpload(key);
      return kept === undefined ? [] : [{ key, ...kept }];
    });
    for (const [tenantId, own] of Map.groupBy(copies, (copy) => copy.tenantId)) {
      deleted += await sweepTenant(run, tenantId, own, failed);
    }
    deleted += await sweepUnnamed(run, page, failed);
    seen += copies.length;
    finished = now() < deadlineMs;
    if (finished) continue;
    await replaceCursor(table, JOB, page.at(-1)?.key);
    break;
  }
  if (finished) await replaceCursor(table, JOB, undefined);
  refuseFailed(failed, `${deleted} were deleted`);
  return { seen, deleted, finished };
}

/** All files to look at behind the place where the sweep stopped. */
async function* listSwept(files: Files, after = ""): AsyncGenerator<StoredFile[]> {
  for (const prefix of SWEPT) {
    const isBehind = after > prefix && !after.startsWith(prefix);
    if (!isBehind) yield* listFiles(files, prefix, after.startsWith(prefix) ? after : undefined);
  }
}

const nameOf = ({ key }: Readonly<{ key: string }>): string => key;

/** A file is stored before the record that names it: one that is older than this, and has none, gets none. */
const RECORDED_WITHIN_MS = 86_400_000;

/** Deletes files whose names lead to no record that names them: their requests were broken off. Gives their number. */
async function sweepUnnamed(
  { table, files, now }: Stores,
  page: readonly StoredFile[],
  failed: FailedItem[],
): Promise<number> {
  const old = page.filter(({ storedAtMs }) => storedAtMs < now() - RECORDED_WITHIN_MS);
  const sweepOne = async ({ key }: StoredFile) => {
    if ((await isNamed(table, key)) !== false) return false;
    await deleteFile(files, key);
    return true;
  };
  const swept = await settleInTurns(old, SIDE_BY_SIDE, sweepOne, { failed, nameOf });
  return swept.filter(Boolean).length;
}

/** Whether the record that a file's name leads to names the file; undefined when the name leads to none. */
async function isNamed(table: Table, objectKey: string): Promise<boolean | undefined> {
  const saved = parseSavedFile(objectKey);
  if (saved !== undefined) {
    const { tenantId, kind, partyId, id } = saved;
    return (await findSavedDocument(table, tenantId, kind, partyId, id)) !== undefined;
  }
  const target = parseRequestFile(objectKey);
  if (target === undefined) return undefined;
  const { invoice, proof } = (await findStoredRequest(table, target))?.request ?? {};
  return [invoice, proof].some((file) => file?.objectKey === objectKey);
}

/** Deletes the copies of a tenant that belong to no session, and gives their number. */
async function sweepTenant(
  run: Stores,
  tenantId: string,
  copies: readonly Copy[],
  failed: FailedItem[],
): Promise<number> {
  const refs = copies.map(({ ref }) => ref);
  const documents = await findPayerDocuments(run.table, tenantId, refs);
  const found = copies.map((copy, index) => ({ ...copy, document: documents[index] }));
  const sweepOne = async ({ document, ...copy }: (typeof found)[number]) => {
    if (!(await isNobodys(run, copy, document))) return false;
    await deleteFile(run.files, copy.key);
    return true;
  };
  const outcomes = await settleInTurns(found, SIDE_BY_SIDE, sweepOne, { failed, nameOf });
  return outcomes.filter(Boolean).length;
}

/**
 * Whether no session has a copy, nor can ever have it. A session that is about to claim may have copied a document that
 * no session has yet. Such a copy stays until its document has expired; then the record is deleted before the copy, so
 * that no claim can have it, however late.
 */
async function isNobodys({ table, now }: Stores, copy: Copy, document: PaymentDocument | undefined): Promise<boolean> {
  if (document === undefined) return true;
  const { executionId, consumedBy } = document;
  if (executionId !== undefined && executionId === copy.executionId) return false;
  // The document is consumed by another execution, or reserved by one that may still give it back.
  if (executionId !== undefined) return consumedBy !== undefined;
  return consumedBy === undefined && dropDocument(table, copy.tenantId, copy.ref, now());
}
