import { createHash } from "node:crypto";
import { newUuid } from "@intents/domain/ids.ts";
import { type DocumentType, type PaymentDocument, UNUSED_DOCUMENT_TTL_MS } from "@intents/domain/parties/document.ts";
import { ok, type Result } from "@intents/domain/result.ts";
import { putFile } from "@intents/storage/files/files.ts";
import { addDocument, addPayerDocument } from "@intents/storage/parties/documents.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import type { Run } from "../run.ts";

/** The owner of an upload: a tenant, or a payer on one of its links. */
type Uploader = Readonly<{ tenantId: string; linkId?: string }>;
/** The file of a document; its content type is found from its bytes. */
export type DocumentFile = Readonly<{ fileName: string; contentType: DocumentType; bytes: Uint8Array }>;

type UploadAnswer = Pick<PaymentDocument, "documentId" | "fileName" | "contentType" | "sizeBytes"> &
  Readonly<{ expiresAt: string }>;

/** Stores an upload, to be used for one payment that is submitted promptly. */
export async function storeUpload(
  { table, files, random }: Pick<Run, "table" | "files" | "random">,
  { tenantId, linkId }: Uploader,
  { fileName, contentType, bytes }: DocumentFile,
  nowMs: number,
): Promise<Result<UploadAnswer, never>> {
  const documentId = newUuid(random);
  const keys = keysOf(tenantId);
  const document: PaymentDocument = {
    documentId,
    source: "upload",
    objectKey: linkId === undefined ? keys.object("tmp", documentId) : keys.payerUpload(linkId, documentId),
    contentType,
    fileName,
    sizeBytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    expiresAtMs: nowMs + UNUSED_DOCUMENT_TTL_MS,
  };
  // The bytes are stored first, so that a record never refers to missing ones.
  await putFile(files, document.objectKey, bytes, contentType);
  if (linkId === undefined) await addDocument(table, tenantId, document);
  else await addPayerDocument(table, tenantId, linkId, document);
  const { sizeBytes, expiresAtMs } = document;
  return ok({ documentId, fileName, contentType, sizeBytes, expiresAt: new Date(expiresAtMs).toISOString() });
}
