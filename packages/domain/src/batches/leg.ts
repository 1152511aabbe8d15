import { isLeased, takeClaim } from "../intents/claim.ts";
import type { LegStatus } from "../intents/leg-status.ts";
import type { BatchProgress, PaymentIntent } from "../intents/payment-intent.ts";
import type { Outcome } from "../intents/states.ts";
import type { Watch } from "../polling/watch.ts";
import type { ExecuteAnswer, StatusAnswer } from "../rails/rail.ts";
import type { BatchLeg, LegEnd } from "./batch.ts";
import { isPaused } from "./trouble.ts";

/** How long a leg waits for the rail's duplicate window to end: in all, and each time where the rail tells no end. */
export const DUPLICATE_WAIT_MAX_MS = 24 * 3_600_000;
const DUPLICATE_WAIT_MS = 15 * 60_000;

/** Whether a leg has not ended yet. */
export const isOpen = ({ status }: BatchLeg): boolean => status === "pending" || status === "executing";

/** Whether the rail provably knows nothing of a leg, so that calling it off needs nobody's consent. */
export const isUnsent = ({ status, claimedAtMs }: BatchLeg): boolean =>
  status === "pending" && claimedAtMs === undefined;

/**
 * How a leg stands, as callers are shown it and told of it: by its record alone, so that nothing changes it that is not a
 * change of the record. A wait ends when the leg is tried again, and a hold when the leg itself is let go.
 */
export function legStatus({ status, held, waiting }: BatchLeg): LegStatus {
  if (status !== "pending") return status;
  if (held === true) return "held";
  return waiting !== undefined && waiting.untilMs > 0 ? "waiting" : "pending";
}

/** The date of the last change of a leg's standing, which begins with its batch. */
export function legStatusSinceMs(
  { statusHistory }: Pick<PaymentIntent, "statusHistory">,
  { toldAtMs = 0, acceptedAtMs = 0, ended }: BatchLeg,
): number {
  const begunAt = statusHistory.find(({ status }) => status === "executing")?.at ?? 0;
  return Math.max(new Date(begunAt).getTime(), toldAtMs, acceptedAtMs, ended?.atMs ?? 0);
}

/** The leg with the date of a change of its standing: not before the last one, whatever the clocks of its workers say. */
export function datedLeg(
  batch: Pick<PaymentIntent, "statusHistory">,
  before: BatchLeg,
  after: BatchLeg,
  nowMs: number,
): BatchLeg {
  if (legStatus(before) === legStatus(after)) return after;
  const { toldAtMs: _last, ...leg } = after;
  const atMs = Math.max(nowMs, legStatusSinceMs(batch, before));
  return legStatusSinceMs(batch, leg) === atMs ? leg : { ...leg, toldAtMs: atMs };
}

/** Whether the leg is held although its batch is not, or is not although its batch is. */
const isContradicted = ({ held }: BatchLeg, { stopped }: Pick<PaymentIntent, "stopped">): boolean =>
  (held === true) !== (stopped?.how === "held");

/** The leg as its batch is: held, or let go. */
export function holdLeg({ held: _held, ...leg }: BatchLeg, { stopped }: Pick<PaymentIntent, "stopped">): BatchLeg {
  return { ...leg, attempt: leg.attempt + 1, ...(stopped?.how === "held" && { held: true }) };
}

/** The watch of a leg that the rail has accepted, while the rail has the last word about it. */
export function watchForLeg(batch: Pick<PaymentIntent, "id">, leg: BatchLeg): Watch | undefined {
  const { status, executionId, acceptedAtMs, expectedSettlementMs } = leg;
  if (status !== "executing" || acceptedAtMs === undefined) return undefined;
  return {
    executionId,
    seed: batch.id,
    startedMs: acceptedAtMs,
    isCheckout: false,
    isHolding: false,
    expectedMs: expectedSettlementMs ?? acceptedAtMs,
  };
}

