import { changedAt } from "@intents/domain/changed-at.ts";
import { type Actor, actorOf } from "@intents/domain/intents/audit-event.ts";
import { type Execution, isClaimed, type PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { moves, moveThrough, type Outcome } from "@intents/domain/intents/states.ts";
import { isTerminal } from "@intents/domain/intents/statuses.ts";
import { bookProgress, bookReceipt } from "@intents/domain/ledger/ledger.ts";
import { isOverdue } from "@intents/domain/polling/watch.ts";
import type { LegOutcome, StatusAnswer } from "@intents/domain/rails/rail.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { ledgerActions } from "@intents/storage/intents/ledger.ts";
import { REVIEW_LABEL } from "@intents/storage/reviews/reviews.ts";
import { change } from "../change.ts";
import { endOfLinkPayment, isHoldOver } from "../links/end.ts";
import { askForStatus, askToCancel } from "../rails/ask.ts";
import { type AskedAbout, recordLateAnswer } from "../rails/late-outcomes.ts";
import type { Run } from "../run.ts";
import { commissionActions } from "./commissions.ts";

/** The outcome of a question; each but `applied` raises an alarm. */
export type Applied = "applied" | "polls_failing" | "lost_track" | "rail_missing";

/**
 * Looks into a rail's answer about a payment, and applies at most one transition. The stored intent decides, not its
 * state at the time of the question. When the rail does not know the payment, it is asked again, about this one alone.
 * A pending payment that has kept others from its link for too long is called off.
 */
export async function applyAnswer(run: Run, about: AskedAbout, statusAnswer: StatusAnswer): Promise<Applied> {
  const found = await findIntent(run.table, about.tenantId, about.id);
  const intent = found.ok ? found.value : undefined;
  const execution = intent?.executions.at(-1);
  if (intent === undefined || isClaimed(intent) || execution?.executionId !== about.executionId) return "applied";
  // An operator or another worker has ended it since the question was made.
  if (isTerminal(intent.status)) return late(run, about, statusAnswer);
  const answer = await confirmed(run, intent, about.executionId, statusAnswer);
  if (answer.kind === "not_asked") return "rail_missing";
  if (isReceiptNew(execution, answer)) {
    await noteReceipt(run, intent, execution);
    return "applied";
  }
  const transition = decide(run, intent, execution, answer);
  if (transition === undefined) return "applied";
  const { done } = await apply(run, intent, transition, actorOf("rail"));
  if (!done) return late(run, about, answer);
  return transition.move === "loseTrack" ? "lost_track" : "applied";
}

async function late(run: Run, about: AskedAbout, answer: StatusAnswer): Promise<Applied> {
  await recordLateAnswer(run, about, answer);
  return "applied";
}

/** The answer that counts: the rail's own word about this payment alone where it tells the unlikely. */
async function confirmed(run: Run, intent: PaymentIntent, executionId: string, answer: StatusAnswer) {
  if (answer.kind === "not_found") return askForStatus(run, { intent, executionId });
  const isCalledOff = answer.kind === "pending" && (await isHoldOver(run, intent));
  return isCalledOff ? askToCancel(run, { intent, executionId }) : answer;
}

/** Whether a rail's answer tells for the first time that the payer's money came in. */
export const isReceiptNew = ({ receivedAt }: Execution, { kind }: Readonly<{ kind: string }>): boolean =>
  kind === "received" && receivedAt === undefined;

/**
 * Stores, once and with its bookings, that the payer's money came in. It is no change of status and no event. Whoever has
 * changed the intent meanwhile leaves it to the next question.
 */
export async function noteReceipt(run: Run, intent: PaymentIntent, execution: Execution): Promise<void> {
  const updatedAt = changedAt(intent.updatedAt, run.now());
  const received = { ...execution, receivedAt: updatedAt };
  const after = { ...intent, updatedAt, executions: [...intent.executions.slice(0, -1), received] };
  await change(run, { before: intent, after, events: [] }, ledgerActions(run.table, intent, bookReceipt(received)));
}

/** A transition of an executing intent, and its execution after it. */
export type Transition = Readonly<{ move: Outcome; execution: Execution; cause?: string }>;

/** The transition that the rail's answer calls for, if any. */
export function decide(
  run: Run,
  intent: PaymentIntent,
  execution: Execution,
  answer: StatusAnswer,
): Transition | undefined {
  const endedAt = new Date(run.now()).toISOString();
  switch (answer.kind) {
    case "settled":
      return settle(execution, answer.legs, endedAt) ?? overdue(run, intent, execution);
    case "cancelled":
      return {
        move: "cancelExecution",
        execution: { ...execution, status: "cancelled", endedAt, cause: answer.reason },
      };
    case "not_found":
      // The rail contradicts itself: it had accepted this payment.
      return intent.status === "executing" ? { move: "loseTrack", execution, cause: "unknown to the rail" } : undefined;
    case "pending":
    case "received":
    case "unavailable":
      return overdue(run, intent, execution);
  }
}

/** The transition of an execution whose end the rail has not told well past its expected settlement. */
function overdue(run: Run, intent: PaymentIntent, execution: Execution): Transition | undefined {
  const isLate = intent.status === "executing" && isOverdue(intent, 0, run.now(), run.settings);
  return isLate ? { move: "loseTrack", execution, cause: "no final answer in time" } : undefined;
}

/** Every leg settled, every leg failed, or some of each: what cleared is not reversed (SPEC, `partially_completed`). */
function settle(execution: Execution, outcomes: readonly LegOutcome[], endedAt: string): Transition | undefined {
  const byOrder = new Map(outcomes.map((outcome) => [outcome.order, outcome]));
  const legs = execution.legs.map((leg) => {
    const outcome = byOrder.get(leg.order);
    if (outcome === undefined) return leg;
    return { ...leg, status: outcome.outcome, ...(outcome.reason !== undefined && { reason: outcome.reason }) };
  });
  if (legs.some(({ status }) => status === "executing")) return undefined;
  const failed = legs.filter(({ status }) => status === "failed");
  const cause = [...new Set(failed.flatMap(({ reason }) => reason ?? []))].join("; ");
  const [move, status] =
    failed.length === 0
      ? (["complete", "completed"] as const)
      : failed.length === legs.length
        ? (["fail", "failed"] as const)
        : (["completePartly", "partially_completed"] as const);
  return { move, execution: { ...execution, legs, status, endedAt, ...(failed.length > 0 && { cause }) } };
}

/** The author of a transition: of a cancellation, whoever wanted the payment to be called off. */
type Author = Actor<"rail" | "operator" | "caller" | "payer">;

/** Every other end is the rail's, or an operator's in its place, whatever was wanted. That none is told, the service finds. */
export const observerOf = (by: Author, move: Outcome): Actor<"rail" | "operator" | "service"> =>
  by.cause === "operator" ? { ...by, cause: by.cause } : actorOf(move === "loseTrack" ? "service" : "rail");

/** Writes a transition with its bookings; the verdict is "not done" when the intent has changed since it was read. */
export async function apply(
  run: Run,
  intent: PaymentIntent,
  { move, execution, cause }: Transition,
  by: Author,
): Promise<{ done: boolean; after: PaymentIntent }> {
  const nowMs = run.now();
  const to = moves[move].to;
  const event = to === "cancelled" ? { name: to, actor: by } : { name: to, actor: observerOf(by, move) };
  const { cause: kind, name } = event.actor;
  const after = {
    ...moveThrough(intent, [move], kind === "caller" ? name : kind, nowMs),
    executions: [...intent.executions.slice(0, -1), execution],
  };
  const before = intent.executions.at(-1);
  const data = { executionId: execution.executionId, cause: cause ?? execution.cause ?? null, legs: execution.legs };
  for (let tries = 1; ; tries++) {
    const link = await endOfLinkPayment(run, after);
    const isReviewed = link.some(({ label }) => label === REVIEW_LABEL);
    const changed = await change(run, { before: intent, after, events: [{ ...event, data }] }, [
      ...ledgerActions(run.table, intent, before === undefined ? [] : bookProgress(before, execution)),
      ...(await commissionActions(run, after, execution, isReviewed)),
      ...link,
    ]);
    // Another payment has closed the link at the same moment, so that this one is late, or a review has begun or ended:
    // the second try finds it so.
    const isAnew = (label: string) => label === "link" || label === REVIEW_LABEL;
    const isLate = !changed.done && changed.failed.every(isAnew) && tries < TRIES_MAX;
    if (!isLate) return { done: changed.done, after };
  }
}

/** A link is closed only once, so that the second try finds it closed. */
const TRIES_MAX = 2;
