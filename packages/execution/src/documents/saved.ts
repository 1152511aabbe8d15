import type { Failure } from "@intents/domain/failure.ts";
import { newUuid } from "@intents/domain/ids.ts";
import {
  type PaymentDocument,
  type SavedDocument,
  UNUSED_DOCUMENT_TTL_MS,
  whyUnusable,
} from "@intents/domain/parties/document.ts";
import { toFileName } from "@intents/domain/parties/file-name.ts";
import { pick } from "@intents/domain/pick.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { type DocumentReader, traceRead } from "@intents/storage/audit/document-reads.ts";
import { copyFile, deleteFile, readFile } from "@intents/storage/files/files.ts";
import {
  addDocument,
  addSavedDocument,
  findDocument,
  findSavedDocument,
  listSavedDocuments,
  SAVED_DOCUMENTS_MAX,
} from "@intents/storage/parties/documents.ts";
import { findParty, type PartyKind } from "@intents/storage/parties/parties.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import type { Run } from "../run.ts";
import type { DocumentFile } from "./upload.ts";

/** The means of working on the documents of students and payers. */
export type Documents = Pick<Run, "table" | "files" | "random" | "now">;
/** The owner of documents; both kinds of party have the same form. */
export type PartyKey = Readonly<{ tenantId: string; kind: PartyKind; partyId: string }>;
export type Saved = PartyKey & Readonly<{ legacyDocumentId: string }>;

export const notFound = (resource: string): Result<never, Failure> => fail({ kind: "not_found", resource });
export const noParty = (kind: PartyKind) => notFound(kind === "STUDENT" ? "student" : "payer");

/** Keeps an uploaded document on a party; the upload itself stays usable (DESIGN 17). */
export async function saveDocument(
  { table, files, random, now }: Documents,
  { tenantId, kind, partyId }: PartyKey,
  body: Readonly<{ sourceDocumentId: string; type: "identity"; fileName: string; contentType: string }>,
): Promise<Result<SavedAnswer, Failure>> {
  const [party, source, saved] = await Promise.all([
    findParty(table, tenantId, kind, partyId),
    findDocument(table, tenantId, body.sourceDocumentId),
    listSavedDocuments(table, tenantId, kind, partyId),
  ]);
  if (party === undefined) return noParty(kind);
  const problem = whyUnsavable(source, body.contentType, now());
  if (problem !== undefined) return fail({ kind: "shape", problems: [problem] });
  if (source === undefined) throw new Error("A missing upload was not refused");
  if (saved.length >= SAVED_DOCUMENTS_MAX) {
    return fail({
      kind: "shape",
      problems: [`sourceDocumentId would be one document too many: a party keeps ${SAVED_DOCUMENTS_MAX}`],
    });
  }
  const legacyDocumentId = newUuid(random);
  const keys = keysOf(tenantId);
  const objectKey = keys.savedFile(kind, partyId, legacyDocumentId);
  await copyFile(files, keys.storedObject(source.objectKey, "tmp", "kept"), objectKey);
  const document: SavedDocument = {
    legacyDocumentId,
    type: body.type,
    fileName: toFileName(body.fileName, source.contentType),
    contentType: source.contentType,
    objectKey,
    sizeBytes: source.sizeBytes,
    sha256: source.sha256,
    createdAt: new Date(now()).toISOString(),
  };
  if (await addSavedDocument(table, tenantId, kind, partyId, document)) return ok(toSavedAnswer(document));
  await deleteFile(files, keys.storedObject(objectKey, "saved"));
  return noParty(kind);
}

/** Why a document cannot be saved. Only a caller's upload can be: minted ids stand for copies already. */
function whyUnsavable(source: PaymentDocument | undefined, contentType: string, nowMs: number): string | undefined {
  if (source === undefined || source.source !== "upload") return "sourceDocumentId must be the documentId of an upload";
  const problem = whyUnusable(source, undefined, nowMs);
  if (problem !== undefined) return `sourceDocumentId ${problem}`;
  if (source.contentType !== contentType)
    return `contentType must be ${source.contentType}, which is what was uploaded`;
  return undefined;
}

export async function listDocuments({ table }: Pick<Documents, "table">, { tenantId, kind, partyId }: PartyKey) {
  const [party, saved] = await Promise.all([
    findParty(table, tenantId, kind, partyId),
    listSavedDocuments(table, tenantId, kind, partyId),
  ]);
  if (party === undefined) return noParty(kind);
  return ok({ documents: saved.map(toSavedAnswer) });
}

/**
 * Mints a document id for one payment; it expires when that payment is not submitted promptly. Its bytes are a copy,
 * which stays with the payment when the saved document is deleted.
 */
export async function useDocument(
  { table, files, random, now }: Documents,
  { tenantId, kind, partyId, legacyDocumentId }: Saved,
): Promise<Result<Readonly<{ documentId: string; expiresAt: string }>, Failure>> {
  const saved = await findSavedDocument(table, tenantId, kind, partyId, legacyDocumentId);
  if (saved === undefined) return notFound("saved document");
  const { contentType, fileName, sizeBytes, sha256 } = saved;
  const expiresAtMs = now() + UNUSED_DOCUMENT_TTL_MS;
  const documentId = newUuid(random);
  const keys = keysOf(tenantId);
  const objectKey = keys.object("kept", documentId);
  const file = { contentType, fileName, objectKey, sizeBytes, sha256 };
  // The record goes first: nobody knows its id yet, and by it the sweep finds what a crash leaves.
  await addDocument(table, tenantId, { documentId, source: "saved", expiresAtMs, ...file });
  await copyFile(files, keys.storedObject(saved.objectKey, "saved"), objectKey);
  return ok({ documentId, expiresAt: new Date(expiresAtMs).toISOString() });
}

/** The content of a saved document. Without a trace of who reads it, nobody gets it. */
export async function readDocument(
  documents: Documents,
  { tenantId, kind, partyId, legacyDocumentId }: Saved,
  reader: DocumentReader,
): Promise<Result<DocumentFile, Failure>> {
  const saved = await findSavedDocument(documents.table, tenantId, kind, partyId, legacyDocumentId);
  if (saved === undefined) return notFound("saved document");
  await traceRead(documents, { tenantId, ownerId: partyId, documentId: legacyDocumentId, reader });
  const { contentType, fileName } = saved;
  const objectKey = keysOf(tenantId).storedObject(saved.objectKey, "saved");
  return ok({ bytes: await readFile(documents.files, objectKey), contentType, fileName });
}

const toSavedAnswer = (document: SavedDocument) =>
  pick(document, ["legacyDocumentId", "type", "fileName", "contentType", "sizeBytes", "createdAt"]);
type SavedAnswer = ReturnType<typeof toSavedAnswer>;
