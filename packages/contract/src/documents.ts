import { documentTypes } from "@intents/domain/document.ts";
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

export const documentRoutes = defineRoutes({
  uploadDocument: {
    on: "POST /v2/documents",
    group: "documents",
    summary: "Upload a PDF, JPEG or PNG of at most 4 MB as the part `file`",
    auth: "key",
    form: "multipart",
    parts: { file: { required: true, file: documentTypes, description: "At most 4 MB" } },
    answers: { status: 201, data: UploadedDocument },
    errors: ["too_large", "media_type"],
  },
});
