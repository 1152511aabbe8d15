import { createHash } from "node:crypto";
import { DAY_MS } from "@intents/domain/durations.ts";
import type {
  ExecuteAnswer,
  FundAnswer,
  FundingOrder,
  LegOutcome,
  PaymentLeg,
  PaymentOrder,
  StatusAnswer,
} from "@intents/domain/rails/rail.ts";
import { toBankDetails } from "./bank-details.ts";
import { CHECKOUT_OPEN_MS, failuresOf, type PaymentEnd, settlementTimesOf } from "./scenarios.ts";
import type { SandboxTerms } from "./terms.ts";

const DUE_AFTER_MS = 3 * DAY_MS;

/** A tester's decision on a leg. `atMs`: its time, or the end of a delay; milliseconds since 1970. */
export type Fate = Readonly<{ how: "cleared" | "failed" | "returned" | "delayed"; atMs: number }>;

/** Why a leg fails that a tester lets fail. */
const fateReasons = { failed: "rejected by the beneficiary bank", returned: "returned by the beneficiary bank" };

/** A payment that the sandbox rail accepted, as it keeps it. Amounts are decimal strings, times milliseconds. */
export type RailPayment = Readonly<{
  tenantId: string;
  executionId: string;
  intentId: string;
  connectorPaymentId: number;
  settlementMethod: string;
  payerCurrency: string;
  totalAmount: string;
  legs: readonly PaymentLeg[];
  /** The text that is equal for duplicates. */
  fingerprint: string;
  acceptedAtMs: number;
  answer: Extract<ExecuteAnswer, { kind: "accepted" }>;
  /** How long the money takes once it is in: after acceptance for a transfer, after paying for a checkout. */
  settleMs: number;
  checkoutToken?: string;
  /** The page to which the checkout page leads its payer back. */
  returnUrl?: string;
  /** The deposit of a whole batch, which pays for it. */
  fundingReference?: string;
  /** Absent while the payment has not ended so; a transfer without an end arrives by itself. */
  end?: Readonly<{ how: PaymentEnd; atMs: number }>;
  /** A tester's decisions, by the order of the leg; the other legs go as they would. */
  fates?: Readonly<Record<number, Fate>>;
}>;

/** A deposit for a whole batch, as the sandbox rail keeps it; `receivedAtMs`: a tester had it come in. */
export type RailFunding = FundingOrder &
  Readonly<{ answer: Extract<FundAnswer, { kind: "funded" }>; receivedAtMs?: number }>;

type PlanContext = Readonly<{ nowMs: number; settleSeconds: number; baseUrl: string; checkoutToken: string }>;

/** The payment that accepting `order` at `nowMs` makes. `checkoutToken` is used by everything but bank transfers. */
export function planPayment(
  order: PaymentOrder,
  executionId: string,
  terms: SandboxTerms,
  { nowMs, settleSeconds, baseUrl, checkoutToken }: PlanContext,
): RailPayment {
  const { fundingReference, returnUrl } = order;
  const seed = hashOf([order.tenantId, executionId]);
  const isTransfer = order.settlementMethod === "dmt";
  const usualMs = Math.round(settleSeconds * terms.settleFactor * 1000);
  const answer = { kind: "accepted", railPaymentId: terms.paymentPrefix + seed.slice(0, 24) } as const;
  const payment = {
    tenantId: order.tenantId,
    executionId,
    intentId: order.intentId,
    connectorPaymentId: order.connectorPaymentId,
    settlementMethod: order.settlementMethod,
    payerCurrency: order.payerCurrency,
    totalAmount: order.totalAmount,
    legs: order.legs,
    fingerprint: fingerprintOf(order),
    acceptedAtMs: nowMs,
    ...(fundingReference !== undefined && { fundingReference }),
  };
  const times = settlementTimesOf(order.legs);
  if (isTransfer) {
    const expectedSettlementMs = nowMs + usualMs;
    // An order of a batch has no deposit of its own: the batch's one deposit is announced already.
    const deposit = fundingReference === undefined ? depositOf(terms, seed, order.payerCurrency, nowMs) : {};
    return { ...payment, settleMs: (times ?? 1) * usualMs, answer: { ...answer, expectedSettlementMs, ...deposit } };
  }
  const checkoutUrl = `${baseUrl}/sandbox/checkout/${checkoutToken}`;
  const expectedSettlementMs = nowMs + CHECKOUT_OPEN_MS;
  return {
    ...payment,
    settleMs: (times ?? 0) * usualMs,
    checkoutToken,
    ...(returnUrl !== undefined && { returnUrl }),
    answer: { ...answer, expectedSettlementMs, checkoutUrl },
  };
}