/**
 * A worker's next step for a leg, if any; a held batch pays nothing. `hold` is for legs that were under way, or whose
 * operator's command broke off, when their batch was held or resumed.
 */
export function nextStep(
  leg: BatchLeg,
  batch: Pick<PaymentIntent, "stopped" | "connectorPayment">,
  nowMs: number,
): "pay" | "ask" | "call off" | "hold" | "owe back" | undefined {
  const { stopped } = batch;
  if (isSurplus(leg, batch)) return "owe back";
  if (!isOpen(leg) || isLeased(leg, nowMs) || isPaused(leg, nowMs)) return undefined;
  if (leg.status === "executing") return "ask";
  if (stopped?.how === "cancelled" && isUnsent(leg)) return "call off";
  if (isContradicted(leg, batch)) return "hold";
  if (stopped?.how === "held") return undefined;
  return leg.waiting !== undefined && leg.waiting.untilMs > nowMs ? undefined : "pay";
}

/** The leg as leased by a worker that is about to ask the rail. */
export const claimLeg = (leg: BatchLeg, nowMs: number, leaseMs: number): BatchLeg => ({
  ...takeClaim(leg, nowMs, leaseMs),
  triedAtMs: leg.triedAtMs ?? nowMs,
});

/**
 * The leg after the rail was asked to pay it; `before` is how it stood when it was claimed. The attempt rises, so that a
 * worker that has read the leg before, once its lease had ended, cannot take it from there.
 */
export function afterExecute(before: BatchLeg, claimed: BatchLeg, answer: ExecuteAnswer, nowMs: number): BatchLeg {
  const { waiting, reason, trouble: _over, ...leg } = { ...claimed, attempt: claimed.attempt + 1, leaseUntilMs: 0 };
  switch (answer.kind) {
    case "accepted": {
      const { railPaymentId, expectedSettlementMs } = answer;
      return { ...leg, status: "executing", railPaymentId, expectedSettlementMs, acceptedAtMs: nowMs };
    }
    case "duplicate":
      return afterDuplicate(leg, waiting, answer.untilMs, nowMs);
    case "refused":
      return { ...leg, status: "failed", reason: answer.reason, ended: { atMs: nowMs, by: "rail" } };
    case "unreachable": {
      // When the first request provably never arrived, the rail knows nothing of this leg.
      const { claimedAtMs, ...unsent } = leg;
      const known = before.claimedAtMs === undefined ? unsent : leg;
      return { ...known, reason: answer.reason, ...(waiting && { waiting: { ...waiting, untilMs: 0 } }) };
    }
    case "unknown":
      // The next request repeats this executionId, which the rail takes once only. The lease tells when this one was put.
      return {
        ...leg,
        leaseUntilMs: nowMs,
        reason: answer.reason,
        ...(waiting && { waiting: { ...waiting, untilMs: 0 } }),
      };
  }
}

/** A duplicate gets a new executionId: the rail remembers that it refused the old one, which is final (H1, H2). */
function afterDuplicate(
  { claimedAtMs, ...leg }: BatchLeg,
  waiting: BatchLeg["waiting"],
  windowEndMs: number | undefined,
  nowMs: number,
): BatchLeg {
  const { sinceMs, tries } = waiting ?? { sinceMs: nowMs, tries: 0 };
  const lastMs = sinceMs + DUPLICATE_WAIT_MAX_MS;
  const reason = "the connector found a duplicate transaction";
  if (nowMs >= lastMs) return { ...leg, status: "failed", reason, ended: { atMs: nowMs, by: "rail" } };
  const untilMs = Math.min(Math.max(windowEndMs ?? 0, nowMs + 1_000), lastMs);
  return {
    ...leg,
    executionId: `${executionOf(leg)}:${leg.order}:${tries + 1}`,
    waiting: { sinceMs, tries: tries + 1, untilMs: windowEndMs === undefined ? nowMs + DUPLICATE_WAIT_MS : untilMs },
    reason,
  };
}

