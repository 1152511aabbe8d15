import type { PaymentIntent } from "./payment-intent.ts";
import { isTerminal } from "./statuses.ts";

/**
 * The next step that an intent or a request for commissions waits for. `dueAtMs` is milliseconds since 1970. What only
 * waits for the word of a rail has a watch in place of a timer; operators are shown its next question as `poll`.
 */
export type Timer = Readonly<{
  kind: "expire_draft" | "recover_submission" | "advance_batch" | "finish_request" | "poll";
  dueAtMs: number;
}>;

/** The one timer of an intent, decided by its state alone; undefined when no worker has to do anything by itself. */
export function timerFor(intent: PaymentIntent, settings: { draftTtlMs: number }, nowMs: number): Timer | undefined {
  if (intent.submission !== undefined) return { kind: "recover_submission", dueAtMs: intent.submission.leaseUntilMs };
  if (intent.status === "draft") {
    return { kind: "expire_draft", dueAtMs: Date.parse(intent.createdAt) + settings.draftTtlMs };
  }
  // A batch has legs to be sent, or whoever looks at its legs finds that they all wait for the rail.
  const isBatch = intent.bulkProgress !== undefined && !isTerminal(intent.status);
  return isBatch ? { kind: "advance_batch", dueAtMs: nowMs } : undefined;
}
