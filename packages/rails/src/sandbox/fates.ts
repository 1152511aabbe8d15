import { fail, ok, type Result } from "@intents/domain/result.ts";
import { type Fate, isLapsed, outcomesOf, type RailPayment, statusOf } from "./payment.ts";

// A tester's decisions on one payment, leg by leg. The payment's item holds them, and its status shows them.

/** A tester's wish for all legs of a payment that it can still change, or for leg `order`. */
export type TestWish = Readonly<{ order?: number }> &
  (Readonly<{ how: "receive" | "settle" | "fail" | "return" }> | Readonly<{ how: "delay"; seconds: number }>);

/** A payment's fates, and its end where they leave nothing open. */
export type Fated = Required<Pick<RailPayment, "fates">> & Pick<RailPayment, "end">;

/**
 * A wish that needs nothing to be written: it has come true before (`before`), or everything it is about has ended like
 * that without it (`by_itself`).
 */
export type Fulfilled = "before" | "by_itself";

/** Why a wish cannot come true: nothing has that order, nothing has cleared, or nothing is open any more. */
export type WishRefusal =
  | Readonly<{ kind: "no_leg" | "not_cleared" }>
  | Readonly<{ kind: "final"; isReturnable: boolean }>;

const fateOf = { settle: "cleared", fail: "failed", return: "returned", delay: "delayed" } as const;

/**
 * The fates of a payment after a wish at `nowMs`, or how that wish is fulfilled already. What has ended by itself, or by
 * another wish, stays as it is; only what has cleared can be returned.
 */
export function planFates(payment: RailPayment, wish: TestWish, nowMs: number): Result<Fated | Fulfilled, WishRefusal> {
  const { how } = wish;
  if (how === "receive") return planReceipt(payment, nowMs);
  const named = payment.legs.filter(({ order }) => wish.order === undefined || wish.order === order);
  if (named.length === 0) return fail({ kind: "no_leg" });
  const isOver = isLapsed(payment, nowMs) || statusOf(payment, nowMs).kind === "cancelled";
  const outcomes = new Map(outcomesOf(payment, nowMs).map(({ order, outcome }) => [order, outcome]));
  const needed = how === "return" ? "cleared" : undefined;
  const met = isOver ? [] : named.filter(({ order }) => outcomes.get(order) === needed);
  if (met.length === 0) {
    if (how !== "delay" && named.some(({ order }) => payment.fates?.[order]?.how === fateOf[how])) return ok("before");
    if (!isOver && named.every(({ order }) => outcomes.get(order) === fateOf[how])) return ok("by_itself");
    if (how === "return") return fail({ kind: "not_cleared" });
    return fail({ kind: "final", isReturnable: !isOver && [...outcomes.values()].includes("cleared") });
  }
  const atMs = wish.how === "delay" ? nowMs + wish.seconds * 1000 : nowMs;
  const fate: Fate = { how: fateOf[how], atMs };
  const fates = { ...payment.fates, ...Object.fromEntries(met.map(({ order }) => [order, fate])) };
  return ok({ fates, ...endBy({ ...payment, fates }, nowMs) });
}

/** The payer's money comes in: nobody calls the payment off any more, and its delivery takes as long as it would. */
function planReceipt(payment: RailPayment, nowMs: number): Result<Fated | Fulfilled, WishRefusal> {
  const { kind } = statusOf(payment, nowMs);
  if (kind === "received") return ok("before");
  if (kind === "settled" && outcomesOf(payment, nowMs).some(({ outcome }) => outcome === "cleared"))
    return ok("by_itself");
  if (kind !== "pending" || isLapsed(payment, nowMs)) return fail({ kind: "final", isReturnable: false });
  return ok({ fates: payment.fates ?? {}, end: { how: "paid", atMs: nowMs } });
}

/**
 * The end of a payment that nobody may call off or pay any more: something of it has cleared, so that its money is in, or
 * every leg has failed.
 */
function endBy(payment: RailPayment, nowMs: number): Pick<RailPayment, "end"> {
  if (payment.end !== undefined) return {};
  const outcomes = outcomesOf(payment, nowMs);
  const isPaid = outcomes.some(({ outcome }) => outcome === "cleared");
  if (!isPaid && outcomes.length < payment.legs.length) return {};
  // The money of a transfer came, and went back: an equal payment is a duplicate for a while, as after any failure.
  const isDeclined = !isPaid && payment.checkoutToken !== undefined;
  return { end: { how: isDeclined ? "declined" : "paid", atMs: nowMs } };
}
