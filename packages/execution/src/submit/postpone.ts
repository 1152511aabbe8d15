import type { Failure } from "@intents/domain/failure.ts";
import { actorOf } from "@intents/domain/intents/audit-event.ts";
import type { ClaimedIntent } from "@intents/domain/intents/payment-intent.ts";
import { moveThrough, submitMoves } from "@intents/domain/intents/states.ts";
import type { ExecuteAnswer } from "@intents/domain/rails/rail.ts";
import { fail, type Result } from "@intents/domain/result.ts";
import { change } from "../change.ts";
import type { NotAsked } from "../rails/ask.ts";
import type { Run } from "../run.ts";
import { release } from "./release.ts";

/** After this many unanswered questions the intent is shown as `requires_recovery`; the service goes on asking. */
export const ASKED_BEFORE_RECOVERY = 5;
const SLOWEST_RECOVERY_MS = 15 * 60_000;
/** The interval at which a person is reminded of a claim that only a person can end. */
const FORGOTTEN_EVERY_MS = 24 * 3_600_000;

/** The reason why a submission is neither accepted nor refused. */
export type Silence = Extract<ExecuteAnswer, { kind: "unreachable" | "unknown" }> | NotAsked;

/** Releases a submission only if its first question provably never arrived; any other silence may hide a payment. */
export async function notAccepted(run: Run, claimed: ClaimedIntent, answer: Silence): Promise<Result<never, Failure>> {
  if (answer.kind === "unreachable" && claimed.submission.attempt === 1) {
    return release(run, claimed, { kind: "rail_unavailable" });
  }
  await postpone(run, claimed, answer);
  return fail({ kind: "outcome_unknown" });
}

/** Ends our lease early, so that a replay need not wait for it, and leaves the rest to the next worker. */
async function postpone(run: Run, claimed: ClaimedIntent, answer: Silence): Promise<void> {
  const nowMs = run.now();
  const { submission } = claimed;
  const { executionId, attempt } = submission;
  const isForgotten = answer.kind === "not_asked" && answer.why === "forgotten";
  const asked = submission.asked + 1;
  const waiting = { ...claimed, submission: { ...submission, asked, leaseUntilMs: nowMs } };
  const lost = (isForgotten || asked >= ASKED_BEFORE_RECOVERY) && claimed.status === "draft";
  const backOffMs = isForgotten
    ? FORGOTTEN_EVERY_MS
    : Math.min(run.settings.pollIntervalMs * 2 ** asked, SLOWEST_RECOVERY_MS);
  const data = { executionId, attempt, asked: submission.asked, cause: answer.reason };
  await change(run, {
    before: claimed,
    after: lost ? moveThrough(waiting, [...submitMoves, "loseTrack"], "recovery", nowMs) : waiting,
    events: [{ name: "outcome_unknown", actor: actorOf("service"), data }],
    wakeAtMs: nowMs + backOffMs,
  });
}
