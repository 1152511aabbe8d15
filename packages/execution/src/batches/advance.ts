import { addAmounts, toFixedMinor } from "@intents/domain/amounts/money.ts";
import type { BatchLeg } from "@intents/domain/batches/batch.ts";
import {
  depositedFor,
  endOf,
  isNeeded,
  isOpen,
  isSurplus,
  progressOf,
  watchForLeg,
} from "@intents/domain/batches/leg.ts";
import { isPaused, lateLegs, namedLegs } from "@intents/domain/batches/trouble.ts";
import { changedAt } from "@intents/domain/changed-at.ts";
import { type Actor, actorOf } from "@intents/domain/intents/audit-event.ts";
import type { Execution, PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { moves, moveThrough } from "@intents/domain/intents/states.ts";
import { isTerminal } from "@intents/domain/intents/statuses.ts";
import type { Timer } from "@intents/domain/intents/timer.ts";
import { nextAskMs } from "@intents/domain/polling/points.ts";
import { railKeyOf } from "@intents/domain/rails/description.ts";
import type { StatusAnswer } from "@intents/domain/rails/rail.ts";
import { listLegs } from "@intents/storage/intents/batch-legs.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { moveTimer } from "@intents/storage/polling/timers.ts";
import { chunksOf } from "@intents/storage/table/records.ts";
import { change } from "../change.ts";
import { askForStatuses, findClaimedRail } from "../rails/ask.ts";
import type { Run } from "../run.ts";
import { type Applied, observerOf } from "../settle/answer.ts";
import { depositOf } from "../submit/commit.ts";
import { applyLegAnswer, stepOf, withTroubleNoted, workOn } from "./leg-work.ts";

/** The number of legs that are worked on side by side. */
const SIDE_BY_SIDE = 10;
/** The longest time between two looks at a batch, whatever its legs wait for. */
const WAIT_MAX_MS = 3_600_000;
/** The intent shows at most so many characters of a leg's reason, and at most so many different reasons. */
const REASON_MAX = 80;
const CAUSES_MAX = 10;
/** The legs that are named when their batch is lost track of. */
const NAMED_MAX = 10;

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
  return { intent: found.value, legs };
}

/**
 * Goes on with a batch for as long as `deadlineMs` allows: it pays legs that are not paid yet, asks about those under
 * way, and then sums their outcomes up on the intent once, whatever becomes of the work on any of them. `news`: the
 * orders of legs of which the rail is known to have news.
 */
export async function advanceBatch(
  run: Run,
  owner: PaymentIntent,
  timer: Timer,
  deadlineMs: number,
  news: readonly number[] = [],
): Promise<Applied> {
  const { intent, legs } = await readBatch(run, owner);
  const due = legs.flatMap((leg) => ({ leg, step: stepOf(run, intent, leg) })).filter(({ step }) => step !== undefined);
  const round = openRound(run, intent, deadlineMs);
  const isPaid = await round.work(
    due.filter(({ step }) => step !== "ask"),
    ({ leg, step }) => workOn(run, intent, leg, step),
  );
  const asked = due.filter(({ step }) => step === "ask");
  const isAsked = await round.ask(asked.filter(({ leg }) => news.includes(leg.order)));
  // The others are asked about in time anyway, each by a watch of its own.
  if (isAsked) await round.ask(asked.filter(({ leg }) => !news.includes(leg.order)));
  const now = legs.map((leg) => round.moved.get(leg.order) ?? leg);
  const more = !isPaid || !isAsked;
  const polled = await sumUp(run, { intent, legs: now }, { timer, more, by: actorOf("rail") });
  const [unnoted] = round.unnoted;
  if (unnoted !== undefined) throw unnoted;
  return polled;
}

/** The leg that work is about. */
type Subject = Readonly<{ leg: BatchLeg }>;

/** One delivery's work on the legs of a batch. Each tells whether there was time for all of it. */
function openRound(run: Run, intent: PaymentIntent, deadlineMs: number) {
  const moved = new Map<number, BatchLeg>();
  const unnoted: unknown[] = [];
  const isTime = () => run.now() < deadlineMs;

  async function work<Each extends Subject>(
    all: readonly Each[],
    workOnOne: (each: Each) => Promise<BatchLeg>,
  ): Promise<boolean> {
    for (const some of chunksOf(all, SIDE_BY_SIDE)) {
      if (!isTime()) return false;
      const results = await Promise.allSettled(
        some.map((each) => withTroubleNoted(run, intent, each.leg, () => workOnOne(each))),
      );
      for (const result of results) {
        if (result.status === "rejected") unnoted.push(result.reason);
        else moved.set(result.value.order, result.value);
      }
    }
    return true;
  }

  /**
   * Asks how legs stand, and stores what the rail says of each. It is asked no further once it says nothing of a whole
   * question: it is silent, or stumbles over one of them, which the questions about single legs find out.
   */
  async function ask(all: readonly Subject[]): Promise<boolean> {
    const rail = findClaimedRail(run, intent)?.rail;
    if (rail === undefined) return true;
    const answersAbout = (some: readonly Subject[]) => {
      const keys = some.map(({ leg: { executionId } }) => ({ tenantId: intent.tenantId, executionId }));
      return askForStatuses(run, railKeyOf(rail), keys);
    };
    for (const some of chunksOf(all, rail.questionMax)) {
      if (!isTime()) return false;
      const askedAtMs = run.now();
      const applyAll = (leg: BatchLeg, answer: StatusAnswer | undefined) =>
        answer === undefined ? leg : applyLegAnswer(run, intent, leg, { answer, askedAtMs });
      // A question that breaks before the rail can say anything is put about each leg alone.
      const answers = await answersAbout(some).catch(() => undefined);
      if (answers?.every(({ kind }) => kind === "unavailable") === true) return true;
      const answered = some.map(({ leg }, index) => ({ leg, answer: answers?.[index] }));
      const isDone = await work(answered, async ({ leg, answer }) =>
        applyAll(leg, answers === undefined ? (await answersAbout([{ leg }]))?.[0] : answer),
      );
      if (!isDone) return false;
    }
    return true;
  }

  return { work, ask, moved, unnoted };
}

