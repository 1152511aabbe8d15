import type { PaymentIntent } from "./payment-intent.ts";

/** An intent as callers see it: everything but the service's own bookkeeping. */
export function toIntentAnswer(intent: PaymentIntent) {
  const { tenantId, version, submission, auditHead, expectedSettlementMs, ...answer } = intent;
  return answer;
}

/** An intent as an item of a list: under both names of its id, and with a name for every link (DESIGN 17). */
export function toIntentItem(intent: PaymentIntent) {
  const name = intent.deliveryMode === "reusable_payment_link" ? { name: intent.name ?? null } : {};
  return { _id: intent.id, ...toIntentAnswer(intent), ...name };
}