/** The deposit that `order` announces when it first arrives, at `nowMs`. */
export function planFunding(order: FundingOrder, terms: SandboxTerms, nowMs: number): RailFunding {
  const { tenantId, fundingReference, currency } = order;
  const seed = hashOf([terms.rail.name, tenantId, fundingReference]);
  return { ...order, answer: { kind: "funded", ...depositOf(terms, seed, currency, nowMs) } };
}

const depositOf = ({ bank }: SandboxTerms, seed: string, currency: string, nowMs: number) => ({
  bankDetails: toBankDetails(bank, seed, currency),
  dueDate: new Date(nowMs + DUE_AFTER_MS).toISOString().slice(0, 10),
});

/** The text that the duplicate check compares: payer, payees, amounts and references. The key holds the tenant. */
function fingerprintOf(order: PaymentOrder): string {
  const legs = order.legs
    .toSorted((left, right) => left.order - right.order)
    .map((leg) => [leg.payeeId, leg.payerAmount, leg.payeeAmount, leg.payeeCurrency, leg.reference ?? null]);
  return hashOf([order.payerKey, order.payerCurrency, legs]);
}

/** Whether a checkout's session ended without payment, so that it must be closed before anything else is done. */
export const isLapsed = (payment: RailPayment, nowMs: number): boolean =>
  payment.checkoutToken !== undefined && payment.end === undefined && nowMs >= payment.answer.expectedSettlementMs;

/**
 * The status of the payment at `nowMs`, judged by the clock and, for a payment of a batch, by its `deposit`. Money that came
 * in before it is delivered is `received`: a paid checkout, or a transfer that a tester had come in.
 */
export function statusOf(
  payment: RailPayment,
  nowMs: number,
  deposit?: RailFunding,
): Extract<StatusAnswer, { kind: "pending" | "received" | "settled" | "cancelled" }> {
  const { end } = payment;
  if (end?.how === "expired") return { kind: "cancelled", reason: "the checkout session ended unpaid" };
  if (end?.how === "cancelled") return { kind: "cancelled", reason: "called off before any money arrived" };
  const legs = outcomesOf(payment, nowMs);
  if (legs.length === payment.legs.length) return { kind: "settled", legs };
  if (deposit?.receivedAtMs !== undefined) return { kind: "received", deposit: deposit.amount };
  return { kind: end?.how === "paid" ? "received" : "pending" };
}

/** The outcomes of those legs that have one at `nowMs`. */
export function outcomesOf(payment: RailPayment, nowMs: number): LegOutcome[] {
  const { legs, end, fates = {} } = payment;
  if (end?.how === "expired" || end?.how === "cancelled") return [];
  if (end?.how === "declined") return legs.map((leg) => failedLeg(leg, "declined"));
  const usualMs = usualEndMs(payment);
  const failures = failuresOf(legs);
  return legs.flatMap((leg): LegOutcome[] => {
    const { how, atMs } = fates[leg.order] ?? { how: "delayed", atMs: usualMs };
    if (how === "delayed" && nowMs < Math.max(usualMs, atMs)) return [];
    const reason = how === "delayed" ? failures.get(leg) : how === "cleared" ? undefined : fateReasons[how];
    return [reason === undefined ? { order: leg.order, outcome: "cleared" } : failedLeg(leg, reason)];
  });
}

/** When the money has arrived, if no tester wants it otherwise; never, as long as nobody has paid a checkout. */
function usualEndMs({ checkoutToken, acceptedAtMs, end, settleMs }: RailPayment): number {
  if (checkoutToken === undefined) return acceptedAtMs + settleMs;
  return end?.how === "paid" ? end.atMs + settleMs : Number.POSITIVE_INFINITY;
}

const failedLeg = ({ order }: PaymentLeg, reason: string): LegOutcome => ({ order, outcome: "failed", reason });

const hashOf = (parts: unknown): string => createHash("sha256").update(JSON.stringify(parts)).digest("hex");
