import type { DocumentRef } from "@intents/domain/parties/document-ref.ts";

type Key = Readonly<{ PK: string; SK: string }>;

/** The keys whose second names follow. */
type Own = Readonly<{
  [Name in
    | ("audit" | "ledger" | "intentMetadata" | "review" | "reconciliation" | "reissue" | "payerDocument")
    | ("savedDocument" | "quote" | "linkQuote" | "payerSource" | "commission" | "correctedCommission")
    | ("keyBinding" | "webhookProgress" | "delivery" | "event" | "counter" | "intent")]: (...args: never[]) => Key;
}> &
  Readonly<{ document: (id: string) => Key | undefined; payerDocument: (ref: never) => Key }>;

/**
 * Second names of keys, one for each other thing that code does at them: what only reads a record may not write it, and
 * what adds one may not delete it (Decision 023). The table of kinds says what each name stands for.
 */
export const secondNamesOf = <Keys extends Own>(own: Keys) => {
  /** A document by whom it is of: a payer on a link, or the tenant, whose ids alone may have none. */
  const documentOf = (ref: DocumentRef): Key | undefined =>
    "linkId" in ref ? own.payerDocument(ref as never) : own.document(ref.documentId);
  return {
    toldAudit: own.audit as Keys["audit"],
    toldLedger: own.ledger as Keys["ledger"],
    notedIntent: own.intent as Keys["intent"],
    addedMetadata: own.intentMetadata as Keys["intentMetadata"],
    writtenMetadata: own.intentMetadata as Keys["intentMetadata"],
    writtenReview: own.review as Keys["review"],
    writtenReconciliation: own.reconciliation as Keys["reconciliation"],
    takenReissue: own.reissue as Keys["reissue"],
    freedReissue: own.reissue as Keys["reissue"],
    addedDocument: own.document,
    addedPayerDocument: own.payerDocument as Keys["payerDocument"],
    heldDocument: own.document,
    heldPayerDocument: own.payerDocument as Keys["payerDocument"],
    forgottenDocument: documentOf,
    deletedSavedDocument: own.savedDocument as Keys["savedDocument"],
    addedQuote: own.quote as Keys["quote"],
    addedLinkQuote: own.linkQuote as Keys["linkQuote"],
    countedSource: own.payerSource as Keys["payerSource"],
    writtenCommission: own.commission as Keys["commission"],
    writtenCorrectedCommission: own.correctedCommission as Keys["correctedCommission"],
    addedBinding: own.keyBinding as Keys["keyBinding"],
    keptBinding: own.keyBinding as Keys["keyBinding"],
    freedBinding: own.keyBinding as Keys["keyBinding"],
    nudgedProgress: own.webhookProgress as Keys["webhookProgress"],
    writtenDelivery: own.delivery as Keys["delivery"],
    toldEvent: own.event as Keys["event"],
    identifiedEvent: own.event as Keys["event"],
    strippedEvent: own.event as Keys["event"],
    changedCounter: own.counter as Keys["counter"],
  };
};
