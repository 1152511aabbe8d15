import { isLeased } from "@intents/domain/intents/claim.ts";
import {
  type ClaimedIntent,
  type Execution,
  isClaimed,
  type PaymentIntent,
} from "@intents/domain/intents/payment-intent.ts";
import { orderOf } from "@intents/domain/intents/payment-order.ts";
import { moveIntent } from "@intents/domain/intents/states.ts";
import type { LegOutcome, StatusAnswer } from "@intents/domain/rails/rail.ts";
import { fail, ok } from "@intents/domain/result.ts";
import type { Run } from "../run.ts";
import { apply, decide, type Transition } from "../settle/answer.ts";
import { callOff } from "../settle/call-off.ts";
import { takeOver } from "../submit/claim.ts";
import { commit, paidExecution } from "../submit/commit.ts";
import { finishSubmission } from "../submit/finish.ts";
import { notAccepted } from "../submit/postpone.ts";
import { release } from "../submit/release.ts";
import { cancelBatch, loseTrackOfBatch, planBatch } from "./batch.ts";
import type { Obstacle } from "./obstacle.ts";
import {
  BY_HAND,
  changeByHand,
  findOperated,
  OPERATOR,
  type Operated,
  type Operation,
  operatorOf,
  type Planned,
  type Resolution,
  reread,
} from "./operation.ts";
import { findDoubt, secondsOnItsWay } from "./unpaid.ts";

/** Cancels a draft, or a payment whose cancellation the rail confirms (DESIGN 5). */
export async function cancelIntent(run: Run, operation: Operation): Promise<Operated> {
  const found = await findOperated(run, operation);
  if (!found.ok) return found;
  const intent = found.value;
  if (isClaimed(intent)) return fail({ kind: "submitting" });
  if (moveIntent(intent, "cancelExecution", OPERATOR, run.now()).ok) return callOffPayment(run, intent, operation);

  const cancelled = moveIntent(intent, "cancelDraft", OPERATOR, run.now());
  if (!cancelled.ok) return fail({ kind: "not_cancellable", status: intent.status });
  return changeByHand(run, intent, cancelled.value, operation, "cancelled");
}

async function callOffPayment(run: Run, intent: PaymentIntent, operation: Operation): Promise<Operated> {
  if (intent.bulkProgress !== undefined) return cancelBatch(run, intent, operation);
  const wish = { actor: operatorOf(operation), cause: operation.reason };
  const { answer, written } = await callOff(run, intent, wish);
  if (answer.kind === "not_asked") return fail({ kind: "not_asked", reason: answer.reason });
  if (answer.kind === "received") return fail({ kind: "money_received" });
  if (written === undefined) return fail({ kind: "not_called_off", answer: answer.kind });
  // A sweep may have heard of it first.
  const ended = written.done ? ok(written.after) : await reread(run, intent);
  if (!ended.ok) return ended;
  const { status } = ended.value;
  if (answer.kind === "cancelled") return status === "cancelled" ? ended : fail({ kind: "changed" });
  return fail({ kind: "ended_before", status });
}

/** Marks an executing payment as lost, so that it is looked into and can then be resolved by hand. */
export async function loseTrackOfIntent(run: Run, operation: Operation): Promise<Operated> {
  const found = await findOperated(run, operation);
  if (!found.ok) return found;
  if (found.value.bulkProgress !== undefined) return loseTrackOfBatch(run, operation);
  const lost = moveIntent(found.value, "loseTrack", OPERATOR, run.now());
  if (!lost.ok) return fail({ kind: "not_executing", status: found.value.status });
  return changeByHand(run, found.value, lost.value, operation, "requires_recovery");
}

/** Ends or resumes a payment in `requires_recovery` by what an operator has learned from the rail. */
export async function resolveIntent(run: Run, operation: Operation, resolution: Resolution): Promise<Operated> {
  const planned = await planResolution(run, operation, resolution);
  return planned.ok ? planned.value() : planned;
}

/** Why a payment cannot be resolved so, for whoever is to ask somebody else to agree to it; undefined if it can. */
export async function whyNotResolved(
  run: Run,
  operation: Operation,
  resolution: Resolution,
): Promise<Obstacle | undefined> {
  const planned = await planResolution(run, operation, resolution);
  return planned.ok ? undefined : planned.failure;
}

