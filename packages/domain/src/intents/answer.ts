import type { Execution, PaymentIntent } from "./payment-intent.ts";

/** An execution as callers see it. The legs of a batch are shown only in the answer about that one batch. */
type ExecutionAnswer = Omit<Execution, "legs"> & Partial<Pick<Execution, "legs">>;

/** An intent as callers see it: everything but the service's own bookkeeping. */
export function toIntentAnswer(intent: PaymentIntent) {
  const { tenantId, version, submission, auditHead, expectedSettlementMs, rail, stopped, ...answer } = intent;
  const isBatch = intent.bulkProgress !== undefined;
  const executions: readonly ExecutionAnswer[] = isBatch ? intent.executions.map(withoutLegs) : intent.executions;
  return { ...answer, executions };
}

export const withoutLegs = ({ legs, ...execution }: Execution) => execution;

/** An intent as an item of a list: its id has both its names, and every link has a name (DESIGN 17). */
export function toIntentItem(intent: PaymentIntent) {
  const name = intent.deliveryMode === "reusable_payment_link" ? { name: intent.name ?? null } : {};
  return { _id: intent.id, ...toIntentAnswer(intent), ...name };
}
