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
import {
  BY_HAND,
  CHANGED,
  changeByHand,
  findOperated,
  OPERATOR,
  type Operated,
  type Operation,
  operatorOf,
  type Planned,
  type Resolution,
  reread,
  SUBMITTING,
} from "./operation.ts";
import { findDoubt, secondsOnItsWay } from "./unpaid.ts";

/** Cancels a draft, or a payment whose cancellation the rail confirms (DESIGN 5). */
export async function cancelIntent(run: Run, operation: Operation): Promise<Operated> {
  const found = await findOperated(run, operation);
  if (!found.ok) return found;
  const intent = found.value;
  if (isClaimed(intent)) return fail(SUBMITTING);
  if (moveIntent(intent, "cancelExecution", OPERATOR, run.now()).ok) return callOffPayment(run, intent, operation);

  const cancelled = moveIntent(intent, "cancelDraft", OPERATOR, run.now());
  if (!cancelled.ok) return fail(`The intent is ${intent.status}, which cannot be cancelled`);
  return changeByHand(run, intent, cancelled.value, operation, "cancelled");
}

async function callOffPayment(run: Run, intent: PaymentIntent, operation: Operation): Promise<Operated> {
  if (intent.bulkProgress !== undefined) return cancelBatch(run, intent, operation);
  const wish = { actor: operatorOf(operation), cause: operation.reason };
  const { answer, written } = await callOff(run, intent, wish);
  if (answer.kind === "not_asked") return fail(`The rail was not asked: ${answer.reason}`);
  if (answer.kind === "received")
    return fail("The payer's money came in, and the rail did not call the payment off: ask the rail to return it");
  if (written === undefined) return fail(`The rail did not call the payment off: it says "${answer.kind}"`);
  // A sweep may have heard of it first.
  const ended = written.done ? ok(written.after) : await reread(run, intent);
  if (!ended.ok) return ended;
  const { status } = ended.value;
  if (answer.kind === "cancelled") return status === "cancelled" ? ended : fail(CHANGED);
  return fail(`The rail had already finished the payment: the intent is ${status} now`);
}

/** Marks an executing payment as lost, so that it is looked into and can then be resolved by hand. */
export async function loseTrackOfIntent(run: Run, operation: Operation): Promise<Operated> {
  const found = await findOperated(run, operation);
  if (!found.ok) return found;
  if (found.value.bulkProgress !== undefined) return loseTrackOfBatch(run, operation);
  const lost = moveIntent(found.value, "loseTrack", OPERATOR, run.now());
  if (!lost.ok) return fail(`The intent is ${found.value.status}: only an executing one can be lost track of`);
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
): Promise<string | undefined> {
  const planned = await planResolution(run, operation, resolution);
  return planned.ok ? undefined : planned.failure;
}

async function planResolution(run: Run, operation: Operation, resolution: Resolution): Promise<Planned> {
  const found = await findOperated(run, operation);
  if (!found.ok) return found;
  const intent = found.value;
  if (!moveIntent(intent, "resume", OPERATOR, run.now()).ok) {
    return fail(`The intent is ${intent.status}: only one in requires_recovery can be resolved`);
  }
  const isBatch = intent.bulkProgress !== undefined || intent.submission?.work.kind === "bulk";
  if (!isBatch && resolution.as !== "cancelled" && resolution.railPaymentIds?.size) {
    return fail("The intent is no batch, whose recipients alone have ids by their order");
  }
  if (isClaimed(intent)) return planSubmission(run, intent, operation, resolution);
  if (intent.bulkProgress !== undefined) return planBatch(run, intent, operation, resolution);
  if (resolution.as === "executing" && resolution.railPaymentId !== undefined) {
    return fail("The rail has told its own id of this payment: none is needed");
  }
  const execution = intent.executions.at(-1);
  if (execution === undefined) throw new Error(`Intent ${intent.id} is ${intent.status} without an execution`);
  if (resolution.as === "executing") {
    // The rail has as much time to answer as if the payment were due now, before the payment counts as lost again.
    const waiting = { ...intent, expectedSettlementMs: run.now() };
    return ok(() => write(run, waiting, { move: "resume", execution }, operation));
  }
  const answer = toAnswer(execution, resolution);
  if (answer === undefined) return fail("The intent has no recipient with one of these orders");
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
  if (isLeased(submission, run.now())) return fail(SUBMITTING);
  const waitSeconds = secondsOnItsWay(run, { intent: claimed, ...submission });
  if (resolution.as === "cancelled" && work.kind !== "bulk" && waitSeconds > 0) {
    return fail(`The rail was asked to pay a moment ago: try again in ${waitSeconds} seconds`);
  }
  if (work.kind === "bulk" && resolution.as !== "cancelled") {
    return fail("The batch was never begun: it goes on by itself once the rail answers, or is resolved as cancelled");
  }
  if (resolution.as === "settled") {
    return fail("The rail never confirmed this payment: resolve it as executing or as cancelled first");
  }
  if (resolution.as === "executing" && resolution.railPaymentId === undefined) {
    return fail("The rail never confirmed this payment: its own id of the payment is needed");
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
  if (taken === undefined) return fail(CHANGED);
  // The deposit of a batch moves no money, whatever the rail has made of it.
  if (work.kind === "bulk") return released(run, taken);
  if (resolution.as === "cancelled") return releaseUnpaid(run, taken);
  const { railPaymentId = "" } = resolution;
  const accepted = { kind: "accepted", railPaymentId, expectedSettlementMs: run.now() } as const;
  const committed = await commit(run, taken, paidExecution(run, taken, orderOf(taken, work.order), accepted));
  return committed.ok ? reread(run, claimed) : fail(CHANGED);
}

/** Releases a claim that nobody else holds, unless the rail has the payment or does not tell. */
async function releaseUnpaid(run: Run, taken: ClaimedIntent): Promise<Operated> {
  const doubt = await findDoubt(run, { intent: taken, ...taken.submission });
  if (doubt === undefined) return released(run, taken);
  if (doubt.kind === "unavailable") {
    await notAccepted(run, taken, { kind: "unknown", reason: doubt.reason });
    return fail(`The rail does not tell whether it has the payment: ${doubt.reason}. Try again once it answers`);
  }
  await finishSubmission(run, taken);
  const found = await reread(run, taken);
  return found.ok ? fail(`The rail has the payment: the intent is ${found.value.status} now`) : found;
}

async function released(run: Run, taken: ClaimedIntent): Promise<Operated> {
  const done = await release(run, taken, { kind: "rail_refused", reason: BY_HAND });
  return !done.ok && done.failure.kind === "outcome_unknown" ? fail(CHANGED) : reread(run, taken);
}

async function write(run: Run, intent: PaymentIntent, decided: Transition, operation: Operation): Promise<Operated> {
  const { done, after } = await apply(run, intent, { ...decided, cause: operation.reason }, operatorOf(operation));
  return done ? ok(after) : fail(CHANGED);
}
