import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { GetCommand, QueryCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { PaymentDocument, SavedDocument } from "@intents/domain/document.ts";
import { keysOf } from "./keys.ts";
import type { PartyKind } from "./parties.ts";
import { addRecord, findItems, findRecord } from "./records.ts";
import { fromDoc, type Table, toDoc } from "./table.ts";
import type { Action } from "./transact.ts";

/** How long after it expired a document's record is kept, in seconds. */
const KEPT_AFTER_EXPIRY_S = 24 * 3600;

/** A party keeps at most this many documents. */
export const SAVED_DOCUMENTS_MAX = 100;

/** What a payer uploads for a link is stored under an id that only this link leads to. */
export const linkDocumentId = (linkId: string, documentId: string): string => `${linkId}-${documentId}`;

/** Stores an uploaded or minted document. What may change of it stands beside the document string. */
export async function addDocument(table: Table, tenantId: string, document: PaymentDocument): Promise<void> {
  const { expiresAtMs, ...fixed } = document;
  const key = keysOf(tenantId).document(document.documentId);
  const added = await addRecord(table, key, fixed, { expiresAtMs, ttl: ttlOf(expiresAtMs) });
  if (!added) throw new Error("A new document's id is already in use");
}

export async function findDocument(table: Table, tenantId: string, id: string): Promise<PaymentDocument | undefined> {
  const Key = keysOf(tenantId).document(id);
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return Item === undefined ? undefined : fromItem(Item);
}

/** The documents with these ids; what does not exist for this tenant has no entry. */
export async function findDocuments(
  table: Table,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, PaymentDocument>> {
  const keys = keysOf(tenantId);
  const items = await findItems(
    table,
    [...new Set(ids)].map((id) => keys.document(id)),
  );
  const documents = items.map(fromItem);
  return new Map(documents.map((document) => [document.documentId, document]));
}

/** Lets a document live until `untilMs` because a draft names it, and says where its bytes are kept from now on. */
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
        Key: keysOf(tenantId).document(document.documentId),
        UpdateExpression: "SET doc = :doc, expiresAtMs = :until, #ttl = :ttl",
        ConditionExpression: "attribute_exists(PK) AND attribute_not_exists(executionId) AND expiresAtMs < :until",
        ExpressionAttributeNames: { "#ttl": "ttl" },
        ExpressionAttributeValues: {
          ":doc": toDoc({ ...fixed, objectKey: kept.objectKey }),
          ":until": kept.untilMs,
          ":ttl": ttlOf(kept.untilMs),
        },
      }),
    );
  } catch (error) {
    // Taken by a submit, or kept longer already: both are fine.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

const isFree =
  "attribute_exists(PK) AND attribute_not_exists(consumedBy) AND expiresAtMs > :now AND " +
  "attribute_not_exists(executionId)";

/** Reserves a document for one execution: a part of the claim (H13). */
export const reserveDocument = (table: Table, tenantId: string, id: string, executionId: string, nowMs: number) =>
  documentAction(table, tenantId, id, {
    UpdateExpression: "SET executionId = :executionId, heldTtl = #ttl REMOVE #ttl",
    ConditionExpression: isFree,
    ExpressionAttributeNames: { "#ttl": "ttl" },
    ExpressionAttributeValues: { ":executionId": executionId, ":now": nowMs },
  });

/** Gives a reserved document back, with the life that it had: a part of the release (H13). */
export const releaseDocument = (table: Table, tenantId: string, id: string, executionId: string) =>
  documentAction(table, tenantId, id, {
    UpdateExpression: "SET #ttl = heldTtl REMOVE executionId, heldTtl",
    ConditionExpression: "executionId = :executionId AND attribute_not_exists(consumedBy)",
    ExpressionAttributeNames: { "#ttl": "ttl" },
    ExpressionAttributeValues: { ":executionId": executionId },
  });

/** Marks a reserved document as used for good: a part of the commit. */
export const consumeDocument = (table: Table, tenantId: string, id: string, executionId: string, intentId: string) =>
  documentAction(table, tenantId, id, {
    UpdateExpression: "SET consumedBy = :intent",
    ConditionExpression: "executionId = :executionId",
    ExpressionAttributeValues: { ":executionId": executionId, ":intent": intentId },
  });

/** Uses a document up at once, where nothing is asked between: a part of the publishing of a link. */
export const spendDocument = (table: Table, tenantId: string, id: string, intentId: string, nowMs: number) =>
  documentAction(table, tenantId, id, {
    UpdateExpression: "SET consumedBy = :intent REMOVE #ttl",
    ConditionExpression: isFree,
    ExpressionAttributeNames: { "#ttl": "ttl" },
    ExpressionAttributeValues: { ":intent": intentId, ":now": nowMs },
  });

type Change = Omit<NonNullable<Action["write"]["Update"]>, "TableName" | "Key">;

const documentAction = (table: Table, tenantId: string, id: string, change: Change): Action => ({
  label: `document:${id}`,
  write: { Update: { TableName: table.name, Key: keysOf(tenantId).document(id), ...change } },
});

/** Keeps a document on a party for reuse. */
export async function addSavedDocument(
  table: Table,
  tenantId: string,
  kind: PartyKind,
  partyId: string,
  document: SavedDocument,
): Promise<void> {
  const key = keysOf(tenantId).savedDocument(kind, partyId, document.legacyDocumentId);
  if (!(await addRecord(table, key, document))) throw new Error("A new saved document's id is already in use");
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

function fromItem(item: Record<string, unknown>): PaymentDocument {
  const { executionId, consumedBy } = item;
  return {
    ...fromDoc<Omit<PaymentDocument, "expiresAtMs">>(item),
    expiresAtMs: Number(item["expiresAtMs"]),
    ...(typeof executionId === "string" && { executionId }),
    ...(typeof consumedBy === "string" && { consumedBy }),
  };
}

const ttlOf = (expiresAtMs: number): number => Math.ceil(expiresAtMs / 1000) + KEPT_AFTER_EXPIRY_S;
