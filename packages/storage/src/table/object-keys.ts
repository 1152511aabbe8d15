import type { PayerDocumentRef } from "@intents/domain/parties/document-ref.ts";

/** The names of a tenant's objects in S3. Each kind lies under a prefix of its own, by which roles are granted it. */
export function objectKeysOf(tenantId: string) {
  return {
    object: (area: "tmp" | "kept" | "exports", id: string) => `${area}/${tenantId}/${id}`,
    /** The file of a saved document: it names its record, so that the sweep finds a file without one. */
    savedFile: (...[kind, partyId, id]: SavedDocumentId) => `saved/${tenantId}/${kind}/${partyId}/${id}`,
    /** An invoice or a proof: it names its request, for the same reason. */
    requestFile: (requestId: string, id: string) => `requests/${tenantId}/${requestId}/${id}`,
    /** The name of an object that a record holds. Throws unless it lies in one of these areas of the tenant. */
    storedObject: (objectKey: string, ...areas: readonly StoredArea[]) => ownObject(tenantId, objectKey, areas),
    /** The place where a large export is put together. */
    exportUpload: (id: string) => `exporting/${tenantId}/${id}`,
    /** The bytes that a payer uploaded. */
    payerUpload: (linkId: string, documentId: string) => payersFile("tmp", linkId, documentId),
    /** A copy of those bytes for one execution alone, so that no other execution needs it when it is deleted. */
    keptPayerUpload: ({ linkId, documentId }: PayerDocumentRef, executionId: string) =>
      payersFile("kept", linkId, documentId, executionId),
  };

  function payersFile(area: "tmp" | "kept", ...names: readonly string[]): string {
    return `payers/${area}/${[tenantId, ...names].join("/")}`;
  }
}

function ownObject(tenantId: string, objectKey: string, areas: readonly StoredArea[]): string {
  if (areas.some((area) => objectKey.startsWith(`${area}/${tenantId}/`))) return objectKey;
  throw new Error(`A record of tenant ${tenantId} leads to ${objectKey}, which is no object of its own`);
}

/** Where the objects lie that records name: uploads, those that a payment keeps, saved documents, files of requests. */
type StoredArea = "tmp" | "kept" | "saved" | "requests";

export type SavedDocumentId = readonly [kind: "STUDENT" | "PAYER", partyId: string, id: string];

/** The prefixes through which the sweep goes, in alphabetical order. */
export const SWEPT = ["payers/kept/", "requests/", "saved/"] as const;

/** A kept copy of a payer's upload. */
export type KeptPayerUpload = Readonly<{ tenantId: string; ref: PayerDocumentRef; executionId: string }>;

/** The copy that an object key stands for; undefined when it is no copy of a payer's upload. */
export function parseKeptPayerUpload(objectKey: string): KeptPayerUpload | undefined {
  const own = /^payers\/kept\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)$/;
  const [, tenantId = "", linkId = "", documentId = "", executionId] = own.exec(objectKey) ?? [];
  return executionId === undefined ? undefined : { tenantId, ref: { linkId, documentId }, executionId };
}

/** The saved document that an object key stands for; undefined when it is another file. */
export function parseSavedFile(objectKey: string) {
  const [, tenantId, kind, partyId, id] = /^saved\/([^/]+)\/(STUDENT|PAYER)\/([^/]+)\/([^/]+)$/.exec(objectKey) ?? [];
  if (tenantId === undefined || partyId === undefined || id === undefined) return undefined;
  return { tenantId, kind: kind as "STUDENT" | "PAYER", partyId, id };
}

/** The request for commissions that an object key stands for; undefined when it is another file. */
export function parseRequestFile(objectKey: string) {
  const [, tenantId, requestId] = /^requests\/([^/]+)\/([^/]+)\/[^/]+$/.exec(objectKey) ?? [];
  return tenantId === undefined || requestId === undefined ? undefined : { tenantId, requestId };
}