/** Writes the summary if it has changed, and always the time of the next look. */
export async function sumUp(
  run: Run,
  { intent, legs }: Batch,
  { timer, more, by }: Readonly<{ timer: Timer | undefined; more: boolean; by: Actor<"rail" | "operator"> }>,
): Promise<Applied> {
  // Another worker has summed the batch up to its end.
  if (isTerminal(intent.status)) return "applied";
  const nowMs = run.now();
  const before = intent.executions.at(-1);
  if (before === undefined) throw new Error(`The batch ${intent.id} has no execution`);
  const bulkProgress = progressOf(legs);
  const execution = toExecution(before, legs);
  const late = intent.status === "executing" ? lateLegs(intent, legs, nowMs, run.settings) : [];
  const funded = paidFor(intent, legs);
  // The end waits until all that is owed back is booked.
  const isOwing = legs.some((leg) => isSurplus(leg, funded));
  const move = isOwing ? undefined : (endOf(bulkProgress) ?? (late.length > 0 ? ("loseTrack" as const) : undefined));
  const isMissing = findClaimedRail(run, intent) === undefined;
  const dueAtMs = more || isOwing ? nowMs : nextLookMs(run, intent, legs, nowMs);
  const { tenantId, id } = intent;
  const isSame =
    JSON.stringify([execution, bulkProgress, funded.connectorPayment?.received]) ===
    JSON.stringify([before, intent.bulkProgress, intent.connectorPayment?.received]);
  if (move === undefined && isSame) {
    if (timer !== undefined) await moveTimer(run.table, { tenantId, id, dueAtMs: timer.dueAtMs }, { dueAtMs });
    return isMissing ? "rail_missing" : "applied";
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
  const progress = move === "loseTrack" ? { ...bulkProgress, ...reportLate(run, intent, late) } : bulkProgress;
  const events = move === undefined ? [] : [{ name: moves[move].to, actor: author, data: progress }];
  await change(run, { before: intent, after, events, wakeAtMs: dueAtMs });
  if (isMissing) return "rail_missing";
  return move === "loseTrack" ? "lost_track" : "applied";
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
    .filter((leg) => isOpen(leg) && (watchForLeg(intent, leg) === undefined || isPaused(leg, nowMs)))
    .map(({ waiting, trouble, leaseUntilMs }) => {
      const freeMs = trouble === undefined ? (waiting?.untilMs ?? 0) : Math.max(trouble.retryAtMs, leaseUntilMs);
      return freeMs > nowMs ? freeMs : nextAskMs(pace, nowMs, run.settings);
    });
  return Math.min(...looks, nowMs + WAIT_MAX_MS);
}

/** Names the legs for which a batch is lost track of: in the log, and for the audit entry. */
function reportLate(run: Run, { tenantId, id: intentId }: PaymentIntent, late: readonly BatchLeg[]) {
  const legs = late.slice(0, NAMED_MAX).map(({ order, status }) => ({ order, status }));
  for (const { order } of legs) run.warn?.({ tenantId, intentId, order });
  return { cause: `no final answer in time about ${namedLegs(late, NAMED_MAX)}`, legs };
}

/** Cancelled legs need no deposit. */
const isPaidFor = ({ status }: BatchLeg): boolean => status !== "cancelled";

/**
 * The batch with a deposit for the recipients that are left, and all that came in on it: without one, if none are left and
 * nothing came in.
 */
function paidFor({ connectorPayment, ...intent }: PaymentIntent, legs: readonly BatchLeg[]): PaymentIntent {
  const left = legs.filter(isNeeded);
  const received = depositedFor(legs);
  if (connectorPayment === undefined || (left.length === 0 && received === undefined)) return intent;
  const { transactionBankDetails: bankDetails, dueDate, announced, currency } = connectorPayment;
  const amount = toFixedMinor(addAmounts("0", ...left.map(({ payment }) => payment.totalAmount)), currency);
  const deposit = { ...connectorPayment, amount, legs: left.flatMap(({ payment }) => payment.legs) };
  return {
    ...intent,
    connectorPayment: {
      ...(left.length === legs.length ? connectorPayment : depositOf(deposit, { bankDetails, dueDate })),
      ...(announced !== undefined && { announced }),
      ...(received !== undefined && { received }),
    },
  };
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
