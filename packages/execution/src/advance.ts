import { actorOf } from "@intents/domain/intents/audit-event.ts";
import { isLeased } from "@intents/domain/intents/claim.ts";
import { type ClaimedIntent, isClaimed, type PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { moveIntent as move } from "@intents/domain/intents/states.ts";
import { isTerminal } from "@intents/domain/intents/statuses.ts";
import type { Timer } from "@intents/domain/intents/timer.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { moveTimer, receiveTimer } from "@intents/storage/polling/timers.ts";
import type { TimerMessage } from "@intents/storage/queue/queue.ts";
import { advanceBatch } from "./batches/advance.ts";
import { change } from "./change.ts";
import { findClaimedRail, isForgotten } from "./rails/ask.ts";
import type { Run } from "./run.ts";
import type { Applied } from "./settle/answer.ts";
import { takeOver } from "./submit/claim.ts";
import { finishSubmission } from "./submit/finish.ts";
import { ASKED_BEFORE_RECOVERY } from "./submit/postpone.ts";

/** The outcome of a timer: `stale` when another worker holds the intent's timer by now. */
export type Advanced = Applied | "stale" | "recovered" | "expired" | "nothing";

/**
 * Does the one thing that an intent's state is waiting for. Messages may be lost, doubled or late: the timer as stored
 * decides, and a message whose lease is not the stored one changes nothing (H21). Batches are worked on until
 * `deadlineMs`, milliseconds since 1970.
 */
export async function advanceIntent(
  run: Run,
  message: Omit<TimerMessage, "kind">,
  deadlineMs: number,
): Promise<Advanced> {
  const { tenantId, id: intentId } = message;
  const timer = await receiveTimer(run.table, message, run.now());
  if (timer === undefined) return "stale";
  const found = await findIntent(run.table, tenantId, intentId);
  if (!found.ok) return "nothing";
  const intent = found.value;

  if (isClaimed(intent)) return recover(run, intent, timer);
  // A timer of another kind was set for a claim that has since been given back: it does not tell that the draft is old.
  if (intent.status === "draft") return timer.kind === "expire_draft" ? expireDraft(run, intent) : "stale";
  // Another delivery of the same message ended it between the two reads.
  if (isTerminal(intent.status)) return "stale";
  return intent.bulkProgress === undefined ? "nothing" : advanceBatch(run, intent, timer, deadlineMs, message.news);
}

/** Goes on with a submit that nobody is working on: the worker died, or the rail's answer was lost. */
async function recover(run: Run, intent: ClaimedIntent, { dueAtMs }: Timer): Promise<Advanced> {
  const { submission, tenantId, id: intentId } = intent;
  if (isLeased(submission, run.now())) {
    await moveTimer(run.table, { tenantId, id: intentId, dueAtMs }, { dueAtMs: submission.leaseUntilMs });
    return "nothing";
  }
  const taken = await takeOver(run, intent);
  if (taken === undefined) return "stale";
  const finished = await finishSubmission(run, taken);
  if (finished.ok || finished.failure.kind !== "outcome_unknown") return "recovered";
  if (findClaimedRail(run, intent) === undefined) return "rail_missing";
  const isLost = submission.asked >= ASKED_BEFORE_RECOVERY - 1 || isForgotten(run, { intent, ...submission });
  return isLost ? "lost_track" : "recovered";
}

/** Cancels a draft that was not submitted in time (SPEC, "automatic cancellation"; Decision 003 for how long). */
async function expireDraft(run: Run, intent: PaymentIntent): Promise<Advanced> {
  const cancelled = move(intent, "cancelDraft", "schedule", run.now());
  if (!cancelled.ok) return "nothing";
  const event = { name: "cancelled", actor: actorOf("schedule"), data: { cause: "too long in draft" } } as const;
  await change(run, { before: intent, after: cancelled.value, events: [event] });
  return "expired";
}
