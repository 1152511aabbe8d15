/** Kinds that callers give their own ids. */
export type ExternallyNamed = "INTENT" | "RECIPIENT" | "STUDENT" | "PAYER";

/** The keys of what callers know records by, and note down of them. */
export function externalKeysOf(tenantId: string) {
  const tenant = `T#${tenantId}`;
  return {
    /** The records that have a caller's own id: intents by theirs, or by that of a recipient, students and payers. */
    ofExternalId: (of: ExternallyNamed, externalId: string) => `${tenant}#EXTERNALID#${of}#${externalId}`,
    /** The entry by which an intent is found by its recipients' own ids, in the intent's partition. */
    recipientExternalId: (id: string, externalId: string) => ({
      PK: `${tenant}#INTENT#${id}`,
      SK: `EXTERNALID#${externalId}`,
    }),
    /** The metadata of an intent: one partition, so that a page of a list reads those of its intents at once. */
    intentMetadata: (intentId: string) => ({ PK: `${tenant}#METADATA`, SK: intentId }),
  };
}
