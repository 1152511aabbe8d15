import type { ExecuteAnswer } from "@intents/domain/connector.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { submitWalk, walk } from "@intents/domain/intent-states.ts";
import type { PaymentIntent, Submission } from "@intents/domain/payment-intent.ts";
import { fail, type Result } from "@intents/domain/result.ts";
import { type Timer, timerFor } from "@intents/domain/timer.ts";
import { changeIntent } from "@intents/storage/intents.ts";
import type { NotAsked } from "./ask-rail.ts";
import { release } from "./release.ts";
import type { Run } from "./run.ts";

/** After this many questions without an answer the intent is shown as `requires_recovery`; the asking goes on. */
export const ASKED_BEFORE_RECOVERY = 5;
const SLOWEST_RECOVERY_MS = 15 * 60_000;
/** How often a person is reminded of a claim that nothing but a person can end. */
const FORGOTTEN_EVERY_MS = 24 * 3_600_000;

/** Why a submission is not accepted, and not refused either. */
export type Silence = Extract<ExecuteAnswer, { kind: "unreachable" | "unknown" }> | NotAsked;

/** Only a first question that provably never arrived leaves nothing behind; any other silence may hide a payment. */
export async function notAccepted(
  run: Run,
  intent: PaymentIntent,
  submission: Submission,
  answer: Silence,
): Promise<Result<never, Failure>> {
  if (answer.kind === "unreachable" && submission.attempt === 1) {
    return release(run, intent, submission, { kind: "rail_unavailable" });
  }
  await postpone(run, intent, submission, answer);
  return fail({ kind: "outcome_unknown" });
}

/** Ends our lease early, so that a replay need not wait for it, and leaves the rest to whoever asks next. */
async function postpone(run: Run, intent: PaymentIntent, submission: Submission, answer: Silence): Promise<void> {
  const nowMs = run.now();
  const { reason } = answer;
  const isForgotten = answer.kind === "not_asked" && answer.why === "forgotten";
  const asked = submission.asked + 1;
  const waiting = { ...intent, submission: { ...submission, asked, leaseUntilMs: nowMs } };
  const lost = (isForgotten || asked >= ASKED_BEFORE_RECOVERY) && intent.status === "draft";
  const after = lost ? walk(waiting, [...submitWalk, "loseTrack"], "recovery", nowMs) : waiting;
  const backOffMs = isForgotten
    ? FORGOTTEN_EVERY_MS
    : Math.min(run.settings.pollIntervalMs * 2 ** asked, SLOWEST_RECOVERY_MS);
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
