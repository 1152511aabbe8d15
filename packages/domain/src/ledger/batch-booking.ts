import type { BatchLeg } from "../batches/batch.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import { splitRoleOf } from "../scenarios/split-role.ts";
import { type Booked, bookAcceptance, bookProgress, type LedgerEntry } from "./ledger.ts";

/** The ledger entries of a change of a leg: none as long as no rail has accepted the leg. */
export function bookLeg(intent: PaymentIntent, before: BatchLeg, after: BatchLeg, at: string): LedgerEntry[] {
  if (after.railPaymentId === undefined) return [];
  const begun = toBooked(intent, { ...before, status: "executing" }, at);
  return [
    ...(before.railPaymentId === undefined ? bookAcceptance(begun) : []),
    ...bookProgress(begun, toBooked(intent, after, at)),
  ];
}

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
  const { executionId, payment, status, order } = leg;
  const isOver = status === "cleared" || status === "failed";
  return {
    executionId,
    currency: payment.payerCurrency,
    fee: payment.fee,
    status: bookedStatuses[status],
    startedAt: at,
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
