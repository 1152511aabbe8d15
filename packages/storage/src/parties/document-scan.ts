import type { PaymentDocument, SavedDocument } from "@intents/domain/parties/document.ts";
import type { DocumentRef } from "@intents/domain/parties/document-ref.ts";
import { findCursor, replaceCursor } from "../table/cursors.ts";
import { parseDocumentKey } from "../table/key-owners.ts";
import { scanPages } from "../table/pages.ts";
import { fromDoc, type Table } from "../table/table.ts";
import { fromItem } from "./documents.ts";
import type { PartyKind } from "./parties.ts";

/** A stored document with its owner: one for a payment, or one that is saved on a party. */
export type FoundDocument = Readonly<{ tenantId: string }> &
  (
    | Readonly<{ ref: DocumentRef; document: PaymentDocument }>
    | Readonly<{ kind: PartyKind; partyId: string; saved: SavedDocument }>
  );

/** Attributes of a document's record beside `doc`. */
const ownAttributes = ["expiresAtMs", "objectKey", "executionId", "consumedBy"] as const;

/**
 * Every document of the table, in no order, page by page, from where `job` has stopped. A loop that breaks off goes on
 * after the last whole page the next time; one that comes to the end begins anew.
 */
export async function* scanDocuments(table: Table, job: string): AsyncGenerator<FoundDocument[]> {
  const place = await findCursor(table, job);
  const pages = scanPages(table, ["PK", "SK", "doc", ...ownAttributes], {
    FilterExpression: "SK IN (:own, :payers) OR begins_with(SK, :saved)",
    ExpressionAttributeValues: { ":own": "DOCUMENT", ":payers": "LINKDOCUMENT", ":saved": "DOCUMENT#" },
    ExclusiveStartKey: place === undefined ? undefined : (JSON.parse(place) as Record<string, unknown>),
  });
  for await (const { Items = [], LastEvaluatedKey } of pages) {
    yield Items.flatMap(toFound);
    await replaceCursor(table, job, LastEvaluatedKey && JSON.stringify(LastEvaluatedKey));
  }
}

function toFound(item: Readonly<Record<string, unknown>>): FoundDocument[] {
  const owner = parseDocumentKey(String(item["PK"]));
  if (owner === undefined) return [];
  return "ref" in owner
    ? [{ ...owner, document: fromItem(item) }]
    : [{ ...owner, saved: fromDoc<SavedDocument>(item) }];
}
