import type { PaymentDocument } from "@intents/domain/parties/document.ts";
import { deleteFile, listFiles } from "@intents/storage/files/files.ts";
import { dropPayerDocument, findPayerDocuments } from "@intents/storage/parties/documents.ts";
import { findCursor, replaceCursor } from "@intents/storage/table/cursors.ts";
import { KEPT, type KeptPayerUpload, parseKeptPayerUpload } from "@intents/storage/table/keys.ts";
import type { Run } from "../run.ts";

/** The name under which it remembers where it has stopped. */
const JOB = "sweep-uploads";

/** How many kept copies of payers' uploads were looked at, how many of them went, and whether the end was reached. */
export type Swept = Readonly<{ seen: number; deleted: number; finished: boolean }>;

type Copy = KeptPayerUpload & Readonly<{ key: string }>;
type Stores = Pick<Run, "table" | "files" | "now">;

/**
 * Deletes the kept copies of payers' uploads that no session has: what a crash or a failing store has left of sessions
 * that were refused. Stops at `deadlineMs`, milliseconds since 1970, and goes on from there the next time.
 */
export async function sweepUploads(run: Stores, deadlineMs: number): Promise<Swept> {
  const { table, files, now } = run;
  let seen = 0;
  let deleted = 0;
  for await (const keys of listFiles(files, KEPT, await findCursor(table, JOB))) {
    const copies = keys.flatMap((key): Copy[] => {
      const kept = parseKeptPayerUpload(key);
      return kept === undefined ? [] : [{ key, ...kept }];
    });
    for (const [tenantId, own] of Map.groupBy(copies, (copy) => copy.tenantId)) {
      deleted += await sweepTenant(run, tenantId, own);
    }
    seen += copies.length;
    if (now() >= deadlineMs) {
      await replaceCursor(table, JOB, keys.at(-1));
      return { seen, deleted, finished: false };
    }
  }
  await replaceCursor(table, JOB, undefined);
  return { seen, deleted, finished: true };
}

/** Deletes what is nobody's of a tenant's copies, and says how many that were. */
async function sweepTenant(run: Stores, tenantId: string, copies: readonly Copy[]): Promise<number> {
  const refs = copies.map(({ ref }) => ref);
  const documents = await findPayerDocuments(run.table, tenantId, refs);
  const outcomes = await Promise.all(
    copies.map(async (copy, index) => {
      if (!(await isNobodys(run, copy, documents[index]))) return false;
      await deleteFile(run.files, copy.key);
      return true;
    }),
  );
  return outcomes.filter(Boolean).length;
}

/**
 * Whether no session has a copy, nor ever can have it. A session that is about to claim may have copied a document that
 * nobody has yet: it is let be until it has expired, and is then forgotten before its copy goes, so that no claim, however
 * late, can have it.
 */
async function isNobodys({ table, now }: Stores, copy: Copy, document: PaymentDocument | undefined): Promise<boolean> {
  if (document === undefined) return true;
  const { executionId, consumedBy } = document;
  const isFormer = copy.executionId === undefined;
  if (executionId !== undefined && (isFormer || executionId === copy.executionId)) return false;
  // Used for good by another execution, or reserved by one that may still give it back.
  if (executionId !== undefined) return consumedBy !== undefined;
  return consumedBy === undefined && dropPayerDocument(table, copy.tenantId, copy.ref, now());
}
