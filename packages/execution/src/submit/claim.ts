import type { Failure } from "@intents/domain/failure.ts";
import { newRecordId } from "@intents/domain/ids.ts";
import { type Actor, actorOf, type IntentEvent, submitterOf } from "@intents/domain/intents/audit-event.ts";
import { isLeased, takeClaim } from "@intents/domain/intents/claim.ts";
import type { ClaimedIntent, PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { paymentIdsOf, type Submission } from "@intents/domain/intents/submission.ts";
import { reservedBy } from "@intents/domain/parties/document-ref.ts";
import { fail, type Result } from "@intents/domain/result.ts";
import { takePaymentId } from "@intents/storage/intents/submissions.ts";
import { reserveDocument } from "@intents/storage/parties/documents.ts";
import { type Action, StoreContended } from "@intents/storage/table/transact.ts";
import { change } from "../change.ts";
import { isForgotten } from "../rails/ask.ts";
import type { Run, Submitted } from "../run.ts";
import { finishSubmission } from "./finish.ts";

/** A submission about which no rail has been asked yet. */
export function newSubmission(
  run: Run,
  about: Omit<Submission, "executionId" | "attempt" | "leaseUntilMs" | "claimedAtMs" | "asked">,
): Submission {
  const nowMs = run.now();
  const executionId = newRecordId(nowMs, run.random);
  return {
    ...takeClaim({ executionId, attempt: 0, leaseUntilMs: 0 }, nowMs, run.settings.leaseMs),
    asked: 0,
    ...about,
  };
}

/**
 * Makes a submission the only one that may pay an intent, which is `before` or a new one. The claim also reserves the
 * submission's documents and takes its payment ids. Undefined if any of that was changed or taken since it was planned.
 */
export async function claim(
  run: Run,
  before: PaymentIntent | undefined,
  after: ClaimedIntent,
  { events = [], also = [] }: Readonly<{ events?: readonly IntentEvent[]; also?: readonly Action[] }> = {},
): Promise<ClaimedIntent | undefined> {
  const { table } = run;
  const { tenantId, id: intentId, submission } = after;
  const { executionId, work } = submission;
  const nowMs = run.now();
  const claimed = { name: "submission_claimed", actor: submitterOf(after), data: { executionId } } as const;
  const changed = await change(run, { before, after, events: [...events, claimed] }, [
    ...reservedBy(submission).map((ref) => reserveDocument(table, tenantId, ref, executionId, nowMs)),
    ...paymentIdsOf(work).map((paymentId) => takePaymentId(table, paymentId, { tenantId, intentId })),
    ...also,
  ]);
  return changed.done ? changed.intent : undefined;
}

/** Whether a claim is our own although we were told that it failed: our own mark means success (H15). */
export const isOwnClaim = ({ submission }: ClaimedIntent, triedId: string | undefined): boolean =>
  submission.executionId === triedId && submission.attempt === 1;

/**
 * Goes on with a submission whose worker is gone, for a caller who asks for the same payment again; undefined while
 * another worker is at it.
 */
export async function goOn(run: Run, claimed: ClaimedIntent): Promise<Result<Submitted, Failure> | undefined> {
  const { status, submission } = claimed;
  // Nothing that the service could send again would help: an operator asks the rail (H1).
  const isLost =
    status === "requires_recovery" && isForgotten(run, { intent: claimed, claimedAtMs: submission.claimedAtMs });
  if (isLost) return fail({ kind: "in_recovery", status });
  if (isLeased(submission, run.now())) return undefined;
  try {
    const taken = await takeOver(run, claimed);
    return taken && (await finishSubmission(run, taken));
  } catch (error) {
    // An earlier attempt may have paid: "busy, nothing was changed" would not be true.
    if (error instanceof StoreContended) return fail({ kind: "outcome_unknown" });
    throw error;
  }
}

/**
 * Makes us the only worker of a submission whose lease has ended, before the rail is asked again (H5) or an operator
 * tells how the payment stands; undefined when another worker was faster.
 */
export async function takeOver(
  run: Run,
  claimed: ClaimedIntent,
  by: Readonly<{ actor: Actor<"service" | "operator">; cause: string }> = {
    actor: actorOf("service"),
    cause: "the lease had ended",
  },
): Promise<ClaimedIntent | undefined> {
  const { submission } = claimed;
  const { executionId, attempt, asked } = submission;
  const taken = await change(run, {
    before: claimed,
    after: { ...claimed, submission: takeClaim(submission, run.now(), run.settings.leaseMs) },
    events: [
      { name: "submission_taken_over", actor: by.actor, data: { executionId, attempt, asked, cause: by.cause } },
    ],
  });
  return taken.done ? taken.intent : undefined;
}
