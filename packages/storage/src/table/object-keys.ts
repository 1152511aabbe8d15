import { type PayerDocumentRef, parseFormerId } from "@intents/domain/parties/document-ref.ts";

/** The names of a tenant's objects in S3. */
export function objectKeysOf(tenantId: string) {
  return {
    object: (area: Area, id: string) => `${area}/${tenantId}/${id}`,
    /** The file of a saved document: it names its record, so that the sweep finds a file without one. */
    savedFile: (...[kind, partyId, id]: SavedDocumentId) => `kept/${tenantId}/${kind}/${partyId}/${id}`,
    /** An invoice or a proof: it names its request, for the same reason. */
    requestFile: (requestId: string, id: string) => `kept/${tenantId}/COMMISSION_REQUEST/${requestId}/${id}`,
    /** The name of an object that a record holds. Throws unless it lies in one of these areas of the tenant. */
    storedObject: (objectKey: string, ...areas: readonly Area[]) => ownObject(tenantId, objectKey, areas),
    /** The same of what is kept, for code that deletes it: what only reads files may not (Decision 023). */
    deletedObject: (objectKey: string) => ownObject(tenantId, objectKey, ["kept"]),
    /** The place where a large export is put together. */
    exportUpload: (id: string) => `tmp/exports/${tenantId}/${id}`,
    /** The bytes that a payer uploaded. */
    payerUpload: (linkId: string, documentId: string) => `tmp/payers/${tenantId}/${linkId}/${documentId}`,
    /** A copy of those bytes for one execution alone, so that no other execution needs it when it is deleted. */
    keptPayerUpload: ({ linkId, documentId }: PayerDocumentRef, executionId: string) =>
      `kept/payers/${tenantId}/${linkId}/${documentId}/${executionId}`,
  };
}

function ownObject(tenantId: string, objectKey: string, areas: readonly Area[]): string {
  if (areas.some((area) => objectKey.startsWith(`${area}/${tenantId}/`))) return objectKey;
  throw new Error(`A record of tenant ${tenantId} leads to ${objectKey}, which is no object of its own`);
}

/** The areas of the bucket: what expires by itself, what is kept, and what callers download. */
type Area = "tmp" | "kept" | "exports";

export type SavedDocumentId = readonly [kind: "STUDENT" | "PAYER", partyId: string, id: string];

/** The prefix of all objects that are kept longer than an upload. */
export const KEPT = "kept/";

/** A kept copy of a payer's upload. Without `executionId` it is of an earlier version, and the document's holder's. */
export type KeptPayerUpload = Readonly<{ tenantId: string; ref: PayerDocumentRef; executionId?: string }>;

/** The copy that an object key stands for; undefined when it is no copy of a payer's upload. */
export function parseKeptPayerUpload(objectKey: string): KeptPayerUpload | undefined {
  const own = /^kept\/payers\/(?<tenantId>[^/]+)\/(?<linkId>[^/]+)\/(?<documentId>[^/]+)\/(?<executionId>[^/]+)$/;
  const { tenantId = "", linkId = "", documentId = "", executionId } = own.exec(objectKey)?.groups ?? {};
  if (executionId !== undefined) return { tenantId, ref: { linkId, documentId }, executionId };
  const [, owner, id] = /^kept\/([^/]+)\/([^/]+)$/.exec(objectKey) ?? [];
  const ref = id === undefined ? undefined : parseFormerId(id);
  return owner === undefined || ref === undefined ? undefined : { tenantId: owner, ref };
}

/** The saved document that an object key stands for; undefined when it is another file, or of an earlier version. */
export function parseSavedFile(objectKey: string) {
  const [, tenantId, kind, partyId, id] = /^kept\/([^/]+)\/(STUDENT|PAYER)\/([^/]+)\/([^/]+)$/.exec(objectKey) ?? [];
  if (tenantId === undefined || partyId === undefined || id === undefined) return undefined;
  return { tenantId, kind: kind as "STUDENT" | "PAYER", partyId, id };
}

/** The request for commissions that an object key stands for; undefined when it is another file, or of an earlier version. */
export function parseRequestFile(objectKey: string) {
  const [, tenantId, requestId] = /^kept\/([^/]+)\/COMMISSION_REQUEST\/([^/]+)\/[^/]+$/.exec(objectKey) ?? [];
  return tenantId === undefined || requestId === undefined ? undefined : { tenantId, requestId };
}
