import { createHash } from "node:crypto";
import { documentRoutes } from "@intents/contract/documents.ts";
import {
  DOCUMENT_BYTES_MAX,
  documentTypeOf,
  documentTypes,
  type PaymentDocument,
  UNUSED_DOCUMENT_TTL_MS,
} from "@intents/domain/document.ts";
import { newUuid } from "@intents/domain/ids.ts";
import { fail, ok } from "@intents/domain/result.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { parseForm } from "@intents/http/multipart.ts";
import { addDocument } from "@intents/storage/documents.ts";
import { openFiles, putFile } from "@intents/storage/files.ts";
import { keysOf } from "@intents/storage/keys.ts";
import { random, settings, table } from "./runtime/environment.ts";
import { gate } from "./runtime/gate.ts";

const files = openFiles(settings.BUCKET_NAME);

export const handler = endpoint(
  "documents",
  documentRoutes,
  {
    uploadDocument: async ({ caller, event, nowMs }) => {
      const form = parseForm(event, DOCUMENT_BYTES_MAX);
      if (!form.ok) return form;
      const file = form.value.files.get("file");
      if (file === undefined) return fail({ kind: "shape", problems: ["file must be a file part of the form"] });
      if (file.bytes.length === 0) return fail({ kind: "shape", problems: ["file must not be empty"] });
      const contentType = documentTypeOf(file.bytes);
      if (contentType === undefined) return fail({ kind: "media_type", expected: documentTypes });

      const documentId = newUuid(random);
      const document: PaymentDocument = {
        documentId,
        source: "upload",
        objectKey: keysOf(caller.tenantId).object("tmp", documentId),
        contentType,
        fileName: file.fileName,
        sizeBytes: file.bytes.length,
        sha256: createHash("sha256").update(file.bytes).digest("hex"),
        expiresAtMs: nowMs + UNUSED_DOCUMENT_TTL_MS,
      };
      // The bytes first: a record never points at nothing.
      await putFile(files, document.objectKey, file.bytes, contentType);
      await addDocument(table, caller.tenantId, document);
      const { fileName, sizeBytes, expiresAtMs } = document;
      return ok({ documentId, fileName, contentType, sizeBytes, expiresAt: new Date(expiresAtMs).toISOString() });
    },
  },
  { gate },
);
