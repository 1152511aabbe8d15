import { changedAt } from "../changed-at.ts";
import { fail, ok, type Result } from "../result.ts";
import type { PaymentIntent } from "./payment-intent.ts";
import type { IntentStatus } from "./statuses.ts";

type Move = Readonly<{ from: readonly IntentStatus[]; to: IntentStatus }>;

/** The only ways in which a status may change: SPEC, "States and transitions", and Decision 003 where it is silent. */
export const moves = {
  compile: { from: ["draft"], to: "draft" },
  // A submit makes the first four moves in the transaction that commits the rail's acceptance.
  prepareQuote: { from: ["draft"], to: "ready_for_quote" },
  lockQuote: { from: ["ready_for_quote"], to: "quoted" },
  prepareExecution: { from: ["quoted"], to: "ready_for_execution" },
  execute: { from: ["ready_for_execution"], to: "executing" },
  publishLink: { from: ["draft"], to: "pending_link_payment" },
  cancelDraft: { from: ["draft"], to: "cancelled" },
  complete: { from: ["executing", "requires_recovery"], to: "completed" },
  completePartly: { from: ["executing", "requires_recovery"], to: "partially_completed" },
  fail: { from: ["executing", "requires_recovery"], to: "failed" },
  // This move is made only once the rail has confirmed that no money will come.
  cancelExecution: { from: ["executing", "requires_recovery"], to: "cancelled" },
  loseTrack: { from: ["executing"], to: "requires_recovery" },
  resume: { from: ["requires_recovery"], to: "executing" },
} as const satisfies Record<string, Move>;
export type MoveName = keyof typeof moves;

/** The moves of an executing intent that a rail's answer, or an operator's in its place, can make. */
export type Outcome = Exclude<MoveName, "compile" | "publishLink" | "cancelDraft" | (typeof submitMoves)[number]>;

/** An intent keeps so many of its newest steps; older ones are in the audit log (H61). */
export const HISTORY_MAX = 50;

export type WrongStatus = Readonly<{ kind: "wrong_status"; status: IntentStatus }>;

/** The intent after `move`, made by `by`; or a refusal when its present status does not allow it. Never mutates. */
export function moveIntent(
  intent: PaymentIntent,
  move: MoveName,
  by: string,
  nowMs: number,
): Result<PaymentIntent, WrongStatus> {
  const { from, to }: Move = moves[move];
  if (!from.includes(intent.status)) return fail({ kind: "wrong_status", status: intent.status });
  const at = changedAt(intent.updatedAt, nowMs);
  const statusHistory = [...intent.statusHistory, { status: to, at, by }].slice(-HISTORY_MAX);
  return ok({ ...intent, status: to, updatedAt: at, statusHistory });
}

/** The moves that an accepted submit makes, all in one transaction (DESIGN 5). */
export const submitMoves = ["prepareQuote", "lockQuote", "prepareExecution", "execute"] as const satisfies MoveName[];

/**
 * An intent whose payment the rail definitively did not take. A caller's draft may be submitted again. A payer's
 * session is cancelled, and so is an intent that was already shown as lost.
 */
export function giveUp(intent: PaymentIntent, by: string, nowMs: number): PaymentIntent {
  if (intent.status !== "draft") return moveThrough(intent, ["cancelExecution"], by, nowMs);
  if (intent.deliveryMode === "payment_link_submission") return moveThrough(intent, ["cancelDraft"], by, nowMs);
  return { ...intent, updatedAt: changedAt(intent.updatedAt, nowMs) };
}

/** The intent after several moves, each of which its caller knows to be allowed; anything else is a fault. */
export function moveThrough(
  intent: PaymentIntent,
  path: readonly MoveName[],
  by: string,
  nowMs: number,
): PaymentIntent {
  return path.reduce((moved, move) => {
    const next = moveIntent(moved, move, by, nowMs);
    if (!next.ok) throw new Error(`An intent in ${moved.status} cannot ${move}`);
    return next.value;
  }, intent);
}
