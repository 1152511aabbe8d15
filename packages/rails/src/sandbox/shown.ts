import type { PaymentLeg } from "@intents/domain/rails/rail.ts";
import { isLapsed, outcomesOf, type RailFunding, type RailPayment, statusOf } from "./payment.ts";
import type { PaymentEnd } from "./scenarios.ts";

/** A payment as the rail holds it, for a tester to count and inspect. */
export type SandboxPayment = Readonly<{
  /** The name of the rail that holds it. */
  rail: string;
  executionId: string;
  railPaymentId: string;
  paymentIntentId: string;
  connectorPaymentId: number;
  settlementMethod: string;
  currency: string;
  totalAmount: string;
  acceptedAt: string;
  status: "pending" | "received" | "settled" | "cancelled";
  checkoutUrl?: string;
  /** The deposit of the batch that it is part of. */
  fundingReference?: string;
  legs: readonly SandboxLeg[];
}>;

/** A leg with its end, if it has one, or the time until which a tester keeps it from arriving. */
type SandboxLeg = PaymentLeg & Readonly<{ outcome?: "cleared" | "failed"; reason?: string; delayedUntil?: string }>;

/** The checkout as its page shows it. */
export type SandboxCheckout = Readonly<{
  state: "open" | PaymentEnd;
  amount: string;
  currency: string;
  reference: string;
  closesAtMs: number;
  returnUrl?: string;
}>;

export function toCheckout(payment: RailPayment, nowMs: number): SandboxCheckout {
  return {
    state: payment.end?.how ?? (isLapsed(payment, nowMs) ? "expired" : "open"),
    amount: payment.totalAmount,
    currency: payment.payerCurrency,
    reference: String(payment.connectorPaymentId),
    closesAtMs: payment.answer.expectedSettlementMs,
    ...(payment.returnUrl !== undefined && { returnUrl: payment.returnUrl }),
  };
}

export function toSandboxPayment(
  payment: RailPayment,
  rail: string,
  nowMs: number,
  deposit?: RailFunding,
): SandboxPayment {
  const { railPaymentId, checkoutUrl } = payment.answer;
  const { fundingReference } = payment;
  return {
    rail,
    executionId: payment.executionId,
    railPaymentId,
    paymentIntentId: payment.intentId,
    connectorPaymentId: payment.connectorPaymentId,
    settlementMethod: payment.settlementMethod,
    currency: payment.payerCurrency,
    totalAmount: payment.totalAmount,
    acceptedAt: new Date(payment.acceptedAtMs).toISOString(),
    status: isLapsed(payment, nowMs) ? "cancelled" : statusOf(payment, nowMs, deposit).kind,
    legs: payment.legs.map((leg) => toSandboxLeg(leg, payment, nowMs)),
    ...(checkoutUrl !== undefined && { checkoutUrl }),
    ...(fundingReference !== undefined && { fundingReference }),
  };
}

function toSandboxLeg(leg: PaymentLeg, payment: RailPayment, nowMs: number): SandboxLeg {
  const { outcome, reason } = outcomesOf(payment, nowMs).find(({ order }) => order === leg.order) ?? {};
  const fate = payment.fates?.[leg.order];
  const isDelayed = fate?.how === "delayed" && outcome === undefined;
  return {
    ...leg,
    ...(outcome !== undefined && { outcome }),
    ...(reason !== undefined && { reason }),
    ...(isDelayed && { delayedUntil: new Date(fate.atMs).toISOString() }),
  };
}
