import { addAmounts, compareAmounts } from "../amounts/money.ts";
import type { BatchLeg } from "../batches/batch.ts";
import type { Execution, PaymentIntent } from "../intents/payment-intent.ts";
import { type Correction, newestCorrections } from "../money-state/correction.ts";
import { lateOutcome } from "../rails/late-outcome.ts";
import type { RailRecord, StatusAnswer } from "../rails/rail.ts";

/** A payment that a rail has accepted, as it is booked here. `amount` is what the payer sends, fee included. */
export type BookedPayment = Readonly<{
  tenantId: string;
  intentId: string;
  executionId: string;
  /** The name of the rail. */
  rail: string;
  /** When the rail was asked, milliseconds since 1970. */
  askedAtMs: number;
  currency: string;
  amount: string;
  /** How its recipients' money went, once that is known here. */
  ended?: readonly EndedLeg[];
}>;

/** The payments of an intent that a rail has accepted: its executions, or the recipients of a batch one by one. */
export function bookedPayments(
  intent: PaymentIntent,
  legs: readonly BatchLeg[],
  corrections: readonly Correction[] = [],
): BookedPayment[] {
  return uncorrected(intent, legs).map(({ ended, ...payment }) => ({
    ...payment,
    ...(ended !== undefined && { ended: ended.map((leg) => corrected(payment.executionId, leg, corrections)) }),
  }));
}

/** How a recipient's money went by the newest correction of it, if there is one. */
function corrected(executionId: string, leg: EndedLeg, corrections: readonly Correction[]): EndedLeg {
  const { outcome } =
    newestCorrections(corrections).find((one) => one.executionId === executionId && one.order === leg.order) ?? {};
  if (outcome === undefined) return leg;
  return { order: leg.order, status: outcome === "arrived" ? "cleared" : "failed" };
}

type EndedLeg = Readonly<{ order: number; status: string }>;

function uncorrected(intent: PaymentIntent, legs: readonly BatchLeg[]): BookedPayment[] {
  const { tenantId, id: intentId, executions } = intent;
  const owner = { tenantId, intentId };
  if (intent.bulkProgress === undefined) {
    const accepted = executions.filter(({ railPaymentId }) => railPaymentId !== undefined);
    return accepted.map((execution) => ({ ...owner, ...toBooked(execution) }));
  }
  const { connector: rail = "", startedAt = "" } = executions.at(-1) ?? {};
  const accepted = legs.filter(({ railPaymentId }) => railPaymentId !== undefined);
  return accepted.map(({ executionId, payment, order, status, claimedAtMs, triedAtMs }) => ({
    ...owner,
    executionId,
    rail,
    askedAtMs: claimedAtMs ?? triedAtMs ?? Date.parse(startedAt),
    currency: payment.payerCurrency,
    amount: payment.totalAmount,
    ...(status !== "pending" && status !== "executing" && { ended: [{ order, status }] }),
  }));
}

const toBooked = ({ executionId, connector: rail, startedAt, currency, fee, legs, status }: Execution) => ({
  executionId,
  rail,
  currency,
  askedAtMs: Date.parse(startedAt),
  amount: addAmounts(fee, ...legs.map(({ payerAmount }) => payerAmount)),
  ...(status !== "executing" && { ended: legs }),
});

/** The difference between the money that a rail's record tells of and the booked one; undefined when they agree. */
export function differenceOf(booked: BookedPayment, held: RailRecord): string | undefined {
  if (held.currency === booked.currency && compareAmounts(held.totalAmount, booked.amount) === 0) return undefined;
  return `the rail holds ${held.totalAmount} ${held.currency}, and ${booked.amount} ${booked.currency} are booked`;
}

/** The contradiction of a rail's record to the recipients' outcomes here, in the words of reconciliation records. */
export function contraryOutcome({ ended = [] }: BookedPayment, held: RailRecord): string | undefined {
  const orders = ended.map(({ order }) => order);
  const outcome = lateOutcome(ended, toAnswer(held, orders));
  return outcome?.isContrary === true ? outcome.said : undefined;
}

function toAnswer({ standing, failed }: RailRecord, orders: readonly number[]): StatusAnswer {
  if (standing === "cancelled") return { kind: "cancelled", reason: "" };
  if (standing !== "settled" || failed === undefined) return { kind: "pending" };
  const legs = orders.map((order) => ({ order, outcome: failed.includes(order) ? "failed" : "cleared" }) as const);
  return { kind: "settled", legs };
}

/** Whether a rail's payment that is booked by corrections alone stands as they say; while it is pending, it may. */
export function agreesWith(
  { executionId, standing, failed = [] }: RailRecord,
  corrections: readonly Correction[],
): boolean {
  const own = newestCorrections(corrections).filter((one) => one.executionId === executionId);
  if (standing === "pending") return true;
  const isPaid = (order: number) => standing !== "cancelled" && !failed.includes(order);
  return own.length > 0 && own.every(({ order, outcome }) => (outcome === "arrived") === isPaid(order));
}
