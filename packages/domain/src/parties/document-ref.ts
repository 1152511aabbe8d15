/** A document that a payer uploaded on a link. Only payers of that link can name it; the tenant's routes cannot. */
export type PayerDocumentRef = Readonly<{ linkId: string; documentId: string }>;

/** A reference to a document: the tenant's own by its id, or one that a payer uploaded. */
export type DocumentRef = Readonly<{ documentId: string }> | PayerDocumentRef;

/** The documents that a submission has reserved: the tenant's, and those that its payer uploaded. */
type Reserved = Readonly<{ documentIds: readonly string[]; payerDocuments?: readonly PayerDocumentRef[] }>;

export const reservedBy = ({ documentIds, payerDocuments = [] }: Reserved): DocumentRef[] => [
  ...documentIds.map((documentId) => ({ documentId })),
  ...payerDocuments,
];
