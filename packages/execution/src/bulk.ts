import { type BulkLeg, endOf, progressOf, toBooked } from "@intents/domain/bulk.ts";
import type { ExecuteAnswer, StatusAnswer } from "@intents/domain/connector.ts";
import { advance, isTerminal, type MoveName } from "@intents/domain/intent-states.ts";
import { bookAcceptance, bookProgress } from "@intents/domain/ledger.ts";
import type { Execution, ExecutionLeg, PaymentIntent } from "@intents/domain/payment-intent.ts";
import { nextPollMs, timerFor } from "@intents/domain/timer.ts";
import { listLegs, replaceLeg } from "@intents/storage/bulk-legs.ts";
import { changeIntent } from "@intents/storage/intents.ts";
import { findTimer, moveTimer, type StoredTimer } from "@intents/storage/timers.ts";
import type { Polled } from "./poll.ts";
import type { Run } from "./run.ts";

/** How many legs are worked on side by side. */
const SIDE_BY_SIDE = 10;
/** Characters of a leg's reason, and different reasons, that the intent shows. */
const REASON_MAX = 80;
const CAUSES_MAX = 10;

/**
 * Goes on with a batch for as long as `deadlineMs` allows: legs that nobody has paid yet are paid, those under way are
 * asked for, and what came of it is summed up on the intent once.
 */
export async function advanceBulk(
  run: Run,
  intent: PaymentIntent,
  timer: StoredTimer,
  deadlineMs: number,
): Promise<Polled> {
  // Who comes late with a timer of before finds the batch at its end.
  if (isTerminal(intent.status)) return "polled";
  const legs = await listLegs(run.table, intent);
  const open = legs.filter(({ status }) => status === "pending" || status === "executing");
  // Paying comes before asking; a leg that somebody else holds is left alone.
  const due = open
    .filter((leg) => leg.leaseUntilMs <= run.now())
    .toSorted((left, right) => Number(left.status === "executing") - Number(right.status === "executing"));
  const moved = new Map<number, BulkLeg>();
  let worked = 0;
  for (; worked < due.length && run.now() < deadlineMs; worked += SIDE_BY_SIDE) {
    const results = await Promise.all(
      due.slice(worked, worked + SIDE_BY_SIDE).map((leg) => advanceLeg(run, intent, leg)),
    );
    for (const leg of results) moved.set(leg.order, leg);
  }
  const now = legs.map((leg) => moved.get(leg.order) ?? leg);
  return sumUp(run, intent, timer, now, worked < due.length);
}

async function advanceLeg(run: Run, intent: PaymentIntent, leg: BulkLeg): Promise<BulkLeg> {
  return leg.status === "pending" ? payLeg(run, intent, leg) : pollLeg(run, intent, leg);
}

/** Claims a leg, asks the rail with the leg's own executionId, and writes down what it said. */
async function payLeg(run: Run, intent: PaymentIntent, leg: BulkLeg): Promise<BulkLeg> {
  const claimed = { ...leg, attempt: leg.attempt + 1, leaseUntilMs: run.now() + run.settings.leaseMs };
  if (!(await replaceLeg(run.table, intent, leg, claimed))) return leg;
  const answer = await run.connector.execute(claimed.payment, claimed.executionId);
  const paid = { ...claimed, ...toLeg(answer), leaseUntilMs: 0 };
  const entries = paid.status === "executing" ? bookAcceptance(toBooked(intent, paid, timeOf(run))) : [];
  return (await replaceLeg(run.table, intent, claimed, paid, entries)) ? paid : leg;
}

function toLeg(answer: ExecuteAnswer): Partial<BulkLeg> {
  switch (answer.kind) {
    case "accepted":
      return {
        status: "executing",
        railPaymentId: answer.railPaymentId,
        expectedSettlementMs: answer.expectedSettlementMs,
      };
    case "duplicate":
      return { status: "failed", reason: "the connector found a duplicate transaction" };
    case "refused":
      return { status: "failed", reason: answer.reason };
    case "unreachable":
    case "unknown":
      // Asked again with the same executionId, which the rail takes once only.
      return { status: "pending", reason: answer.reason };
  }
}

async function pollLeg(run: Run, intent: PaymentIntent, leg: BulkLeg): Promise<BulkLeg> {
  return endLeg(run, intent, leg, await run.connector.status(intent.tenantId, leg.executionId));
}

async function endLeg(run: Run, intent: PaymentIntent, leg: BulkLeg, answer: StatusAnswer): Promise<BulkLeg> {
  const change = toEnd(leg, answer);
  if (change === undefined) return leg;
  const ended = { ...leg, ...change, attempt: leg.attempt + 1 };
  const at = timeOf(run);
  const entries = bookProgress(toBooked(intent, leg, at), toBooked(intent, ended, at));
  return (await replaceLeg(run.table, intent, leg, ended, entries)) ? ended : leg;
}

const timeOf = ({ now }: Run): string => new Date(now()).toISOString();

