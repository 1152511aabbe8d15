import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, QueryCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { PaymentDocument, SavedDocument } from "@intents/domain/parties/document.ts";
import type { DocumentRef, PayerDocumentRef } from "@intents/domain/parties/document-ref.ts";
import { type Key, keysOf } from "../table/keys.ts";
import { addRecord, findItems, findRecord, newRecord } from "../table/records.ts";
import { fromDoc, type Table, toDoc } from "../table/table.ts";
import { type Action, transact } from "../table/transact.ts";
import type { PartyKind } from "./parties.ts";

/** The record of a document outlives its expiry by so long, in seconds: the daily sweep finds the bytes by it. */
const KEPT_AFTER_EXPIRY_S = 30 * 24 * 3600;

/** A party keeps at most this many documents. */
export const SAVED_DOCUMENTS_MAX = 100;

/** Stores a tenant's new document, uploaded or minted. */
export const addDocument = (table: Table, tenantId: string, document: PaymentDocument): Promise<void> =>
  add(table, known(keysOf(tenantId).document(document.documentId)), document);

/** Stores a document that a payer uploaded on a link. */
export const addPayerDocument = (
  table: Table,
  tenantId: string,
  linkId: string,
  document: PaymentDocument,
): Promise<void> => add(table, keysOf(tenantId).payerDocument({ linkId, documentId: document.documentId }), document);

/** Stores a document. Its fields that may change stand beside the document string. */
async function add(table: Table, key: Key, { expiresAtMs, ...fixed }: PaymentDocument): Promise<void> {
  const added = await addRecord(table, key, fixed, { expiresAtMs, ttl: ttlOf(expiresAtMs) });
  if (!added) throw new Error("A new document's id is already in use");
}

/** The document that a tenant names by this id. */
export async function findDocument(table: Table, tenantId: string, id: string): Promise<PaymentDocument | undefined> {
  return (await findDocuments(table, tenantId, [id])).get(id);
}

