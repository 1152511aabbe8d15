import type { ExecuteAnswer } from "@intents/domain/connector.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { submitWalk, walk } from "@intents/domain/intent-states.ts";
import type { PaymentIntent, Submission } from "@intents/domain/payment-intent.ts";
import { fail, type Result } from "@intents/domain/result.ts";
import { type Timer, timerFor } from "@intents/domain/timer.ts";
import { changeIntent } from "@intents/storage/intents.ts";
import { StoreContended } from "@intents/storage/transact.ts";
import { startBulk } from "./bulk-start.ts";
import { commit, paidExecution } from "./commit.ts";
import { release } from "./release.ts";
import type { Run, Submitted } from "./run.ts";

/** After this many questions without an answer the intent is shown as `requires_recovery`; the asking goes on. */
export const ASKED_BEFORE_RECOVERY = 5;
const SLOWEST_RECOVERY_MS = 15 * 60_000;
/** A rail remembers an executionId for 30 days (docs/rail-api.yaml); a day less is sure. */
const RAIL_MEMORY_MS = 29 * 24 * 3_600_000;

/** Whether the rail may pay again when it is asked with the executionId of this submission (H1). */
export const isForgotten = ({ claimedAtMs }: Submission, nowMs: number): boolean =>
  nowMs - claimedAtMs > RAIL_MEMORY_MS;

/** Asks the rail to execute a claimed submission, and writes down what it said before anyone is told. */
export async function finishSubmission(
  run: Run,
  intent: PaymentIntent,
  submission: Submission,
): Promise<Result<Submitted, Failure>> {
  const { work, executionId } = submission;
  try {
    if (work.kind === "bulk") return await startBulk(run, intent, submission, work.variants);
    const answer = await run.connector.execute(work.order, executionId);
    switch (answer.kind) {
      case "accepted":
        return await commit(run, intent, submission, paidExecution(run, intent, submission, work.order, answer));
      case "duplicate":
        return await release(run, intent, submission, { kind: "duplicate_transaction" });
      case "refused":
        return await release(run, intent, submission, { kind: "rail_refused", reason: answer.reason });
      case "unreachable":
      case "unknown":
        return await notAccepted(run, intent, submission, answer);
    }
  } catch (error) {
    // Claimed, and the store would not take what came of it: whoever asks next asks the rail again (H10).
    if (error instanceof StoreContended) return fail({ kind: "outcome_unknown" });
    throw error;
  }
}

/** Only a first question that provably never arrived leaves nothing behind; any other silence may hide a payment. */
async function notAccepted(
  run: Run,
  intent: PaymentIntent,
  submission: Submission,
  answer: Extract<ExecuteAnswer, { kind: "unreachable" | "unknown" }>,
): Promise<Result<Submitted, Failure>> {
  if (answer.kind === "unreachable" && submission.attempt === 1) {
    return release(run, intent, submission, { kind: "rail_unavailable" });
  }
  await postpone(run, intent, submission, answer);
  return fail({ kind: "outcome_unknown" });
}

/** Ends our lease early, so that a replay need not wait for it, and leaves the rest to whoever asks next. */
async function postpone(
  run: Run,
  intent: PaymentIntent,
  submission: Submission,
  { reason }: Readonly<{ reason: string }>,
): Promise<void> {
  const nowMs = run.now();
  const asked = submission.asked + 1;
  const waiting = { ...intent, submission: { ...submission, asked, leaseUntilMs: nowMs } };
  const lost = asked >= ASKED_BEFORE_RECOVERY && intent.status === "draft";
  const after = lost ? walk(waiting, [...submitWalk, "loseTrack"], "recovery", nowMs) : waiting;
  const backOffMs = Math.min(run.settings.pollIntervalMs * 2 ** asked, SLOWEST_RECOVERY_MS);
  await changeClaimed(run, intent, submission, {
    after,
    timer: { kind: "recover_submission", dueAtMs: nowMs + backOffMs },
    event: "paymentIntent.outcome_unknown",
    by: { operator: "service", reason },
  });
}

/**
 * Makes us the only worker of a submission whose lease has ended, before the rail is asked again (H5) or an operator
 * says how it stands; undefined when somebody else was faster.
 */
export async function takeOver(
  run: Run,
  intent: PaymentIntent,
  submission: Submission,
  by: Readonly<{ operator: string; reason: string }> = { operator: "service", reason: "the lease had ended" },
): Promise<{ intent: PaymentIntent; submission: Submission } | undefined> {
  const nowMs = run.now();
  const ours = { ...submission, attempt: submission.attempt + 1, leaseUntilMs: nowMs + run.settings.leaseMs };
  const after = { ...intent, submission: ours };
  const taken = await changeClaimed(run, intent, submission, {
    after,
    timer: timerFor(after, run.settings, nowMs),
    event: "paymentIntent.submission_taken_over",
    by,
  });
  return taken === undefined ? undefined : { intent: taken, submission: ours };
}

async function changeClaimed(
  run: Run,
  before: PaymentIntent,
  { executionId, attempt, asked }: Submission,
  change: {
    after: PaymentIntent;
    timer: Timer | undefined;
    event: string;
    by: Readonly<{ operator: string; reason: string }>;
  },
): Promise<PaymentIntent | undefined> {
  const at = new Date(run.now()).toISOString();
  const { operator, reason } = change.by;
  const { verdict, intent } = await changeIntent(run.table, {
    guard: { kind: "claimed", before, executionId, attempt },
    after: change.after,
    timer: change.timer,
    shards: run.settings.timerShards,
    events: [{ event: change.event, actor: operator, at, data: { executionId, attempt, asked, cause: reason } }],
  });
  return verdict.done ? intent : undefined;
}
