import type { BatchLeg } from "@intents/domain/batches/batch.ts";
import {
  afterExecute,
  afterStatus,
  claimLeg,
  endLeg,
  holdLeg,
  isOpen,
  isReceiptNew,
  nextStep,
} from "@intents/domain/batches/leg.ts";
import { deniedLeg, isPaused, lateLegs, troubledLeg } from "@intents/domain/batches/trouble.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { recipientsOf } from "@intents/domain/ledger/correcting.ts";
import { toLoggedFault } from "@intents/domain/logged-fault.ts";
import type { StatusAnswer } from "@intents/domain/rails/rail.ts";
import { findLeg, replaceLeg } from "@intents/storage/intents/batch-legs.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { findReviewState, recipientNotUnderReview } from "@intents/storage/reviews/reviews.ts";
import type { Action } from "@intents/storage/table/transact.ts";
import { askForStatus, askToExecute, isForgotten } from "../rails/ask.ts";
import { type AskedAbout, recordLateAcceptance, recordLateAnswer } from "../rails/late-outcomes.ts";
import { placeOf, type Run } from "../run.ts";

type Step = ReturnType<typeof nextStep>;

/** The next step of a leg. A person has to look into a leg that the rail may have forgotten. */
export function stepOf(run: Run, intent: PaymentIntent, leg: BatchLeg): Step {
  const step = nextStep(leg, intent, run.now());
  const { claimedAtMs } = leg;
  const isPast = step === "pay" && claimedAtMs !== undefined && isForgotten(run, { intent, claimedAtMs });
  return isPast ? undefined : step;
}

/** Does the step of a leg, but for a question about it; gives the leg as it is stored then. */
export async function workOn(run: Run, intent: PaymentIntent, leg: BatchLeg, step: Step): Promise<BatchLeg> {
  if (step === "pay") return payLeg(run, intent, leg);
  const nowMs = run.now();
  const after =
    step === "hold"
      ? holdLeg(leg, intent)
      : step === "owe back"
        ? ({ ...leg, attempt: leg.attempt + 1, isOwedBack: true } as const)
        : endLeg(leg, "cancelled", { atMs: nowMs, by: "operator" }, "called off before it was paid");
  return writtenLeg(run, intent, leg, after, nowMs);
}

/** Writes a leg as it is now, unless another worker has changed it since it was read. */
export const writeLeg = (
  run: Run,
  intent: PaymentIntent,
  before: BatchLeg,
  after: BatchLeg,
  nowMs = run.now(),
  also: readonly Action[] = [],
): Promise<boolean> =>
  replaceLeg(run.table, intent, before, after, {
    at: new Date(nowMs).toISOString(),
    place: placeOf(run, intent),
    also,
  });

const writtenLeg = async (...[run, intent, before, after, nowMs]: Parameters<typeof writeLeg>): Promise<BatchLeg> =>
  (await writeLeg(run, intent, before, after, nowMs)) ? after : before;

/**
 * Claims a leg, asks the rail with the leg's own executionId, and stores its answer. A leg that is tried anew after a
 * refusal is not claimed while the rail's word about an earlier try is under review.
 */
async function payLeg(run: Run, intent: PaymentIntent, leg: BatchLeg): Promise<BatchLeg> {
  const nowMs = run.now();
  const claimed = claimLeg(leg, nowMs, run.settings.leaseMs);
  const only = leg.waiting === undefined ? [] : [recipientNotUnderReview(run.table, intent, leg.order)];
  if (!(await writeLeg(run, intent, leg, claimed, nowMs, only)))
    return only.length === 0 ? leg : endArrived(run, intent, leg);
  const { executionId, order, payment, claimedAtMs = run.now() } = claimed;
  const answer = await askToExecute(run, { intent, executionId, claimedAtMs }, payment);
  // A question that was not put to a rail did not arrive there.
  const answered = answer.kind === "not_asked" ? ({ kind: "unreachable", reason: answer.reason } as const) : answer;
  const heardMs = run.now();
  const paid = afterExecute(leg, claimed, answered, heardMs);
  if (await writeLeg(run, intent, claimed, paid, heardMs)) return paid;
  const { tenantId, id } = intent;
  const recipients = recipientsOf(intent, executionId, payment);
  if (answered.kind === "accepted") await recordLateAcceptance(run, { tenantId, id, executionId, order }, recipients);
  return leg;
}

