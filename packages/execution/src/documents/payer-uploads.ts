import type { Submission } from "@intents/domain/intents/submission.ts";
import type { PayerDocumentRef } from "@intents/domain/parties/document-ref.ts";
import { copyFile, deleteFile, type Files } from "@intents/storage/files/files.ts";
import { findPayerDocuments } from "@intents/storage/parties/documents.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import type { Run } from "../run.ts";

/*
 * S3 empties the area that payers upload to. A session therefore copies an upload to an object of its own execution
 * before its claim, and the claim points the record there. A refusal points the record back, and then the copy is
 * deleted. A crash between any two of these steps may leave a copy too many, which the daily sweep finds, but never one
 * too few.
 */

type Stores = Pick<Run, "table" | "files">;
type Claimed = Pick<Submission, "executionId" | "payerDocuments">;

/** Copies the uploads that a session names to the place where its execution will keep them. */
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
 * Deletes an execution's copies of documents that it does not have, or has given back. A copy that cannot be deleted is
 * left to the sweep: the payer is told of the refusal all the same.
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