/** The documents that a tenant names by these ids; an id that does not exist for this tenant has no entry. */
export async function findDocuments(
  table: Table,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, PaymentDocument>> {
  const keys = [...new Set(ids)].flatMap((id) => keysOf(tenantId).document(id) ?? []);
  const documents = (await findItems(table, keys)).map(fromItem);
  return new Map(documents.map((document) => [document.documentId, document]));
}

/** The documents that payers uploaded, in the order of `refs`; undefined in place of one that does not exist. */
export async function findPayerDocuments(
  table: Table,
  tenantId: string,
  refs: readonly PayerDocumentRef[],
): Promise<(PaymentDocument | undefined)[]> {
  const keys = refs.map((ref) => keysOf(tenantId).payerDocument(ref));
  const items = await findItems(table, [...new Map(keys.map((key) => [key.PK, key])).values()]);
  const found = new Map(items.map((item) => [item["PK"], fromItem(item)]));
  return keys.map(({ PK }) => found.get(PK));
}

/** The key of a document. A tenant's id has one, because its document was found before anything is done to it. */
function known(key: Key | undefined): Key {
  if (key === undefined) throw new Error("No document has such an id");
  return key;
}

/** Extends the life of a document to `untilMs`, because a draft names it, and stores the new place of its bytes. */
export async function keepDocument(
  table: Table,
  tenantId: string,
  document: PaymentDocument,
  kept: { untilMs: number; objectKey: string },
): Promise<void> {
  const { expiresAtMs, executionId, consumedBy, ...fixed } = document;
  try {
    await table.db.send(
      new UpdateCommand({
        TableName: table.name,
        Key: known(keysOf(tenantId).documentOf(document)),
        UpdateExpression: "SET doc = :doc, expiresAtMs = :until, #ttl = :ttl",
        ConditionExpression: `${isUntaken} AND expiresAtMs < :until`,
        ExpressionAttributeNames: { "#ttl": "ttl" },
        ExpressionAttributeValues: {
          ":doc": toDoc({ ...fixed, objectKey: kept.objectKey }),
          ":until": kept.untilMs,
          ":ttl": ttlOf(kept.untilMs),
        },
      }),
    );
  } catch (error) {
    // The document was reserved by a submit, spent by a link, or kept longer already: all are fine.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** Forgets a document of an intent; false when another one has it, or a submit has reserved it. */
export const forgetDocument = (table: Table, tenantId: string, ref: DocumentRef, intentId: string): Promise<boolean> =>
  deleteRecord(table, tenantId, ref, `${isUntaken} OR consumedBy = :intent`, { ":intent": intentId });

/** Forgets a document that nobody can use any more; true when its bytes may be deleted as well. */
export const dropDocument = (table: Table, tenantId: string, ref: DocumentRef, nowMs: number): Promise<boolean> =>
  deleteRecord(table, tenantId, ref, `${isUntaken} AND expiresAtMs <= :now`, { ":now": nowMs });

/** Deletes a document's record under a condition; true as well when there is none. */
async function deleteRecord(
  { db, name }: Table,
  tenantId: string,
  ref: DocumentRef,
  condition: string,
  ExpressionAttributeValues: Readonly<Record<string, string | number>>,
): Promise<boolean> {
  const ConditionExpression = `attribute_not_exists(PK) OR (${condition})`;
  const Key = known(keysOf(tenantId).documentOf(ref));
  try {
    await db.send(new DeleteCommand({ TableName: name, Key, ConditionExpression, ExpressionAttributeValues }));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** The condition that neither an execution nor a link has the document. */
const isUntaken = "attribute_exists(PK) AND attribute_not_exists(executionId) AND attribute_not_exists(consumedBy)";
const isFree = `${isUntaken} AND expiresAtMs > :now`;

/**
 * Reserves a document for one execution: a part of the claim (H13). Of a payer's upload the execution has a copy of its
 * own.
 */
export const reserveDocument = (
  table: Table,
  tenantId: string,
  ref: DocumentRef,
  executionId: string,
  nowMs: number,
) => {
  const kept = "linkId" in ref ? keysOf(tenantId).keptPayerUpload(ref, executionId) : undefined;
  const setKept = kept === undefined ? "" : ", objectKey = :kept";
  return documentAction(table, tenantId, ref, {
    UpdateExpression: `SET executionId = :executionId, heldTtl = #ttl${setKept} REMOVE #ttl`,
    ConditionExpression: isFree,
    ExpressionAttributeNames: { "#ttl": "ttl" },
    ExpressionAttributeValues: {
      ":executionId": executionId,
      ":now": nowMs,
      ...(kept !== undefined && { ":kept": kept }),
    },
  });
};

/** Gives a reserved document back, with its former expiry and place: a part of the release (H13). */
export const releaseDocument = (table: Table, tenantId: string, ref: DocumentRef, executionId: string) =>
  documentAction(table, tenantId, ref, {
    UpdateExpression: "SET #ttl = heldTtl REMOVE executionId, heldTtl, objectKey",
    ConditionExpression: "executionId = :executionId AND attribute_not_exists(consumedBy)",
    ExpressionAttributeNames: { "#ttl": "ttl" },
    ExpressionAttributeValues: { ":executionId": executionId },
  });

/** Marks a reserved document as used for good: a part of the commit. */
export const consumeDocument = (
  table: Table,
  tenantId: string,
  ref: DocumentRef,
  executionId: string,
  intentId: string,
) =>
  documentAction(table, tenantId, ref, {
    UpdateExpression: "SET consumedBy = :intent",
    ConditionExpression: "executionId = :executionId",
    ExpressionAttributeValues: { ":executionId": executionId, ":intent": intentId },
  });

/** Uses a document up in one step, without a reservation: a part of publishing a link. */
export const spendDocument = (table: Table, tenantId: string, ref: DocumentRef, intentId: string, nowMs: number) =>
  documentAction(table, tenantId, ref, {
    UpdateExpression: "SET consumedBy = :intent REMOVE #ttl",
    ConditionExpression: isFree,
    ExpressionAttributeNames: { "#ttl": "ttl" },
    ExpressionAttributeValues: { ":intent": intentId, ":now": nowMs },
  });

type Change = Omit<NonNullable<Action["write"]["Update"]>, "TableName" | "Key">;

const documentAction = (table: Table, tenantId: string, ref: DocumentRef, change: Change): Action => ({
  label: `document:${ref.documentId}`,
  write: { Update: { TableName: table.name, Key: known(keysOf(tenantId).documentOf(ref)), ...change } },
});

/** Keeps a document on a party for reuse; false when there is no such party. */
export async function addSavedDocument(
  table: Table,
  tenantId: string,
  kind: PartyKind,
  partyId: string,
  document: SavedDocument,
): Promise<boolean> {
  const keys = keysOf(tenantId);
  const Put = newRecord(table, keys.savedDocument(kind, partyId, document.legacyDocumentId), document);
  const exists = { Key: keys.party(kind, partyId), ConditionExpression: "attribute_exists(PK)" };
  const verdict = await transact(table, () => [
    { label: "party", write: { ConditionCheck: { TableName: table.name, ...exists } } },
    { label: "document", write: { Put } },
  ]);
  if (verdict.done || verdict.failed.includes("party")) return verdict.done;
  throw new Error("A new saved document's id is already in use");
}

/** Forgets a saved document; it is no error if there is none. */
export async function deleteSavedDocument(
  { db, name }: Table,
  tenantId: string,
  kind: PartyKind,
  partyId: string,
  id: string,
): Promise<void> {
  await db.send(new DeleteCommand({ TableName: name, Key: keysOf(tenantId).savedDocument(kind, partyId, id) }));
}

export const findSavedDocument = (table: Table, tenantId: string, kind: PartyKind, partyId: string, id: string) =>
  findRecord<SavedDocument>(table, keysOf(tenantId).savedDocument(kind, partyId, id));

/** A party's saved documents, at most `SAVED_DOCUMENTS_MAX`. */
export async function listSavedDocuments(
  table: Table,
  tenantId: string,
  kind: PartyKind,
  partyId: string,
): Promise<SavedDocument[]> {
  const { PK, SK } = keysOf(tenantId).savedDocument(kind, partyId, "");
  const { Items = [] } = await table.db.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: "PK = :pk AND begins_with(SK, :prefix)",
      ExpressionAttributeValues: { ":pk": PK, ":prefix": SK },
      ConsistentRead: true,
      Limit: SAVED_DOCUMENTS_MAX,
    }),
  );
  return Items.map((item) => fromDoc<SavedDocument>(item));
}

export function fromItem(item: Record<string, unknown>): PaymentDocument {
  const { executionId, consumedBy, objectKey } = item;
  return {
    ...fromDoc<Omit<PaymentDocument, "expiresAtMs">>(item),
    expiresAtMs: Number(item["expiresAtMs"]),
    ...(typeof objectKey === "string" && { objectKey }),
    ...(typeof executionId === "string" && { executionId }),
    ...(typeof consumedBy === "string" && { consumedBy }),
  };
}

const ttlOf = (expiresAtMs: number): number => Math.ceil(expiresAtMs / 1000) + KEPT_AFTER_EXPIRY_S;
