import type { BatchLeg, LegEnd } from "@intents/domain/batches/batch.ts";
import { endLeg, holdLeg, isOpen, isUnsent } from "@intents/domain/batches/leg.ts";
import { isLeased } from "@intents/domain/intents/claim.ts";
import type { PaymentIntent, Stop } from "@intents/domain/intents/payment-intent.ts";
import { moveIntent, moveThrough } from "@intents/domain/intents/states.ts";
import { isTerminal } from "@intents/domain/intents/statuses.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { findTimer } from "@intents/storage/polling/timers.ts";
import { mapInTurns } from "@intents/storage/table/in-turns.ts";
import { readBatch, sumUp } from "../batches/advance.ts";
import { writeLeg } from "../batches/leg-work.ts";
import type { Run } from "../run.ts";
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
  type RailPaymentIds,
  type Resolution,
  reread,
} from "./operation.ts";
import { findDoubt, secondsOnItsWay } from "./unpaid.ts";

/** The tries of an operator's change of all legs. Each starts over because workers were changing some of them. */
const TRIES_MAX = 5;
const SIDE_BY_SIDE = 10;

/** Holds a batch: recipients that are not paid yet are not paid until it is resumed or cancelled. */
export async function holdBatch(run: Run, operation: Operation): Promise<Operated> {
  const found = await findBatch(run, operation);
  if (!found.ok) return found;
  const intent = found.value;
  if (intent.stopped?.how === "cancelled") return fail({ kind: "batch_cancelled" });
  const held = await stop(run, intent, operation, "held");
  return held.ok ? keepUnpaid(run, held.value) : held;
}

/**
 * Puts a batch into `requires_recovery`, to be looked into; recipients that are not paid yet are not paid meanwhile.
 */
export async function loseTrackOfBatch(run: Run, operation: Operation): Promise<Operated> {
  const found = await findBatch(run, operation);
  if (!found.ok) return found;
  const lost = moveIntent(found.value, "loseTrack", OPERATOR, run.now());
  if (!lost.ok) return fail({ kind: "not_executing", status: found.value.status });
  const { stopped = stopOf(run, operation, "held") } = lost.value;
  const marked = await changeByHand(run, found.value, { ...lost.value, stopped }, operation, "requires_recovery");
  return marked.ok ? keepUnpaid(run, marked.value) : marked;
}

async function keepUnpaid(run: Run, held: PaymentIntent): Promise<Operated> {
  // A higher attempt makes the claim of any worker fail that is about to take the leg on.
  const unpaid = await changeUnpaid(run, held, holdLeg);
  const found = await reread(run, held);
  if (!found.ok) return found;
  if (found.value.stopped?.how !== held.stopped?.how) return fail({ kind: "changed" });
  const left = unpaid.filter((leg) => isUnderWay(run, held, leg));
  return left.length === 0 ? found : fail({ kind: "under_way", orders: ordersOf(left) });
}

/** Whether a worker is asking the rail to pay a leg, or a worker's last request may still arrive. */
const isUnderWay = (run: Run, intent: PaymentIntent, { claimedAtMs, ...leg }: BatchLeg): boolean =>
  claimedAtMs !== undefined && secondsOnItsWay(run, { intent, ...leg, claimedAtMs }) > 0;

/** Lets a held batch go on, and gives it more time before it counts as overdue. */
export async function resumeBatch(run: Run, operation: Operation): Promise<Operated> {
  const found = await findBatch(run, operation);
  if (!found.ok) return found;
  const { stopped, ...intent } = found.value;
  if (stopped?.how !== "held") return fail({ kind: "batch_not_held" });
  const going = { ...intent, expectedSettlementMs: run.now() };
  const resumed = await changeByHand(run, found.value, going, operation, "resumed");
  if (resumed.ok) await letGo(run, resumed.value);
  return resumed;
}

/** Lets the held legs of a batch go that is not held any more. */
const letGo = (run: Run, batch: PaymentIntent) =>
  changeUnpaid(run, batch, (leg, intent) => (leg.held === true ? holdLeg(leg, intent) : undefined));

/** Cancels every recipient that was not sent anything yet; the others go on. */
export async function cancelBatch(run: Run, intent: PaymentIntent, operation: Operation): Promise<Operated> {
  const stopped = await stop(run, intent, operation, "cancelled");
  if (!stopped.ok) return stopped;
  const end = byHand(run.now());
  await changeUnpaid(run, stopped.value, (leg) => (isUnsent(leg) ? endLeg(leg, "cancelled", end, BY_HAND) : undefined));
  await letGo(run, stopped.value);
  return sumUpByHand(run, stopped.value, operation);
}

