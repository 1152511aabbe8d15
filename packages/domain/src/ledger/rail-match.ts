import { addAmounts, compareAmounts } from "../amounts/money.ts";
import type { BatchLeg } from "../batches/batch.ts";
import type { Execution, PaymentIntent } from "../intents/payment-intent.ts";
import type { RailRecord } from "../rails/rail.ts";

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
  /** Whether its money has arrived, as far as is known here. */
  isCleared: boolean;
}>;

/** The payments of an intent that a rail has accepted: its executions, or the recipients of a batch one by one. */
export function bookedPayments(intent: PaymentIntent, legs: readonly BatchLeg[]): BookedPayment[] {
  const { tenantId, id: intentId, executions } = intent;
  const owner = { tenantId, intentId };
  if (intent.bulkProgress === undefined) {
    const accepted = executions.filter(({ railPaymentId }) => railPaymentId !== undefined);
    return accepted.map((execution) => ({ ...owner, ...toBooked(execution) }));
  }
  const { connector: rail = "", startedAt = "" } = executions.at(-1) ?? {};
  const accepted = legs.filter(({ railPaymentId }) => railPaymentId !== undefined);
  return accepted.map(({ executionId, payment, status, claimedAtMs, triedAtMs }) => ({
    ...owner,
    executionId,
    rail,
    askedAtMs: claimedAtMs ?? triedAtMs ?? Date.parse(startedAt),
    currency: payment.payerCurrency,
    amount: payment.totalAmount,
    isCleared: status === "cleared",
  }));
}

const toBooked = ({ executionId, connector: rail, startedAt, currency, fee, legs }: Execution) => ({
  ...{ executionId, rail, currency },
  askedAtMs: Date.parse(startedAt),
  amount: addAmounts(fee, ...legs.map(({ payerAmount }) => payerAmount)),
  isCleared: legs.some(({ status }) => status === "cleared"),
});

/** The difference between a rail's record and the booked payment; undefined when they agree. */
export function differenceOf(booked: BookedPayment, held: RailRecord): string | undefined {
  if (held.currency !== booked.currency || compareAmounts(held.totalAmount, booked.amount) !== 0) {
    return `the rail holds ${held.totalAmount} ${held.currency}, and ${booked.amount} ${booked.currency} are booked`;
  }
  return held.standing === "cancelled" && booked.isCleared
    ? "the rail has cancelled what is booked as cleared"
    : undefined;
}
