import { whyUnusable } from "../parties/document.ts";
import { documentsOf, type IntentDraft } from "../scenarios/draft.ts";
import type { RequirementPath } from "../scenarios/texts.ts";
import type { Check, Facts, Finding } from "./finding.ts";

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
