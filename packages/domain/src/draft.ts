import type { Caller } from "./caller.ts";
import type { IntentDraft, PaymentIntent } from "./payment-intent.ts";

/** The intent that a create stores. A link gets its public token at once, so that it can be shown before it is published. */
export function planDraft(
  draft: IntentDraft,
  caller: Caller,
  ids: { id: string; publicLinkId: string },
  nowMs: number,
): PaymentIntent {
  const at = new Date(nowMs).toISOString();
  const { id, publicLinkId } = ids;
  return {
    id,
    status: "draft",
    ...draft,
    recipients: draft.recipients ?? [],
    ...(draft.deliveryMode === "reusable_payment_link" && { publicLinkId }),
    tenantId: caller.tenantId,
    version: 0,
    createdAt: at,
    updatedAt: at,
    createdBy: caller.userId,
    statusHistory: [{ status: "draft", at, by: caller.userId }],
    executions: [],
  };
}

/**
 * A reissue with the parties and recipients of the intent that it pays again, where it names none of its own. Documents
 * are left behind, since each serves one payment only, and references are marked, so that the rail does not take the
 * repeat for a duplicate (SPEC, [PAY0003]).
 */
export function cloneReissued(draft: IntentDraft, reissued: PaymentIntent): IntentDraft {
  if (draft.amountMode !== "legacy_reissue") return draft;
  const { payer, subject } = reissued;
  const namesPayer = draft.payer.partyId !== undefined || draft.payer.details !== undefined;
  const recipients = reissued.recipients.map(({ purposeProofDocumentId, reference = "", ...recipient }) => ({
    ...recipient,
    reference: `${reference} reissued`.trim().slice(-REFERENCE_MAX),
  }));
  return {
    ...draft,
    payer: namesPayer || draft.payer.role !== payer.role ? draft.payer : payer,
    ...(subject !== undefined && draft.subject === undefined && { subject }),
    recipients: draft.recipients === undefined || draft.recipients.length === 0 ? recipients : draft.recipients,
  };
}

const REFERENCE_MAX = 140;
