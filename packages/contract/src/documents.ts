import { DOCUMENT_BYTES_MAX, documentTypes } from "@intents/domain/parties/document.ts";
import * as z from "zod";
import { defineRoutes, lazily } from "./route.ts";
import { timestamp } from "./shapes.ts";

export const UploadedDocument = lazily(() =>
  z
    .looseObject({
      documentId: z.uuid(),
      fileName: z.string(),
      contentType: z.enum(documentTypes),
      sizeBytes: z.int(),
      expiresAt: timestamp(),
    })
    .meta({ id: "UploadedDocument" }),
);

/** The part of a form that is an upload. */
export const uploadedFile = {
  required: true,
  file: documentTypes,
  bytesMax: DOCUMENT_BYTES_MAX,
  description: "At most 4 MB",
} as const;

export const documentRoutes = defineRoutes({
  uploadDocument: {
    on: "POST /v2/documents",
    group: "documents",
    summary: "Upload a PDF, JPEG or PNG of at most 4 MB as the part `file`",
    auth: "key",
    form: "multipart",
    parts: { file: uploadedFile },
    answers: { status: 201, data: UploadedDocument },
    errors: ["too_large", "media_type"],
  },
});
