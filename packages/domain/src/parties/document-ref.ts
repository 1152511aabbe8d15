/** A document that a payer uploaded on a link. Only payers of that link can name it; the tenant's routes cannot. */
export type PayerDocumentRef = Readonly<{
  linkId: string;
  documentId: string;
  /** Set for uploads that an earlier version stored as a tenant's document, under the id `<linkId>-<documentId>`. */
  isFormer?: true;
}>;

/** A reference to a document: the tenant's own by its id, or one that a payer uploaded. */
export type DocumentRef = Readonly<{ documentId: string }> | PayerDocumentRef;

/** The documents that a submission has reserved: the tenant's, and those that its payer uploaded. */
type Reserved = Readonly<{ documentIds: readonly string[]; payerDocuments?: readonly PayerDocumentRef[] }>;

export const reservedBy = ({ documentIds, payerDocuments = [] }: Reserved): DocumentRef[] => [
  // Submissions that an earlier version began may still name payers' documents by such an id.
  ...documentIds.map((documentId) => parseFormerId(documentId) ?? { documentId }),
  ...payerDocuments,
];

/** The payer's document that an id in the former form stands for; undefined for every other id. */
export function parseFormerId(id: string): PayerDocumentRef | undefined {
  const [, linkId, documentId] = /^([0-9a-f]{24})-([0-9a-f-]{36})$/.exec(id) ?? [];
  return linkId === undefined || documentId === undefined ? undefined : { linkId, documentId, isFormer: true };
}
