import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { Connector, ExecuteAnswer, PaymentLeg, PaymentOrder, StatusAnswer } from "@intents/domain/connector.ts";
import { newLinkToken, type RandomBytes } from "@intents/domain/ids.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { describeScenario } from "./descriptions.ts";
import { asksFor, isLapsed, type PaymentEnd, planPayment, type RailPayment, statusOf } from "./sandbox-payment.ts";
import {
  addPayment,
  addRefusal,
  endPayment,
  findPayment,
  findPaymentByToken,
  listPayments,
  type RailTable,
  type Stored,
} from "./sandbox-store.ts";

const LIST_MAX = 1000;

type SandboxOptions = Readonly<{
  db: DynamoDBDocumentClient;
  tableName: string;
  /** Where the checkout page is served, without a slash at the end. */
  baseUrl: string;
  settleSeconds: number;
  dedupSeconds: number;
  /** Milliseconds since 1970. */
  now: () => number;
  random: RandomBytes;
}>;

/** A payment as the rail holds it, for a tester to count and inspect. */
export type SandboxPayment = Readonly<{
  executionId: string;
  railPaymentId: string;
  paymentIntentId: string;
  connectorPaymentId: number;
  settlementMethod: string;
  currency: string;
  totalAmount: string;
  acceptedAt: string;
  status: StatusAnswer["kind"];
  checkoutUrl?: string;
  legs: readonly PaymentLeg[];
}>;

/** What the checkout page shows. */
export type SandboxCheckout = Readonly<{
  state: "open" | PaymentEnd;
  amount: string;
  currency: string;
  reference: string;
  closesAtMs: number;
  returnUrl?: string;
}>;

type CheckoutRefusal = Readonly<{ kind: "not_found" }> | Readonly<{ kind: "closed"; checkout: SandboxCheckout }>;

export type SandboxRail = Readonly<{
  connector: Connector;
  /** The tenant's payments, newest first; `limit` is 1 to 1,000. With `executionId`: only those of that execution. */
  listPayments(tenantId: string, query: Readonly<{ executionId?: string; limit: number }>): Promise<SandboxPayment[]>;
  findCheckout(token: string): Promise<SandboxCheckout | undefined>;
  /** Pays or declines. Repeating the first outcome succeeds again; another one, or a lapsed session, is `closed`. */
  finishCheckout(token: string, outcome: "pay" | "decline"): Promise<Result<SandboxCheckout, CheckoutRefusal>>;
}>;

/** A simulated rail with state of its own: never moves money, and answers as a real one would (DESIGN 6). */
export function openSandboxRail({ db, tableName, random, ...options }: SandboxOptions): SandboxRail {
  const table: RailTable = { db, name: tableName, random };
  const { now } = options;
  return {
    connector: {
      describe: (scenario) => describeScenario("sandbox", scenario),
      execute: (order, executionId) => execute(table, options, order, executionId).catch(toUnknown),
      status: (tenantId, executionId) => findStatus(table, tenantId, executionId, now()).catch(toUnavailable),
      cancel: (tenantId, executionId) => cancel(table, tenantId, executionId, now()).catch(toUnavailable),
    },
    async listPayments(tenantId, { executionId, limit }) {
      const found = await listPayments(table, tenantId, Math.min(Math.max(limit, 1), LIST_MAX), executionId);
      return found.map((payment) => toSandboxPayment(payment, now()));
    },
    async findCheckout(token) {
      const payment = await findPaymentByToken(table, token);
      return payment && toCheckout(payment, now());
    },
    async finishCheckout(token, outcome) {
      const wanted = outcome === "pay" ? "paid" : "declined";
      const payment = await findPaymentByToken(table, token);
      if (payment === undefined) return fail({ kind: "not_found" });
      const nowMs = now();
      const ended = await endPayment(table, payment, isLapsed(payment, nowMs) ? "expired" : wanted, nowMs);
      const checkout = toCheckout(ended, nowMs);
      return checkout.state === wanted ? ok(checkout) : fail({ kind: "closed", checkout });
    },
  };
}