async function planResolution(run: Run, operation: Operation, resolution: Resolution): Promise<Planned> {
  const found = await findOperated(run, operation);
  if (!found.ok) return found;
  const intent = found.value;
  if (!moveIntent(intent, "resume", OPERATOR, run.now()).ok) {
    return fail({ kind: "not_in_recovery", status: intent.status });
  }
  const isBatch = intent.bulkProgress !== undefined || intent.submission?.work.kind === "bulk";
  if (!isBatch && resolution.as !== "cancelled" && resolution.railPaymentIds?.size) {
    return fail({ kind: "ids_without_batch" });
  }
  if (isClaimed(intent)) return planSubmission(run, intent, operation, resolution);
  if (intent.bulkProgress !== undefined) return planBatch(run, intent, operation, resolution);
  if (resolution.as === "executing" && resolution.railPaymentId !== undefined) {
    return fail({ kind: "id_not_needed" });
  }
  const execution = intent.executions.at(-1);
  if (execution === undefined) throw new Error(`Intent ${intent.id} is ${intent.status} without an execution`);
  if (resolution.as === "executing") {
    // The rail has as much time to answer as if the payment were due now, before the payment counts as lost again.
    const waiting = { ...intent, expectedSettlementMs: run.now() };
    return ok(() => write(run, waiting, { move: "resume", execution }, operation));
  }
  const answer = toAnswer(execution, resolution);
  if (answer === undefined) return fail({ kind: "unknown_order" });
  const decided = decide(run, intent, execution, answer);
  if (decided === undefined) throw new Error("A settlement of all legs was not understood");
  return ok(() => write(run, intent, decided, operation));
}

/** The answer that the rail would have given, had it told what the operator knows; undefined for an unknown order. */
function toAnswer(
  { legs }: Execution,
  resolution: Exclude<Resolution, { as: "executing" }>,
): Extract<StatusAnswer, { kind: "settled" | "cancelled" }> | undefined {
  if (resolution.as === "cancelled") return { kind: "cancelled", reason: BY_HAND };
  const { cleared } = resolution;
  const orders = new Set(legs.map(({ order }) => order));
  if (cleared !== "all" && !cleared.every((order) => orders.has(order))) return undefined;
  const isCleared = (order: number) => cleared === "all" || cleared.includes(order);
  const outcomes = legs.map(
    ({ order }): LegOutcome =>
      isCleared(order) ? { order, outcome: "cleared" } : { order, outcome: "failed", reason: BY_HAND },
  );
  return { kind: "settled", legs: outcomes };
}

/** Plans the end of a claim left open because the rail's acceptance never arrived here. */
function planSubmission(run: Run, claimed: ClaimedIntent, operation: Operation, resolution: Resolution): Planned {
  const { submission } = claimed;
  const { work } = submission;
  if (isLeased(submission, run.now())) return fail({ kind: "submitting" });
  const waitSeconds = secondsOnItsWay(run, { intent: claimed, ...submission });
  if (resolution.as === "cancelled" && work.kind !== "bulk" && waitSeconds > 0) {
    return fail({ kind: "on_its_way", waitSeconds });
  }
  if (work.kind === "bulk" && resolution.as !== "cancelled") {
    return fail({ kind: "batch_never_begun" });
  }
  if (resolution.as === "settled") {
    return fail({ kind: "never_confirmed" });
  }
  if (resolution.as === "executing" && resolution.railPaymentId === undefined) {
    return fail({ kind: "id_needed" });
  }
  return ok(() => endSubmission(run, claimed, operation, resolution));
}

/** Commits or releases a claim, as an operator has learned. */
async function endSubmission(
  run: Run,
  claimed: ClaimedIntent,
  operation: Operation,
  resolution: Exclude<Resolution, { as: "settled" }>,
): Promise<Operated> {
  const { work } = claimed.submission;
  const taken = await takeOver(run, claimed, { actor: operatorOf(operation), cause: operation.reason });
  if (taken === undefined) return fail({ kind: "changed" });
  // The deposit of a batch moves no money, whatever the rail has made of it.
  if (work.kind === "bulk") return released(run, taken);
  if (resolution.as === "cancelled") return releaseUnpaid(run, taken);
  const { railPaymentId = "" } = resolution;
  const accepted = { kind: "accepted", railPaymentId, expectedSettlementMs: run.now() } as const;
  const committed = await commit(run, taken, paidExecution(run, taken, orderOf(taken, work.order), accepted));
  return committed.ok ? reread(run, claimed) : fail({ kind: "changed" });
}

/** Releases a claim that nobody else holds, unless the rail has the payment or does not tell. */
async function releaseUnpaid(run: Run, taken: ClaimedIntent): Promise<Operated> {
  const doubt = await findDoubt(run, { intent: taken, ...taken.submission });
  if (doubt === undefined) return released(run, taken);
  if (doubt.kind === "unavailable") {
    await notAccepted(run, taken, { kind: "unknown", reason: doubt.reason });
    return fail({ kind: "rail_silent", reason: doubt.reason });
  }
  await finishSubmission(run, taken);
  const found = await reread(run, taken);
  return found.ok ? fail({ kind: "rail_has_it", status: found.value.status }) : found;
}

async function released(run: Run, taken: ClaimedIntent): Promise<Operated> {
  const done = await release(run, taken, { kind: "rail_refused", reason: BY_HAND });
  return !done.ok && done.failure.kind === "outcome_unknown" ? fail({ kind: "changed" }) : reread(run, taken);
}

async function write(run: Run, intent: PaymentIntent, decided: Transition, operation: Operation): Promise<Operated> {
  const { done, after } = await apply(run, intent, { ...decided, cause: operation.reason }, operatorOf(operation));
  return done ? ok(after) : fail({ kind: "changed" });
}
