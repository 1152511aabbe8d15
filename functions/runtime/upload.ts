import { createHash } from "node:crypto";
import {
  DOCUMENT_BYTES_MAX,
  documentTypeOf,
  documentTypes,
  type PaymentDocument,
  UNUSED_DOCUMENT_TTL_MS,
} from "@intents/domain/document.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { newUuid } from "@intents/domain/ids.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { type Form, parseForm } from "@intents/http/multipart.ts";
import { addDocument, addPayerDocument } from "@intents/storage/documents.ts";
import { type Files, putFile } from "@intents/storage/files.ts";
import { keysOf } from "@intents/storage/keys.ts";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { random, table } from "./environment.ts";

/** Whose upload it is: a tenant's, or a payer's on one of its links. */
type Owner = Readonly<{ tenantId: string; linkId?: string }>;

/** Stores the part `file` of a form, judged by its content; `problemsOf` judges the other parts. */
export async function storeUpload(
  files: Files,
  { tenantId, linkId }: Owner,
  event: APIGatewayProxyEvent,
  nowMs: number,
  problemsOf: (form: Form) => readonly string[] = () => [],
): Promise<Result<object, Failure>> {
  const form = parseForm(event, DOCUMENT_BYTES_MAX);
  if (!form.ok) return form;
  const file = form.value.files.get("file");
  const problems = [
    ...(file === undefined ? ["file must be a file part of the form"] : []),
    ...(file?.bytes.length === 0 ? ["file must not be empty"] : []),
    ...problemsOf(form.value),
  ];
  if (file === undefined || problems.length > 0) return fail({ kind: "shape", problems });
  const contentType = documentTypeOf(file.bytes);
  if (contentType === undefined) return fail({ kind: "media_type", expected: documentTypes });

  const documentId = newUuid(random);
  const keys = keysOf(tenantId);
  const document: PaymentDocument = {
    documentId,
    source: "upload",
    objectKey: linkId === undefined ? keys.object("tmp", documentId) : keys.payerUpload(linkId, documentId),
    contentType,
    fileName: file.fileName,
    sizeBytes: file.bytes.length,
    sha256: createHash("sha256").update(file.bytes).digest("hex"),
    expiresAtMs: nowMs + UNUSED_DOCUMENT_TTL_MS,
  };
  // The bytes first: a record never points at nothing.
  await putFile(files, document.objectKey, file.bytes, contentType);
  if (linkId === undefined) await addDocument(table, tenantId, document);
  else await addPayerDocument(table, tenantId, linkId, document);
  const { fileName, sizeBytes, expiresAtMs } = document;
  return ok({ documentId, fileName, contentType, sizeBytes, expiresAt: new Date(expiresAtMs).toISOString() });
}
