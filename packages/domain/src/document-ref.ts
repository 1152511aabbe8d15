/** What a payer uploaded on a link. Payers of that link alone can name it, and none of the tenant's routes. */
export type PayerDocumentRef = Readonly<{
  linkId: string;
  documentId: string;
  /** Stored as a tenant's document under the id `<linkId>-<documentId>`, as all of them once were. */
  isFormer?: true;
}>;

/** Which document: one that the tenant can name by its id, or a payer's. */
export type DocumentRef = Readonly<{ documentId: string }> | PayerDocumentRef;

/** What a submission has reserved: of the tenant's documents, and of those that its payer uploaded. */
type Reserved = Readonly<{ documentIds: readonly string[]; payerDocuments?: readonly PayerDocumentRef[] }>;

export const reservedBy = ({ documentIds, payerDocuments = [] }: Reserved): DocumentRef[] => [
  // Submissions under way may still name payers' documents in the former way.
  ...documentIds.map((documentId) => parseFormerId(documentId) ?? { documentId }),
  ...payerDocuments,
];

/** The payer's document that an id in the former form stands for; undefined for every other id. */
export function parseFormerId(id: string): PayerDocumentRef | undefined {
  const [, linkId, documentId] = /^([0-9a-f]{24})-([0-9a-f-]{36})$/.exec(id) ?? [];
  return linkId === undefined || documentId === undefined ? undefined : { linkId, documentId, isFormer: true };
}
