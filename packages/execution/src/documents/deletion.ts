import type { Failure } from "@intents/domain/failure.ts";
import { ok, type Result } from "@intents/domain/result.ts";
import { deleteFile } from "@intents/storage/files/files.ts";
import { deleteSavedDocument, findSavedDocument, listSavedDocuments } from "@intents/storage/parties/documents.ts";
import { deleteParty as deletePartyRecord } from "@intents/storage/parties/parties.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { type Documents, noParty, notFound, type PartyKey, type Saved } from "./saved.ts";

type Stores = Pick<Documents, "table" | "files">;

/**
 * Deletes a party with its saved documents, which go first, so that repeating it finishes what a crash has begun. No
 * document can be saved on a party that is gone; one that was saved meanwhile goes after it.
 */
export async function deleteParty(stores: Stores, party: PartyKey): Promise<Result<{ _id: string }, Failure>> {
  const { tenantId, kind, partyId } = party;
  await deleteDocuments(stores, party);
  const isDeleted = await deletePartyRecord(stores.table, tenantId, kind, partyId);
  await deleteDocuments(stores, party);
  return isDeleted ? ok({ _id: partyId }) : noParty(kind);
}

async function deleteDocuments(stores: Stores, party: PartyKey): Promise<void> {
  const { tenantId, kind, partyId } = party;
  for (const { legacyDocumentId } of await listSavedDocuments(stores.table, tenantId, kind, partyId)) {
    await deleteDocument(stores, { ...party, legacyDocumentId });
  }
}

/** Deletes a saved document. The bytes go first: the record is the only one that knows where they are. */
export async function deleteDocument(
  { table, files }: Stores,
  { tenantId, kind, partyId, legacyDocumentId }: Saved,
): Promise<Result<{ legacyDocumentId: string }, Failure>> {
  const saved = await findSavedDocument(table, tenantId, kind, partyId, legacyDocumentId);
  if (saved === undefined) return notFound("saved document");
  await deleteFile(files, keysOf(tenantId).storedObject(saved.objectKey, "saved"));
  await deleteSavedDocument(table, tenantId, kind, partyId, legacyDocumentId);
  return ok({ legacyDocumentId });
}
