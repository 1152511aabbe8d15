import { DOCUMENT_BYTES_MAX, documentTypes } from "@intents/domain/parties/document.ts";
import * as z from "zod";
import { defineRoutes, lazily } from "./route.ts";
import { count, timestamp } from "./shapes.ts";
import { DocumentType } from "./vocabulary.ts";

export const UploadedDocument = lazily(() =>
  z
    .object({
      documentId: z.uuid().describe("Names the document in one payment, or when it is saved for reuse"),
      fileName: z.string().describe("Its name"),
      contentType: DocumentType(),
      sizeBytes: count("Its size in bytes"),
      expiresAt: timestamp("Until when a payment with it must have been submitted"),
    })
    .meta({ id: "UploadedDocument", description: "An upload, good for one payment" }),
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
    description:
      "Names a document in one payment, or keeps it on a student or payer. The bytes decide its type, whatever the part says.",
    auth: "key",
    form: "multipart",
    parts: { file: uploadedFile },
    answers: { status: 201, data: UploadedDocument },
    errors: ["too_large", "media_type"],
  },
});