/** Ends a leg that nothing may pay any more: an operator found that the money of an earlier try has arrived. */
async function endArrived(run: Run, intent: PaymentIntent, leg: BatchLeg): Promise<BatchLeg> {
  const { corrections = [] } = await findReviewState(run.table, intent);
  if (!corrections.some(({ order, outcome }) => order === leg.order && outcome === "arrived")) return leg;
  const nowMs = run.now();
  const ended = endLeg(leg, "cancelled", { atMs: nowMs, by: "operator" }, "its money had arrived by an earlier try");
  return writtenLeg(run, intent, leg, ended, nowMs);
}

/** A rail's answer about a leg, and the time of the question. */
type Heard = Readonly<{ answer: StatusAnswer; askedAtMs: number }>;

/** Stores what the rail says of a leg: its end, that it does not know the leg, or that all is well with it again. */
export async function applyLegAnswer(
  run: Run,
  intent: PaymentIntent,
  leg: BatchLeg,
  answered: Heard,
): Promise<BatchLeg> {
  const answer = await confirmed(run, intent, leg, answered.answer);
  const nowMs = run.now();
  if (answer.kind === "not_found") {
    const denied = deniedLeg(leg, intent, nowMs);
    return denied === undefined ? leg : writtenLeg(run, intent, leg, denied, nowMs);
  }
  const isWell = answer.kind === "pending" || answer.kind === "received";
  if (isWell && leg.trouble !== undefined && !isReceiptNew(leg, answer)) {
    const { trouble: _over, ...well } = leg;
    return writtenLeg(run, intent, leg, { ...well, attempt: leg.attempt + 1 }, nowMs);
  }
  const ended = afterStatus(leg, answer, nowMs);
  if (ended === undefined) return leg;
  if (await writeLeg(run, intent, leg, ended, nowMs)) return ended;
  const { tenantId, id } = intent;
  const { executionId, order } = leg;
  await recordLateAnswer(run, { tenantId, id, executionId, order, askedAtMs: answered.askedAtMs }, answer);
  return leg;
}

/** Asks again, about this leg alone, when the rail does not know it. */
async function confirmed(run: Run, intent: PaymentIntent, { executionId }: BatchLeg, answer: StatusAnswer) {
  if (answer.kind !== "not_found") return answer;
  const alone = await askForStatus(run, { intent, executionId });
  return alone.kind === "not_asked" ? ({ kind: "unavailable", reason: alone.reason } as const) : alone;
}

/**
 * Does the work on a leg. Its failure is noted on the leg, which is left alone for a while; what is thrown is a failure
 * that could not be noted either.
 */
export async function withTroubleNoted(
  run: Run,
  intent: PaymentIntent,
  leg: BatchLeg,
  work: () => Promise<BatchLeg>,
): Promise<BatchLeg> {
  try {
    return await work();
  } catch (fault) {
    return noteTrouble(run, intent, leg, fault);
  }
}

async function noteTrouble(run: Run, intent: PaymentIntent, leg: BatchLeg, fault: unknown): Promise<BatchLeg> {
  const { tenantId, id: intentId } = intent;
  run.warn?.({ tenantId, intentId, order: leg.order, fault });
  const stored = await findLeg(run.table, intent, leg.order);
  // The work's own write has arrived after all, or another worker has gone on with the leg.
  const isSame = stored?.status === leg.status && stored.attempt <= leg.attempt + 1;
  if (stored === undefined || !isSame || !isOpen(stored)) return stored ?? leg;
  return writtenLeg(run, intent, stored, troubledLeg(stored, toLoggedFault(fault).message, run.now()));
}

/** Whether the worker of a batch has to look at it, for what a rail has said of a leg or has not said for too long. */
export async function isNewsOfLeg(
  run: Run,
  asked: AskedAbout & Readonly<{ order: number }>,
  answer: StatusAnswer,
): Promise<boolean> {
  const { tenantId, id, executionId, order } = asked;
  const leg = await findLeg(run.table, { tenantId, id }, order);
  if (leg === undefined || leg.executionId !== executionId) return false;
  const isFinal = answer.kind === "settled" || answer.kind === "cancelled";
  if (leg.status !== "executing") {
    if (isFinal) await recordLateAnswer(run, asked, answer);
    return false;
  }
  if ((isFinal || isReceiptNew(leg, answer)) && !isPaused(leg, run.now())) return true;
  const found = await findIntent(run.table, tenantId, id);
  if (!found.ok || found.value.status !== "executing") return false;
  return answer.kind === "not_found" || lateLegs(found.value, [leg], run.now(), run.settings).length > 0;
}
