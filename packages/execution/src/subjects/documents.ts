import type { PaymentDocument } from "@intents/domain/parties/document.ts";
import type { DocumentRef } from "@intents/domain/parties/document-ref.ts";
import { findDocument, findPayerDocuments } from "@intents/storage/parties/documents.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { documentsOf, type FoundIntent } from "./find.ts";

/** The stored documents of a person in one intent; those that another payment has used are that payment's. */
export async function findOwnDocuments(
  table: Table,
  found: FoundIntent,
): Promise<Readonly<{ ref: DocumentRef; document: PaymentDocument }>[]> {
  const { id, tenantId } = found.intent;
  const documents = await Promise.all(
    documentsOf(found).map(async (ref) => {
      const [document] =
        "linkId" in ref
          ? await findPayerDocuments(table, tenantId, [ref])
          : [await findDocument(table, tenantId, ref.documentId)];
      const isTheirs = document !== undefined && (document.consumedBy ?? id) === id;
      return isTheirs ? [{ ref, document }] : [];
    }),
  );
  return documents.flat();
}
