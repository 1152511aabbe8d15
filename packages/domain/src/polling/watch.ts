import type { PaymentIntent } from "../intents/payment-intent.ts";

/**
 * An accepted execution whose end only its rail can tell, with the inputs of its polling times. Times are milliseconds
 * since 1970.
 */
export type Watch = Readonly<{
  executionId: string;
  /** Spreads the times. All recipients of a batch have the batch's, because they are looked at together. */
  seed: string;
  startedMs: number;
  /** When the money should have settled, or a checkout's session ends; absent once silence is on record. */
  expectedMs?: number;
  isCheckout: boolean;
  /** Whether it keeps others from a single-use link, so that it may have to be called off. */
  isHolding: boolean;
}>;

/** The one watch of an intent, decided by its state alone; recipients of a batch have watches of their own. */
export function watchFor(intent: PaymentIntent): Watch | undefined {
  const { id: seed, status, submission, bulkProgress, expectedSettlementMs, createdFrom, instructions } = intent;
  const accepted = intent.statusHistory.findLast((step) => step.status === "executing");
  const execution = intent.executions.at(-1);
  const isAsked = status === "executing" || status === "requires_recovery";
  if (!isAsked || submission !== undefined || bulkProgress !== undefined || execution === undefined) return undefined;
  return {
    executionId: execution.executionId,
    seed,
    // A claim that was recovered late is watched from its acceptance: sweeps have passed the points before that.
    startedMs: Date.parse(accepted?.at ?? execution.startedAt),
    ...(status === "executing" && { expectedMs: expectedSettlementMs ?? 0 }),
    isCheckout: execution.checkoutUrl !== undefined,
    // A payment whose money came in keeps its link for good, and is called off no more.
    isHolding:
      createdFrom !== undefined &&
      instructions?.paymentLink?.isSingleUse === true &&
      execution.receivedAt === undefined,
  };
}

/** How long the rail is left to itself before its silence, or a payment that only holds a link, is looked into. */
export type Patience = Readonly<{ recoveryAfterMs: number; holdMs: number }>;

/**
 * Whether nothing was heard for too long of what was expected at `expectedMs`, of a payment or of a recipient of a batch.
 * An operator who lets an intent go on gives all of it as much time again, from `expectedSettlementMs` on.
 */
export const isOverdue = (
  { expectedSettlementMs = 0 }: Pick<PaymentIntent, "expectedSettlementMs">,
  expectedMs: number | undefined,
  nowMs: number,
  { recoveryAfterMs }: Pick<Patience, "recoveryAfterMs">,
): boolean => expectedMs !== undefined && nowMs > Math.max(expectedMs, expectedSettlementMs) + recoveryAfterMs;

/** The time from which an answer without news has to be looked into as well. */
export function lookedIntoFrom({ startedMs, expectedMs, isHolding }: Watch, patience: Patience): number {
  const overdueMs = expectedMs === undefined ? Number.POSITIVE_INFINITY : expectedMs + patience.recoveryAfterMs + 1;
  return Math.min(overdueMs, isHolding ? startedMs + patience.holdMs : Number.POSITIVE_INFINITY);
}
