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