async function execute(
  table: RailTable,
  options: Omit<SandboxOptions, "db" | "tableName" | "random">,
  order: PaymentOrder,
  executionId: string,
): Promise<ExecuteAnswer> {
  if (asksFor(order.legs, "SANDBOX-UNAVAILABLE"))
    return { kind: "unreachable", reason: "the sandbox plays unavailable" };
  const nowMs = options.now();
  const terms = { ...options, nowMs, checkoutToken: newLinkToken(table.random) };
  const payment = planPayment(order, executionId, terms);

  let stored: Stored = { kind: "held" };
  if (!asksFor(order.legs, "SANDBOX-DUPLICATE")) {
    stored = await addPayment(table, payment, options.dedupSeconds * 1000);
  }
  if (stored.kind === "held") stored = await addRefusal(table, order.tenantId, executionId, nowMs);

  switch (stored.kind) {
    case "stored":
      // The payment is made, only its answer is lost; whoever asks again finds it.
      if (asksFor(order.legs, "SANDBOX-TIMEOUT")) return { kind: "unknown", reason: "the sandbox lost its answer" };
      return payment.answer;
    case "found":
      return stored.payment.answer;
    default:
      return { kind: "duplicate" };
  }
}

async function findStatus(
  table: RailTable,
  tenantId: string,
  executionId: string,
  nowMs: number,
): Promise<StatusAnswer> {
  const payment = await findPayment(table, tenantId, executionId);
  if (payment === undefined) return { kind: "not_found" };
  // A cancellation is told only once it is stored, so that a payer cannot pay what we called cancelled.
  return statusOf(isLapsed(payment, nowMs) ? await endPayment(table, payment, "expired", nowMs) : payment, nowMs);
}

/** Calls off what has not been paid; what has, stands as it is. */
async function cancel(table: RailTable, tenantId: string, executionId: string, nowMs: number): Promise<StatusAnswer> {
  const payment = await findPayment(table, tenantId, executionId);
  if (payment === undefined) return { kind: "not_found" };
  const isPaid = payment.end !== undefined || statusOf(payment, nowMs).kind !== "pending";
  const ended = isPaid ? payment : await endPayment(table, payment, "cancelled", nowMs);
  return statusOf(ended, nowMs);
}

// Its own store failing is, to a rail's caller, a rail that did not answer: it may have accepted.
const toUnknown = (error: unknown): ExecuteAnswer => ({
  kind: "unknown",
  reason: `the sandbox failed: ${nameOf(error)}`,
});
const toUnavailable = (error: unknown): StatusAnswer => ({
  kind: "unavailable",
  reason: `the sandbox failed: ${nameOf(error)}`,
});
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "unknown");

function toCheckout(payment: RailPayment, nowMs: number): SandboxCheckout {
  return {
    state: payment.end?.how ?? (isLapsed(payment, nowMs) ? "expired" : "open"),
    amount: payment.totalAmount,
    currency: payment.payerCurrency,
    reference: String(payment.connectorPaymentId),
    closesAtMs: payment.answer.expectedSettlementMs,
    ...(payment.returnUrl !== undefined && { returnUrl: payment.returnUrl }),
  };
}

function toSandboxPayment(payment: RailPayment, nowMs: number): SandboxPayment {
  const { railPaymentId, checkoutUrl } = payment.answer;
  return {
    executionId: payment.executionId,
    railPaymentId,
    paymentIntentId: payment.intentId,
    connectorPaymentId: payment.connectorPaymentId,
    settlementMethod: payment.settlementMethod,
    currency: payment.payerCurrency,
    totalAmount: payment.totalAmount,
    acceptedAt: new Date(payment.acceptedAtMs).toISOString(),
    status: isLapsed(payment, nowMs) ? "cancelled" : statusOf(payment, nowMs).kind,
    ...(checkoutUrl === undefined ? {} : { checkoutUrl }),
    legs: payment.legs,
  };
}