/** The batch's execution that a leg belongs to. */
const executionOf = ({ executionId }: Pick<BatchLeg, "executionId">): string =>
  executionId.split(":")[0] ?? executionId;

/** Whether a rail's answer tells for the first time that the money for an accepted leg came in. */
export const isReceiptNew = ({ status, receivedAtMs }: BatchLeg, { kind }: StatusAnswer): boolean =>
  kind === "received" && status === "executing" && receivedAtMs === undefined;

const receivedLeg = ({ trouble: _over, ...leg }: BatchLeg, deposited: string | undefined, nowMs: number): BatchLeg => ({
  ...leg,
  attempt: leg.attempt + 1,
  receivedAtMs: nowMs,
  ...(deposited !== undefined && { deposited }),
});

/** All that came in on the deposit of a batch, as its rail told it. */
export const depositedFor = (legs: readonly BatchLeg[]): string | undefined =>
  legs.find(({ deposited }) => deposited !== undefined)?.deposited;

/** Whether a batch's deposit, once it came in, has money for this leg: not for one that ended unpaid. */
export const isNeeded = ({ status }: BatchLeg): boolean => status !== "failed" && status !== "cancelled";

/** Whether the deposit that came in has money for a leg that ended unpaid, which is not booked as owed back yet. */
export const isSurplus = (leg: BatchLeg, { connectorPayment }: Pick<PaymentIntent, "connectorPayment">): boolean =>
  connectorPayment?.received !== undefined &&
  !isNeeded(leg) &&
  leg.receivedAtMs === undefined &&
  leg.isOwedBack === undefined;

/** The leg after a status report of the rail; undefined while the report says nothing new about it. */
export function afterStatus(leg: BatchLeg, answer: StatusAnswer, nowMs: number): BatchLeg | undefined {
  const end = { atMs: nowMs, by: "rail" } as const;
  if (answer.kind === "cancelled") return endLeg(leg, "failed", end, answer.reason);
  if (answer.kind === "received")
    return isReceiptNew(leg, answer) ? receivedLeg(leg, answer.deposit, nowMs) : undefined;
  const reported = answer.kind === "settled" ? answer.legs.find(({ order }) => order === leg.order) : undefined;
  if (reported === undefined) return undefined;
  return reported.outcome === "cleared"
    ? endLeg(leg, "cleared", end)
    : endLeg(leg, "failed", end, reported.reason ?? "failed");
}

/** The leg at its end, which is not before the rail took it, whatever the clocks say. A leg that cleared keeps no reason. */
export function endLeg(
  { waiting, held, reason: _reason, trouble: _over, ...leg }: BatchLeg,
  status: "cleared" | "failed" | "cancelled",
  { atMs, by }: LegEnd,
  reason?: string,
): BatchLeg {
  const ended = { atMs: Math.max(atMs, leg.acceptedAtMs ?? 0), by };
  return { ...leg, status, attempt: leg.attempt + 1, leaseUntilMs: 0, ended, ...(reason !== undefined && { reason }) };
}

export function progressOf(legs: readonly Pick<BatchLeg, "status">[]): BatchProgress {
  const count = (status: BatchLeg["status"]) => legs.filter((leg) => leg.status === status).length;
  const cancelled = count("cancelled");
  return {
    total: legs.length,
    completed: count("cleared"),
    failed: count("failed"),
    ...(cancelled > 0 && { cancelled }),
  };
}

/** The move that ends a batch once all its legs have ended, else undefined. It is cancelled only if every leg was. */
export function endOf({ total, completed, failed, cancelled = 0 }: BatchProgress): Outcome | undefined {
  if (completed + failed + cancelled < total) return undefined;
  if (cancelled === total) return "cancelExecution";
  if (completed === total) return "complete";
  return completed === 0 ? "fail" : "completePartly";
}