async function findBatch(run: Run, operation: Operation): Promise<Operated> {
  const found = await findOperated(run, operation);
  if (!found.ok) return found;
  const { status, bulkProgress } = found.value;
  if (bulkProgress === undefined) return fail({ kind: "not_begun", status });
  return isTerminal(status) ? fail({ kind: "batch_ended", status }) : ok(found.value);
}

/** Marks the intent first: workers that read the batch after that take no leg on. */
async function stop(run: Run, intent: PaymentIntent, operation: Operation, how: Stop["how"]): Promise<Operated> {
  if (intent.stopped?.how === how) return ok(intent);
  const event = how === "held" ? "held" : "stopped";
  return changeByHand(run, intent, { ...intent, stopped: stopOf(run, operation, how) }, operation, event);
}

const stopOf = (run: Run, { operator: by, reason }: Operation, how: Stop["how"]): Stop => ({
  how,
  at: new Date(run.now()).toISOString(),
  by,
  reason,
});

/**
 * Changes every leg that is not paid and that no worker is asking about; `change` returns undefined to leave a leg as
 * it is. Gives all unpaid legs, as the last try has read them.
 */
async function changeUnpaid(
  run: Run,
  { tenantId, id }: PaymentIntent,
  change: (leg: BatchLeg, intent: PaymentIntent) => BatchLeg | undefined,
): Promise<readonly BatchLeg[]> {
  for (let tries = 1; ; tries++) {
    const { intent, legs } = await readBatch(run, { tenantId, id });
    const nowMs = run.now();
    const unpaid = legs.filter(({ status }) => status === "pending");
    const free = unpaid.filter((leg) => !isLeased(leg, nowMs));
    const changed = await mapInTurns(free, SIDE_BY_SIDE, async (leg) => {
      const after = change(leg, intent);
      return after === undefined || writeLeg(run, intent, leg, after);
    });
    if (changed.every(Boolean)) return unpaid;
    if (tries === TRIES_MAX) throw new Error(`The legs of ${id} keep changing`);
  }
}

/** Plans the end of the open recipients of a batch in `requires_recovery`, or its continuation. */
export async function planBatch(
  run: Run,
  intent: PaymentIntent,
  operation: Operation,
  resolution: Resolution,
): Promise<Planned> {
  if (resolution.as === "cancelled") return fail({ kind: "ended_by_recipients" });
  if (resolution.as === "executing" && resolution.railPaymentId !== undefined)
    return fail({ kind: "ids_of_recipients" });
  const { legs } = await readBatch(run, intent);
  const moves = planMoves(legs, resolution, run.now());
  const isResumed = resolution.as === "executing";
  return moves.ok ? ok(() => moveLegs(run, intent, operation, { moves: moves.value, isResumed })) : moves;
}

type Moves = readonly Readonly<{ before: BatchLeg; after: BatchLeg }>[];

async function moveLegs(
  run: Run,
  intent: PaymentIntent,
  operation: Operation,
  { moves, isResumed }: Readonly<{ moves: Moves; isResumed: boolean }>,
): Promise<Operated> {
  const doubt = await findDoubtAbout(run, intent, moves);
  if (doubt !== undefined) return fail(doubt);
  const noted = isResumed
    ? await changeByHand(run, intent, resume(intent, run.now()), operation, "executing")
    : await changeByHand(run, intent, intent, operation, "resolved");
  if (!noted.ok) return noted;
  for (const { before, after } of moves) {
    if (!(await writeLeg(run, noted.value, before, after))) return fail({ kind: "changed" });
  }
  if (!isResumed) return sumUpByHand(run, noted.value, operation);
  await letGo(run, noted.value);
  return reread(run, intent);
}

/** Why a recipient cannot end as never paid whom the rail was asked to pay, and never confirmed. */
async function findDoubtAbout(run: Run, intent: PaymentIntent, moves: Moves): Promise<Obstacle | undefined> {
  for (const { before, after } of moves) {
    const { status, order, claimedAtMs } = before;
    if (status !== "pending" || claimedAtMs === undefined || after.status !== "failed") continue;
    const claimed = { intent, ...before, claimedAtMs };
    const waitSeconds = secondsOnItsWay(run, claimed);
    if (waitSeconds > 0) return { kind: "on_its_way", waitSeconds, order };
    const doubt = await findDoubt(run, claimed);
    if (doubt?.kind === "unavailable") return { kind: "rail_silent", reason: doubt.reason, order };
    if (doubt !== undefined) return { kind: "rail_has_recipient", order };
  }
  return undefined;
}

