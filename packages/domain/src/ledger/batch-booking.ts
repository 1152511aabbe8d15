import type { BatchLeg } from "../batches/batch.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import { splitRoleOf } from "../scenarios/split-role.ts";
import { type Booked, bookAcceptance, bookProgress, bookReceipt, type LedgerEntry } from "./ledger.ts";

/** The ledger entries of a change of a leg: none as long as no rail has accepted the leg. */
export function bookLeg(intent: PaymentIntent, before: BatchLeg, after: BatchLeg, at: string): LedgerEntry[] {
  if (before.isOwedBack === undefined && after.isOwedBack) return [bookSurplus(after, at)];
  if (after.railPaymentId === undefined) return [];
  const begun = toBooked(intent, { ...before, status: "executing" }, at);
  const isReceived = before.receivedAtMs === undefined && after.receivedAtMs !== undefined;
  return [
    ...(before.railPaymentId === undefined ? bookAcceptance(begun) : []),
    ...(isReceived ? bookReceipt(toBooked(intent, { ...after, status: "executing" }, at)) : []),
    ...bookProgress(begun, toBooked(intent, after, at)),
  ];
}

/** The entry of money that came in on a batch's deposit for a leg that ended unpaid: it is owed back. */
export const bookSurplus = ({ executionId, payment }: BatchLeg, at: string): LedgerEntry => ({
  id: `${executionId}#deposit#surplus`,
  event: "surplus",
  debit: "received",
  credit: "owed_back",
  amount: payment.totalAmount,
  currency: payment.payerCurrency,
  at,
});

/** The ledger's names for the statuses of a leg. No rail ever accepted a cancelled leg, so that it is never booked. */
const bookedStatuses = {
  pending: "executing",
  executing: "executing",
  cleared: "completed",
  failed: "failed",
  cancelled: "cancelled",
} as const;

/** A leg as the ledger sees it: an execution of one leg and its own fee. */
export function toBooked({ recipients }: PaymentIntent, leg: BatchLeg, at: string): Booked {
  const { executionId, payment, status, order, receivedAtMs } = leg;
  const isOver = status === "cleared" || status === "failed";
  return {
    executionId,
    currency: payment.payerCurrency,
    fee: payment.fee,
    status: bookedStatuses[status],
    startedAt: at,
    ...(receivedAtMs !== undefined && { receivedAt: new Date(receivedAtMs).toISOString() }),
    legs: [
      {
        order,
        splitRole: splitRoleOf(recipients, order),
        payerAmount: payment.legs[0]?.payerAmount ?? "0",
        status: isOver ? status : "executing",
      },
    ],
  };
}
