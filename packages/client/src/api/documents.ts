// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { Options } from "../route.ts";
import type { Upload } from "../uploads.ts";
import type { UploadedDocument } from "../schemas/documents.ts";

export type DocumentsMethods = {
  /**
   * Upload a PDF, JPEG or PNG of at most 4 MB as the part `file`.
   *
   * Names a document in one payment, or keeps it on a student or payer. The bytes decide its type, whatever the part
   * says. Scope: `write`. An `Idempotency-Key` has no effect: a repeat is a request of its own.
   */
  upload(form: {
    /** At most 4 MB */ file: Upload;
  }, options?: Options): Promise<UploadedDocument>;
};
