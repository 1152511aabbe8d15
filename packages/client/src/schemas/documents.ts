// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { DocumentContentType } from "./words.ts";

/** An upload, good for one payment */
export type UploadedDocument = {
  /** Names the document in one payment, or when it is saved for reuse */ documentId: string;
  /** Its name */ fileName: string;
  contentType: DocumentContentType;
  /** Its size in bytes */ sizeBytes: number;
  /** Until when a payment with it must have been submitted, ISO 8601 in UTC */ expiresAt: string;
};
