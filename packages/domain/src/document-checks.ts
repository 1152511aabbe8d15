import { whyUnusable } from "./document.ts";
import { documentsOf, type IntentDraft } from "./intent-draft.ts";
import type { Check, Facts, Finding } from "./requirement-finding.ts";
import type { RequirementPath } from "./requirement-texts.ts";

/** The checks of the documents that an intent names. */
export const documentChecks: readonly Check[] = [documentsUnique, documentsUsable];

function documentsUnique(intent: IntentDraft): Finding[] {
  const ids = documentsOf(intent).map(({ documentId }) => documentId);
  return new Set(ids).size < ids.length ? ["documents.uniqueDocumentIds"] : [];
}

function documentsUsable(intent: IntentDraft, facts: Facts): Finding[] {
  return documentsOf(intent).flatMap(({ path: at, documentId }): Finding[] => {
    const document = facts.documents.get(documentId);
    const problem = document === undefined ? "does not exist" : whyUnusable(document, facts.holder, facts.nowMs);
    const path: RequirementPath = at.startsWith("recipients.")
      ? "recipients.*.purposeProofDocumentId"
      : "instructions.manualPayment.payerIdentityDocumentId";
    return problem === undefined ? [] : [{ path, at, reason: `The document ${problem}` }];
  });
}
