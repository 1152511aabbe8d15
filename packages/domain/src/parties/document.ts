/** The content types that an upload may have, as its bytes show them. */
export const documentTypes = ["application/pdf", "image/jpeg", "image/png"] as const;
export type DocumentType = (typeof documentTypes)[number];

/** 4 MB: base64-encoded by API Gateway, a larger upload would not fit into Lambda's payload of 6 MB (DESIGN 9). */
export const DOCUMENT_BYTES_MAX = 4 * 1024 * 1024;

/** A file's name in a Content-Disposition, in any letters. */
export function fileNameParameter(fileName: string): string {
  // RFC 8187 does not allow these four as they are, which encodeURIComponent leaves.
  const strict = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  return `filename*=UTF-8''${encodeURIComponent(fileName).replaceAll(/['()*]/g, strict)}`;
}

/** How long an uploaded or minted document waits for its payment. */
export const UNUSED_DOCUMENT_TTL_MS = 24 * 3_600_000;

/** A document that may serve one submitted intent: uploaded, or minted from a saved one. */
export type PaymentDocument = Readonly<{
  documentId: string;
  source: "upload" | "saved";
  objectKey: string;
  contentType: DocumentType;
  fileName: string;
  sizeBytes: number;
  sha256: string;
  expiresAtMs: number;
  /** The execution that has reserved it; no other execution may use it. */
  executionId?: string;
  /** The intent that consumed it, once its submit committed. */
  consumedBy?: string;
}>;

/** A document kept on a student or payer for reuse. */
export type SavedDocument = Readonly<{
  legacyDocumentId: string;
  type: "identity";
  fileName: string;
  contentType: DocumentType;
  objectKey: string;
  sizeBytes: number;
  sha256: string;
  createdAt: string;
}>;

const signatures: readonly (readonly [DocumentType, readonly number[]])[] = [
  ["application/pdf", [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ["image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
];

/** The type that the first bytes of an upload show, whatever type its sender stated. */
export const documentTypeOf = (bytes: Uint8Array): DocumentType | undefined =>
  signatures.find(([, magic]) => magic.every((byte, index) => bytes[index] === byte))?.[0];

/** The intent that asks for a document. Its own reservation or use of the document is no obstacle. */
export type DocumentHolder = Readonly<{ intentId: string; executionId?: string }>;

/** Why a document cannot serve `holder` at `nowMs`, or undefined when it can. */
export function whyUnusable(document: PaymentDocument, holder: DocumentHolder | undefined, nowMs: number) {
  const { consumedBy, executionId } = document;
  if (consumedBy !== undefined) {
    return consumedBy === holder?.intentId ? undefined : "was already used by a submitted payment";
  }
  if (executionId !== undefined) {
    return executionId === holder?.executionId ? undefined : "is reserved by another submit";
  }
  return document.expiresAtMs <= nowMs ? "has expired" : undefined;
}
