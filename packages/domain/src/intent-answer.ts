import { progressOf, toLegAnswer } from "./batch-leg.ts";
import type { BatchLeg } from "./bulk.ts";
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

/** A batch with its recipients as they stand at `nowMs`; `legs` are items of their own. */
export function toBatchAnswer(intent: PaymentIntent, legs: readonly BatchLeg[], nowMs: number) {
  const told = { legs: legs.map((leg) => toLegAnswer(intent, leg, nowMs)) };
  const executions = intent.executions.map((execution) => ({ ...withoutLegs(execution), ...told }));
  // The stored summary is written once a round and may lag behind, so that it is counted from the legs anew.
  return { ...toIntentAnswer(intent), executions, bulkProgress: progressOf(legs) };
}

const withoutLegs = ({ legs, ...execution }: Execution) => execution;

/** An intent as an item of a list: its id has both its names, and every link has a name (DESIGN 17). */
export function toIntentItem(intent: PaymentIntent) {
  const name = intent.deliveryMode === "reusable_payment_link" ? { name: intent.name ?? null } : {};
  return { _id: intent.id, ...toIntentAnswer(intent), ...name };
}
