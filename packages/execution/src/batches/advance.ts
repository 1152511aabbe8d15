import { addAmounts } from "@intents/domain/amounts/money.ts";
import type { BatchLeg } from "@intents/domain/batches/batch.ts";
import {
  afterExecute,
  afterStatus,
  asTaken,
  claimLeg,
  endLeg,
  endOf,
  holdLeg,
  isOpen,
  nextStep,
  progressOf,
  watchForLeg,
} from "@intents/domain/batches/leg.ts";
import { changedAt } from "@intents/domain/changed-at.ts";
import { type Actor, actorOf } from "@intents/domain/intents/audit-event.ts";
import type { Execution, PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { nextAskMs } from "@intents/domain/intents/points.ts";
import { moves, moveThrough, type Outcome } from "@intents/domain/intents/states.ts";
import { isTerminal } from "@intents/domain/intents/statuses.ts";
import type { Timer } from "@intents/domain/intents/timer.ts";
import { railKeyOf } from "@intents/domain/rails/description.ts";
import type { StatusAnswer } from "@intents/domain/rails/rail.ts";
import { listLegs, replaceLeg } from "@intents/storage/intents/batch-legs.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { moveTimer } from "@intents/storage/intents/timers.ts";
import { change } from "../change.ts";
import { askForStatuses, askToExecute, findClaimedRail, isForgotten } from "../rails/ask.ts";
import { recordLateAcceptance, recordLateAnswer } from "../rails/late-words.ts";
import { placeOf, type Run } from "../run.ts";
import { observerOf, type Polled } from "../settle/poll.ts";
import { depositOf } from "../submit/commit.ts";

/** The number of legs that are worked on side by side. */
const SIDE_BY_SIDE = 10;
/** The longest time between two looks at a batch, whatever its legs wait for. */
const WAIT_MAX_MS = 3_600_000;
/** The intent shows at most so many characters of a leg's reason, and at most so many different reasons. */
const REASON_MAX = 80;
const CAUSES_MAX = 10;

/** A batch with its legs. */
export type Batch = Readonly<{ intent: PaymentIntent; legs: readonly BatchLeg[] }>;

/**
 * Reads the legs first and the intent after them. Stopping a batch writes the intent first, and then every leg that is
 * not sent. So a leg that this read took for unsent is either still written by the stop, which makes its claim fail, or
 * the intent that was read already tells of the stop.
 */
export async function readBatch(run: Run, owner: Pick<PaymentIntent, "tenantId" | "id">): Promise<Batch> {
  const legs = await listLegs(run.table, owner);
  const found = await findIntent(run.table, owner.tenantId, owner.id);
  if (!found.ok) throw new Error(`The batch ${owner.id} does not exist`);
  const intent = found.value;
  const startedAtMs = Date.parse(intent.executions.at(-1)?.startedAt ?? intent.updatedAt);
  return { intent, legs: legs.map((leg) => asTaken(leg, startedAtMs)) };
}

/**
 * Goes on with a batch for as long as `deadlineMs` allows: it pays legs that are not paid yet, asks about those under
 * way, and then sums their outcomes up on the intent once.
 */
export async function advanceBatch(run: Run, owner: PaymentIntent, timer: Timer, deadlineMs: number): Promise<Polled> {
  const { intent, legs } = await readBatch(run, owner);
  const due = legs.flatMap((leg) => ({ leg, step: stepOf(run, intent, leg) })).filter(({ step }) => step !== undefined);
  const isAsked = ({ step }: (typeof due)[number]) => step === "ask";
  const moved = new Map<number, BatchLeg>();
  let worked = 0;
  const work = async (to: readonly (() => Promise<BatchLeg>)[]) => {
    for (let start = 0; start < to.length && run.now() < deadlineMs; start += SIDE_BY_SIDE) {
      const some = to.slice(start, start + SIDE_BY_SIDE);
      const results = await Promise.allSettled(some.map((each) => each()));
      worked += some.length;
      // A fault at one leg must not keep the others from being finished.
      for (const result of results) {
        if (result.status === "rejected") throw result.reason;
        moved.set(result.value.order, result.value);
      }
    }
  };
  await work(
    due
      .filter((each) => !isAsked(each))
      .map(
        ({ leg, step }) =>
          () =>
            workOn(run, intent, leg, step),
      ),
  );
  const asked = due.filter(isAsked).map(({ leg }) => leg);
  if (asked.length > 0 && run.now() < deadlineMs) {
    const askedAtMs = run.now();
    const answers = await askAbout(run, intent, asked);
    await work(asked.map((leg, index) => () => heedAnswer(run, intent, leg, { answer: answers?.[index], askedAtMs })));
  }
  const now = legs.map((leg) => moved.get(leg.order) ?? leg);
  return sumUp(run, { intent, legs: now }, { timer, more: worked < due.length, by: actorOf("rail") });
}

/** The next step of a leg. A person has to look into a leg that the rail may have forgotten. */
function stepOf(run: Run, intent: PaymentIntent, leg: BatchLeg): ReturnType<typeof nextStep> {
  const step = nextStep(leg, intent, run.now());
  const { claimedAtMs } = leg;
  const isPast = step === "pay" && claimedAtMs !== undefined && isForgotten(run, { intent, claimedAtMs });
  return isPast ? undefined : step;
}

async function workOn(
  run: Run,
  intent: PaymentIntent,
  leg: BatchLeg,
  step: ReturnType<typeof nextStep>,
): Promise<BatchLeg> {
  if (step === "pay") return payLeg(run, intent, leg);
  const nowMs = run.now();
  const after =
    step === "hold"
      ? holdLeg(leg, intent)
      : endLeg(leg, "cancelled", { atMs: nowMs, by: "operator" }, "called off before it was paid");
  return (await writeLeg(run, intent, leg, after, nowMs)) ? after : leg;
}

/** Writes a leg as it is now, unless another worker has changed it since it was read. */
export const writeLeg = (
  run: Run,
  intent: PaymentIntent,
  before: BatchLeg,
  after: BatchLeg,
  nowMs = run.now(),
): Promise<boolean> =>
  replaceLeg(run.table, intent, before, after, { at: new Date(nowMs).toISOString(), place: placeOf(run, intent) });

/** Claims a leg, asks the rail with the leg's own executionId, and stores its answer. */
async function payLeg(run: Run, intent: PaymentIntent, leg: BatchLeg): Promise<BatchLeg> {
  const claimed = claimLeg(leg, run.now(), run.settings.leaseMs);
  if (!(await writeLeg(run, intent, leg, claimed))) return leg;
  const { executionId, order, payment, claimedAtMs = run.now() } = claimed;
  const answer = await askToExecute(run, { intent, executionId, claimedAtMs }, payment);
  // A question that was not put to a rail did not arrive there.
  const heard = answer.kind === "not_asked" ? ({ kind: "unreachable", reason: answer.reason } as const) : answer;
  const heardMs = run.now();
  const paid = afterExecute(leg, claimed, heard, heardMs);
  if (await writeLeg(run, intent, claimed, paid, heardMs)) return paid;
  const { tenantId, id } = intent;
  if (heard.kind === "accepted") await recordLateAcceptance(run, { tenantId, id, executionId, order });
  return leg;
}

/** Asks how legs stand; undefined where their rail is not configured. */
async function askAbout(run: Run, intent: PaymentIntent, legs: readonly BatchLeg[]) {
  const rail = findClaimedRail(run, intent)?.rail;
  const asked = legs.map(({ executionId }) => ({ tenantId: intent.tenantId, executionId }));
  return rail && askForStatuses(run, railKeyOf(rail), asked);
}

/** Stores the end of a leg, if the rail tells it, and makes a leg of an earlier version watched. */
async function heedAnswer(
  run: Run,
  intent: PaymentIntent,
  leg: BatchLeg,
  { answer, askedAtMs }: Readonly<{ answer: StatusAnswer | undefined; askedAtMs: number }>,
): Promise<BatchLeg> {
  const { executionId, order } = leg;
  const nowMs = run.now();
  const ended = answer && afterStatus(leg, answer, nowMs);
  if (answer === undefined || ended === undefined) return watched(run, intent, leg);
  if (await writeLeg(run, intent, leg, ended, nowMs)) return ended;
  const { tenantId, id } = intent;
  await recordLateAnswer(run, { tenantId, id, executionId, order, askedAtMs }, answer);
  return leg;
}

async function watched(run: Run, intent: PaymentIntent, leg: BatchLeg): Promise<BatchLeg> {
  if (leg.acceptedAtMs !== undefined) return leg;
  const after = { ...leg, acceptedAtMs: leg.claimedAtMs ?? run.now(), attempt: leg.attempt + 1 };
  return (await writeLeg(run, intent, leg, after)) ? after : leg;
}

/** Writes the summary if it has changed, and always the time of the next look. */
export async function sumUp(
  run: Run,
  { intent, legs }: Batch,
  { timer, more, by }: Readonly<{ timer: Timer | undefined; more: boolean; by: Actor<"rail" | "operator"> }>,
): Promise<Polled> {
  // Another worker has summed the batch up to its end.
  if (isTerminal(intent.status)) return "polled";
  const nowMs = run.now();
  const before = intent.executions.at(-1);
  if (before === undefined) throw new Error(`The batch ${intent.id} has no execution`);
  const bulkProgress = progressOf(legs);
  const execution = toExecution(before, legs);
  const move = endOf(bulkProgress) ?? overdue(run, intent, legs, nowMs);
  const isMissing = findClaimedRail(run, intent) === undefined;
  const dueAtMs = more ? nowMs : nextLookMs(run, intent, legs, nowMs);
  const { tenantId, id } = intent;
  const isSame = JSON.stringify([execution, bulkProgress]) === JSON.stringify([before, intent.bulkProgress]);
  if (move === undefined && isSame) {
    if (timer !== undefined) await moveTimer(run.table, { tenantId, id, dueAtMs: timer.dueAtMs }, { dueAtMs });
    return isMissing ? "rail_missing" : "polled";
  }
  const author = move === undefined ? by : observerOf(by, move);
  const moved = move === undefined ? intent : moveThrough(intent, [move], author.cause, nowMs);
  const status =
    move === undefined || move === "loseTrack" ? ("executing" as const) : (moved.status as Execution["status"]);
  const ended = status === "executing" ? {} : { endedAt: new Date(nowMs).toISOString() };
  const after: PaymentIntent = {
    ...paidFor(moved, legs),
    updatedAt: changedAt(intent.updatedAt, nowMs),
    bulkProgress,
    executions: [...intent.executions.slice(0, -1), { ...execution, status, ...ended }],
    ...(execution.connectorPaymentIds.length > 0 && {
      lastConnectorPaymentId: execution.connectorPaymentIds.at(-1) ?? 0,
    }),
  };
  const events = move === undefined ? [] : [{ name: moves[move].to, actor: author, data: bulkProgress }];
  await change(run, { before: intent, after, events, wakeAtMs: dueAtMs });
  if (isMissing) return "rail_missing";
  return move === "loseTrack" ? "lost_track" : "polled";
}

/**
 * The time of the next look: the usual pace decides, unless the end of a rail's window is all that is left to wait for.
 * Legs that wait for the rail's word have watches of their own, which wake the batch; it looks at them by itself only in
 * case that a worker has died which ended a leg and came too late to sum it up.
 */
function nextLookMs(run: Run, intent: PaymentIntent, legs: readonly BatchLeg[], nowMs: number): number {
  const { executionId, startedAt } = intent.executions.at(-1) ?? { executionId: "", startedAt: intent.updatedAt };
  const pace = { executionId, seed: intent.id, startedMs: Date.parse(startedAt), isCheckout: false, isHolding: false };
  const looks = legs
    .filter((leg) => isOpen(leg) && watchForLeg(intent, leg) === undefined)
    .map(({ waiting }) =>
      waiting !== undefined && waiting.untilMs > nowMs ? waiting.untilMs : nextAskMs(pace, nowMs, run.settings),
    );
  return Math.min(...looks, nowMs + WAIT_MAX_MS);
}

/** A batch counts as lost when a leg that the rail was asked to pay has been silent for too long. */
function overdue(run: Run, intent: PaymentIntent, legs: readonly BatchLeg[], nowMs: number): Outcome | undefined {
  const isHeld = intent.stopped?.how === "held";
  const late = legs.some(({ status, triedAtMs, claimedAtMs, waiting, expectedSettlementMs }) => {
    // A leg that waits for the end of the rail's window has been answered, and a held leg is not asked about.
    const isSilent = claimedAtMs !== undefined || (triedAtMs !== undefined && waiting === undefined);
    const isAsked = status === "executing" || (status === "pending" && isSilent && !isHeld);
    const since = expectedSettlementMs ?? claimedAtMs ?? triedAtMs ?? 0;
    // A batch that an operator resumes has as much time again, with all its legs.
    const dueMs = Math.max(since, intent.expectedSettlementMs ?? 0);
    return isAsked && nowMs > dueMs + run.settings.recoveryAfterMs;
  });
  return intent.status === "executing" && late ? "loseTrack" : undefined;
}

/** Cancelled legs need no deposit. */
const isPaidFor = ({ status }: BatchLeg): boolean => status !== "cancelled";

/** The batch with a deposit for the recipients that are left: without one, if all of them are cancelled. */
function paidFor({ connectorPayment, ...intent }: PaymentIntent, legs: readonly BatchLeg[]): PaymentIntent {
  const left = legs.filter(isPaidFor);
  if (connectorPayment === undefined || left.length === 0) return intent;
  if (left.length === legs.length) return { ...intent, connectorPayment };
  const amount = addAmounts(...left.map(({ payment }) => payment.totalAmount));
  const deposit = { ...connectorPayment, amount, legs: left.flatMap(({ payment }) => payment.legs) };
  const { transactionBankDetails: bankDetails, dueDate } = connectorPayment;
  return { ...intent, connectorPayment: depositOf(deposit, { bankDetails, dueDate }) };
}

function toExecution(execution: Execution, legs: readonly BatchLeg[]): Execution {
  const accepted = legs.filter(({ railPaymentId }) => railPaymentId !== undefined);
  const failed = legs.filter(({ status }) => status === "failed");
  const causes = [...new Set(failed.map(({ reason = "failed" }) => reason.slice(0, REASON_MAX)))];
  return {
    ...execution,
    connectorPaymentIds: accepted.map(({ payment }) => payment.connectorPaymentId),
    fee: addAmounts("0", ...legs.filter(isPaidFor).map(({ payment }) => payment.fee)),
    legs: [],
    ...(failed.length > 0 && { cause: causes.slice(0, CAUSES_MAX).join("; ") }),
  };
}