/** Ends the legs that are still open as an operator has learned that they ended, and sums the batch up. */
export async function resolveLegs(
  run: Run,
  intent: PaymentIntent,
  answer: Extract<StatusAnswer, { kind: "settled" }>,
): Promise<void> {
  const legs = await listLegs(run.table, intent);
  for (const leg of legs.filter(({ status }) => status === "pending" || status === "executing")) {
    await endLeg(run, intent, leg, answer);
  }
  const timer = await findTimer(run.table, intent.tenantId, intent.id);
  if (timer !== undefined) await sumUp(run, intent, timer, await listLegs(run.table, intent), false);
}

/** How a leg ended; a rail that does not name the leg has said nothing about it. */
function toEnd({ order }: BulkLeg, answer: StatusAnswer): Pick<BulkLeg, "status" | "reason"> | undefined {
  if (answer.kind === "cancelled") return { status: "failed", reason: answer.reason };
  const ended = answer.kind === "settled" ? answer.legs.find((leg) => leg.order === order) : undefined;
  if (ended === undefined) return undefined;
  return ended.outcome === "cleared" ? { status: "cleared" } : { status: "failed", reason: ended.reason ?? "failed" };
}

/** Writes the summary when it has changed, and the next time to look in any case. */
async function sumUp(
  run: Run,
  intent: PaymentIntent,
  timer: StoredTimer,
  legs: readonly BulkLeg[],
  more: boolean,
): Promise<Polled> {
  const nowMs = run.now();
  const before = intent.executions.at(-1);
  if (before === undefined) throw new Error(`The batch ${intent.id} has no execution`);
  const bulkProgress = progressOf(legs);
  const execution = toExecution(before, legs);
  const move = endOf(bulkProgress) ?? overdue(run, intent, legs, nowMs);
  const dueAtMs = more ? nowMs : nextPollMs(intent, run.settings, nowMs, 0);
  const { tenantId, id: intentId } = intent;
  if (move === undefined && JSON.stringify(execution) === JSON.stringify(before)) {
    await moveTimer(run.table, { tenantId, intentId, dueAtMs: timer.dueAtMs }, { dueAtMs, failures: 0 });
    return "polled";
  }
  const moved = move === undefined ? intent : end(intent, move, nowMs);
  const status =
    move === undefined || move === "loseTrack" ? ("executing" as const) : (moved.status as Execution["status"]);
  const ended = status === "executing" ? {} : { endedAt: new Date(nowMs).toISOString() };
  const after: PaymentIntent = {
    ...moved,
    updatedAt: new Date(nowMs).toISOString(),
    bulkProgress,
    executions: [...intent.executions.slice(0, -1), { ...execution, status, ...ended }],
    ...(execution.connectorPaymentIds.length > 0 && {
      lastConnectorPaymentId: execution.connectorPaymentIds.at(-1) ?? 0,
    }),
  };
  const settled = timerFor(after, run.settings, nowMs);
  await changeIntent(run.table, {
    guard: { kind: "unchanged", before: intent },
    after,
    timer: settled === undefined ? undefined : { kind: "poll", dueAtMs },
    shards: run.settings.timerShards,
    events:
      move === undefined
        ? []
        : [{ event: `paymentIntent.${after.status}`, actor: "rail", at: after.updatedAt, data: bulkProgress }],
  });
  return move === "loseTrack" ? "lost_track" : "polled";
}

function end(intent: PaymentIntent, move: MoveName, nowMs: number): PaymentIntent {
  const moved = advance(intent, move, "rail", nowMs);
  return moved.ok ? moved.value : intent;
}

/** A batch is lost track of when a leg that the rail was asked to pay has been silent for too long. */
function overdue(run: Run, intent: PaymentIntent, legs: readonly BulkLeg[], nowMs: number): MoveName | undefined {
  const startedAtMs = Date.parse(intent.executions.at(-1)?.startedAt ?? intent.updatedAt);
  const late = legs.some(({ status, attempt, expectedSettlementMs = startedAtMs }) => {
    const isAsked = status === "executing" || (status === "pending" && attempt > 0);
    // An operator who resumes a batch gives all of it another while.
    const dueMs = Math.max(expectedSettlementMs, intent.expectedSettlementMs ?? 0);
    return isAsked && nowMs > dueMs + run.settings.recoveryAfterMs;
  });
  return intent.status === "executing" && late ? "loseTrack" : undefined;
}

function toExecution(execution: Execution, legs: readonly BulkLeg[]): Execution {
  const accepted = legs.filter(({ railPaymentId }) => railPaymentId !== undefined);
  const failed = legs.filter(({ status }) => status === "failed");
  const byOrder = new Map(legs.map((leg) => [leg.order, leg]));
  const causes = [...new Set(failed.map(({ reason = "failed" }) => shorten(reason)))];
  return {
    ...execution,
    connectorPaymentIds: accepted.map(({ payment }) => payment.connectorPaymentId),
    legs: execution.legs.map((leg): ExecutionLeg => {
      const { status = "pending", reason } = byOrder.get(leg.order) ?? {};
      if (status === "pending" || status === "executing") return leg;
      return { ...leg, status, ...(status === "failed" && reason !== undefined && { reason: shorten(reason) }) };
    }),
    ...(failed.length > 0 && { cause: causes.slice(0, CAUSES_MAX).join("; ") }),
  };
}

/** The intent is one item, which must hold the reasons of 500 legs; a leg of its own keeps all of it (H11). */
const shorten = (reason: string): string => reason.slice(0, REASON_MAX);
