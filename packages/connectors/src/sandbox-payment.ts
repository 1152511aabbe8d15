import { createHash } from "node:crypto";
import type {
  ExecuteAnswer,
  FundAnswer,
  FundingOrder,
  LegOutcome,
  PaymentLeg,
  PaymentOrder,
  StatusAnswer,
} from "@intents/domain/connector.ts";
import { toBankDetails } from "./sandbox-bank-details.ts";
import { DAY_MS, type SandboxTerms } from "./sandbox-terms.ts";

const CHECKOUT_OPEN_MS = 30 * 60_000;
const DUE_AFTER_MS = 3 * DAY_MS;
/** How many settlement times an overdue payment takes. */
const OVERDUE_FACTOR = 15;

/** What a tester asks for by a leg's reference (DESIGN 6). */
type TestOutcome =
  | "SANDBOX-FAIL"
  | "SANDBOX-PARTIAL"
  | "SANDBOX-OVERDUE"
  | "SANDBOX-DUPLICATE"
  | "SANDBOX-UNAVAILABLE"
  | "SANDBOX-TIMEOUT";

/** How a payment ended before its time, or a checkout at all; the first end is the only one. */
export const paymentEnds = ["paid", "declined", "expired", "cancelled"] as const;
export type PaymentEnd = (typeof paymentEnds)[number];

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
  /** By which a duplicate is known. */
  fingerprint: string;
  acceptedAtMs: number;
  answer: Extract<ExecuteAnswer, { kind: "accepted" }>;
  /** How long the money takes once it is in: after acceptance for a transfer, after paying for a checkout. */
  settleMs: number;
  checkoutToken?: string;
  /** Where the checkout page leads its payer back to. */
  returnUrl?: string;
  /** The deposit of a whole batch, which pays for it. */
  fundingReference?: string;
  /** A transfer that nobody called off simply arrives. */
  end?: Readonly<{ how: PaymentEnd; atMs: number }>;
}>;

/** A deposit for a whole batch that the sandbox rail was told of, as it keeps it. */
export type RailFunding = FundingOrder & Readonly<{ answer: Extract<FundAnswer, { kind: "funded" }> }>;

export const asksFor = (legs: readonly PaymentLeg[], outcome: TestOutcome): boolean =>
  legs.some((leg) => leg.reference === outcome);

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
  const overdueMs = asksFor(order.legs, "SANDBOX-OVERDUE") ? OVERDUE_FACTOR * usualMs : undefined;
  if (isTransfer) {
    const expectedSettlementMs = nowMs + usualMs;
    // The deposit of the batch is the only one, and the rail has told it already.
    const deposit = fundingReference === undefined ? depositOf(terms, seed, order.payerCurrency, nowMs) : {};
    return { ...payment, settleMs: overdueMs ?? usualMs, answer: { ...answer, expectedSettlementMs, ...deposit } };
  }
  const checkoutUrl = `${baseUrl}/sandbox/checkout/${checkoutToken}`;
  const expectedSettlementMs = nowMs + CHECKOUT_OPEN_MS;
  return {
    ...payment,
    settleMs: overdueMs ?? 0,
    checkoutToken,
    ...(returnUrl !== undefined && { returnUrl }),
    answer: { ...answer, expectedSettlementMs, checkoutUrl },
  };
}

/** The deposit that telling `order` at `nowMs` for the first time announces. */
export function planFunding(order: FundingOrder, terms: SandboxTerms, nowMs: number): RailFunding {
  const { tenantId, fundingReference, currency } = order;
  const seed = hashOf([terms.rail.name, tenantId, fundingReference]);
  return { ...order, answer: { kind: "funded", ...depositOf(terms, seed, currency, nowMs) } };
}

const depositOf = ({ bank }: SandboxTerms, seed: string, currency: string, nowMs: number) => ({
  bankDetails: toBankDetails(bank, seed, currency),
  dueDate: new Date(nowMs + DUE_AFTER_MS).toISOString().slice(0, 10),
});

/** What the duplicate check compares: who pays whom how much, and under which references. The tenant is in the key. */
function fingerprintOf(order: PaymentOrder): string {
  const legs = order.legs
    .toSorted((left, right) => left.order - right.order)
    .map((leg) => [leg.payeeId, leg.payerAmount, leg.payeeAmount, leg.payeeCurrency, leg.reference ?? null]);
  return hashOf([order.payerKey, order.payerCurrency, legs]);
}

/** Whether the checkout was left unpaid until its session ended, so that it must be closed before anything else. */
export const isLapsed = (payment: RailPayment, nowMs: number): boolean =>
  payment.checkoutToken !== undefined && payment.end === undefined && nowMs >= payment.answer.expectedSettlementMs;

/** How the payment stands at `nowMs`, judged by the clock alone. */
export function statusOf(payment: RailPayment, nowMs: number): StatusAnswer {
  const { checkoutToken, end, settleMs } = payment;
  if (end?.how === "expired") return { kind: "cancelled", reason: "the checkout session ended unpaid" };
  if (end?.how === "cancelled") return { kind: "cancelled", reason: "called off before any money arrived" };
  if (end?.how === "declined") return { kind: "settled", legs: payment.legs.map((leg) => failedLeg(leg, "declined")) };
  const moneyInAtMs = checkoutToken === undefined ? payment.acceptedAtMs : end?.atMs;
  if (moneyInAtMs === undefined || nowMs < moneyInAtMs + settleMs) return { kind: "pending" };
  return { kind: "settled", legs: settledLegs(payment.legs) };
}

function settledLegs(legs: readonly PaymentLeg[]): LegOutcome[] {
  if (asksFor(legs, "SANDBOX-FAIL")) return legs.map((leg) => failedLeg(leg, "rejected by the beneficiary bank"));
  const marked = legs.filter((leg) => leg.reference === "SANDBOX-PARTIAL");
  // A link puts its one reference on every leg; failing them all would not be partial.
  const failing = marked.length === legs.length ? marked.slice(0, 1) : marked;
  return legs.map((leg) =>
    failing.includes(leg) ? failedLeg(leg, "beneficiary account closed") : { order: leg.order, outcome: "cleared" },
  );
}

const failedLeg = ({ order }: PaymentLeg, reason: string): LegOutcome => ({ order, outcome: "failed", reason });

const hashOf = (parts: unknown): string => createHash("sha256").update(JSON.stringify(parts)).digest("hex");
