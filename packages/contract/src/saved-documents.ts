import * as z from "zod";
import { lazily } from "./route.ts";
import { count, id, text, timestamp } from "./shapes.ts";
import { DocumentType } from "./vocabulary.ts";

export const SaveDocumentBody = lazily(() =>
  z
    .strictObject({
      sourceDocumentId: id("The `documentId` of an upload"),
      type: z.literal("identity").describe("What the document proves"),
      fileName: text(255, "The name under which the document is kept"),
      contentType: DocumentType(),
    })
    .meta({ id: "SavedDocumentInput", description: "An uploaded document, to be kept for reuse" }),
);

export const SavedDocument = lazily(() =>
  z
    .object({
      legacyDocumentId: z.uuid().describe("By which the document is used and read"),
      type: z.literal("identity").describe("What the document proves"),
      fileName: z.string().describe("Its name"),
      contentType: DocumentType(),
      sizeBytes: count("Its size in bytes"),
      createdAt: timestamp("When it was saved"),
    })
    .meta({ id: "SavedDocument", description: "A document that is kept on a student or payer" }),
);
export const SavedDocuments = lazily(() =>
  z
    .object({ documents: z.array(SavedDocument()).describe("The oldest first") })
    .meta({ id: "SavedDocuments", description: "The documents of a student or payer" }),
);

export const MintedDocument = lazily(() =>
  z
    .object({
      documentId: z.uuid().describe("Names the document in one payment"),
      expiresAt: timestamp("Until when a payment with it must have been submitted"),
    })
    .meta({ id: "MintedDocument", description: "A copy of a saved document, for one payment" }),
);

export const DeletedDocument = lazily(() =>
  z
    .object({ legacyDocumentId: z.uuid().describe("The id of the document that is gone") })
    .meta({ id: "DeletedDocument", description: "A saved document that was deleted" }),
);
