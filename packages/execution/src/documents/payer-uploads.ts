import type { Submission } from "@intents/domain/intents/submission.ts";
import type { PayerDocumentRef } from "@intents/domain/parties/document-ref.ts";
import { copyFile, deleteFile, type Files } from "@intents/storage/files/files.ts";
import { findPayerDocuments } from "@intents/storage/parties/documents.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import type { Run } from "../run.ts";

/*
 * What a payer uploads lies in the area that S3 empties. A session copies it to an object of its own execution before
 * its claim, which points the record there; a refusal points the record back, and then the copy goes. A crash between
 * any two of these leaves a copy too many, which the daily sweep finds, and never one too few.
 */

type Stores = Pick<Run, "table" | "files">;
type Claimed = Pick<Submission, "executionId" | "payerDocuments">;

/** Copies what a session names to where its execution will keep it. */
export async function keepPayerUploads(
  files: Files,
  tenantId: string,
  { executionId, payerDocuments = [] }: Claimed,
): Promise<void> {
  const keys = keysOf(tenantId);
  await Promise.all(
    payerDocuments.map((ref) =>
      copyFile(files, keys.payerUpload(ref.linkId, ref.documentId), keys.keptPayerUpload(ref, executionId)),
    ),
  );
}

/**
 * Deletes an execution's copies of what the execution does not have, or has given back. Where that fails it is left to
 * the sweep: the payer is told of the refusal all the same.
 */
export async function returnUploads(run: Stores, tenantId: string, claimed: Claimed): Promise<void> {
  await Promise.allSettled([deleteCopies(run, tenantId, claimed)]);
}

async function deleteCopies({ table, files }: Stores, tenantId: string, claimed: Claimed): Promise<void> {
  const { executionId, payerDocuments = [] } = claimed;
  const documents = await findPayerDocuments(table, tenantId, payerDocuments);
  const returned = payerDocuments.filter((_, index) => documents[index]?.executionId !== executionId);
  const deleteCopy = (ref: PayerDocumentRef) => deleteFile(files, keysOf(tenantId).keptPayerUpload(ref, executionId));
  await Promise.allSettled(returned.map(deleteCopy));
}
