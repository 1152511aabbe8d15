import { createHash } from "node:crypto";
import { newUuid } from "@intents/domain/ids.ts";
import { type DocumentType, type PaymentDocument, UNUSED_DOCUMENT_TTL_MS } from "@intents/domain/parties/document.ts";
import { ok, type Result } from "@intents/domain/result.ts";
import { putFile } from "@intents/storage/files/files.ts";
import { addDocument, addPayerDocument } from "@intents/storage/parties/documents.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import type { Run } from "../run.ts";

/** The file of a document; its content type is found from its bytes. */
export type DocumentFile = Readonly<{ fileName: string; contentType: DocumentType; bytes: Uint8Array }>;

type UploadAnswer = Pick<PaymentDocument, "documentId" | "fileName" | "contentType" | "sizeBytes"> &
  Readonly<{ expiresAt: string }>;

type Stores = Pick<Run, "table" | "files" | "random">;

/** Stores a tenant's upload, to be used for one payment that is submitted promptly. */
export const storeUpload = ({ table, ...stores }: Stores, tenantId: string, file: DocumentFile, nowMs: number) =>
  store(stores, file, nowMs, {
    nameObject: (documentId) => keysOf(tenantId).object("tmp", documentId),
    add: (document) => addDocument(table, tenantId, document),
  });

/** The same for a payer on a link of the tenant. */
export const storePayerUpload = (
  { table, ...stores }: Stores,
  { tenantId, linkId }: Readonly<{ tenantId: string; linkId: string }>,
  file: DocumentFile,
  nowMs: number,
) =>
  store(stores, file, nowMs, {
    nameObject: (documentId) => keysOf(tenantId).payerUpload(linkId, documentId),
    add: (document) => addPayerDocument(table, tenantId, linkId, document),
  });

type Owner = Readonly<{
  nameObject: (documentId: string) => string;
  add: (document: PaymentDocument) => Promise<void>;
}>;

async function store(
  { files, random }: Omit<Stores, "table">,
  { fileName, contentType, bytes }: DocumentFile,
  nowMs: number,
  { nameObject, add }: Owner,
): Promise<Result<UploadAnswer, never>> {
  const documentId = newUuid(random);
  const document: PaymentDocument = {
    documentId,
    source: "upload",
    objectKey: nameObject(documentId),
    contentType,
    fileName,
    sizeBytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    expiresAtMs: nowMs + UNUSED_DOCUMENT_TTL_MS,
  };
  // The bytes are stored first, so that a record never refers to missing ones.
  await putFile(files, document.objectKey, bytes, contentType);
  await add(document);
  const { sizeBytes, expiresAtMs } = document;
  return ok({ documentId, fileName, contentType, sizeBytes, expiresAt: new Date(expiresAtMs).toISOString() });
}