/** The batch as it goes on, held or not, with more time before it counts as overdue. */
function resume({ stopped, ...intent }: PaymentIntent, nowMs: number): PaymentIntent {
  const going = { ...intent, ...(stopped?.how === "cancelled" && { stopped }), expectedSettlementMs: nowMs };
  return moveThrough(going, ["resume"], OPERATOR, nowMs);
}

const byHand = (nowMs: number): LegEnd => ({ atMs: nowMs, by: OPERATOR });

/**
 * The ends of the open legs, or why an operator cannot tell them yet. A cleared leg needs the rail's own payment id.
 */
function planMoves(
  legs: readonly BatchLeg[],
  resolution: Exclude<Resolution, { as: "cancelled" }>,
  nowMs: number,
): Result<Moves, Obstacle> {
  const open = legs.filter(isOpen);
  const leased = open.filter((leg) => isLeased(leg, nowMs));
  if (leased.length > 0) return fail({ kind: "being_asked", orders: ordersOf(leased) });
  const orders = new Set(legs.map(({ order }) => order));
  const ids: RailPaymentIds = resolution.railPaymentIds ?? new Map();
  const cleared = resolution.as === "settled" && resolution.cleared !== "all" ? resolution.cleared : [];
  if ([...cleared, ...ids.keys()].some((order) => !orders.has(order))) return fail({ kind: "unknown_order" });
  const unpaid = legs.filter((leg) => cleared.includes(leg.order) && !isOpen(leg) && leg.status !== "cleared");
  if (unpaid.length > 0) return fail({ kind: "never_paid", orders: ordersOf(unpaid) });
  const isUseless = (leg: BatchLeg) =>
    leg.railPaymentId === undefined ? !isOpen(leg) : leg.railPaymentId !== ids.get(leg.order);
  const useless = legs.filter((leg) => ids.has(leg.order) && isUseless(leg));
  if (useless.length > 0) return fail({ kind: "other_id", orders: ordersOf(useless) });
  const isCleared = ({ order }: BatchLeg) =>
    resolution.as === "settled" && (resolution.cleared === "all" || cleared.includes(order));
  const known = (leg: BatchLeg): BatchLeg => {
    const railPaymentId = leg.railPaymentId ?? ids.get(leg.order);
    return railPaymentId === undefined ? leg : { ...leg, railPaymentId };
  };
  const unsent = open.filter((leg) => isUnsent(leg) && (isCleared(leg) || ids.has(leg.order)));
  if (unsent.length > 0) return fail({ kind: "never_sent", orders: ordersOf(unsent) });
  const others = legs.flatMap(({ order, railPaymentId }) => (ids.has(order) ? [] : (railPaymentId ?? [])));
  const all = [...others, ...ids.values()];
  if (new Set(all).size < all.length) return fail({ kind: "id_named_twice" });
  const unknown = open.filter((leg) => isCleared(leg) && known(leg).railPaymentId === undefined);
  if (unknown.length > 0) return fail({ kind: "ids_needed", orders: ordersOf(unknown) });
  const moves = open.flatMap((before): Moves => {
    if (resolution.as === "settled") {
      const leg = known(before);
      const end = byHand(nowMs);
      const after = isCleared(leg) ? endLeg(leg, "cleared", end) : endLeg(leg, "failed", end, BY_HAND);
      return [{ before, after }];
    }
    const accepted = { status: "executing" as const, acceptedAtMs: before.acceptedAtMs ?? nowMs };
    const after = { ...known(before), ...accepted, attempt: before.attempt + 1, leaseUntilMs: 0 };
    return before.railPaymentId === undefined && after.railPaymentId !== undefined ? [{ before, after }] : [];
  });
  return ok(moves);
}

/** Sums up an operator's change at once, without waiting for the schedule. */
async function sumUpByHand(run: Run, owner: PaymentIntent, operation: Operation): Promise<Operated> {
  const timer = await findTimer(run.table, owner.tenantId, owner.id);
  await sumUp(run, await readBatch(run, owner), { timer, more: false, by: operatorOf(operation) });
  return reread(run, owner);
}

const ordersOf = (legs: readonly BatchLeg[]): readonly number[] => legs.map(({ order }) => order);
