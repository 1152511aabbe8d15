import { fromMinorUnits, toMinorUnits } from "../amounts/money.ts";
import { shownStatus } from "../intents/leg-status.ts";
import type {
  ConnectorPayment,
  Execution,
  ExecutionLeg,
  ExecutionPlan,
  PaymentIntent,
} from "../intents/payment-intent.ts";
import type { UnderReview } from "../intents/review.ts";
import { hasMetadata, type Metadata } from "../metadata.ts";
import type { Correction } from "../money-state/correction.ts";
import { describeMoney, stateOf } from "../money-state/describe-money.ts";
import type { MoneyPart, MoneyState } from "../money-state/money-state.ts";
import { pick } from "../pick.ts";

// The fields of an intent that callers see. Everything else stays inside: the contract names the same fields, and does
// not compile when they differ.

const intentFields = [
  "id",
  "status",
  "useCase",
  "deliveryMode",
  "amountMode",
  "name",
  "externalId",
  "payer",
  "subject",
  "recipients",
  "instructions",
  "termsAccepted",
  "publicLinkId",
  "createdFrom",
  "payerChoice",
  "linkClosedAt",
  "createdAt",
  "updatedAt",
  "createdBy",
  "lastConnectorPaymentId",
  "lastPaymentLinkUrl",
  "lastExecutionConnector",
  "bulkProgress",
] as const satisfies (keyof PaymentIntent)[];

const executionFields = [
  "executionId",
  "connector",
  "status",
  "startedAt",
  "receivedAt",
  "endedAt",
  "connectorPaymentIds",
  "railPaymentId",
  "paymentLinkUrl",
  "checkoutUrl",
  "payer",
  "subject",
  "currency",
  "fee",
  "cause",
] as const satisfies (keyof Execution)[];

const legFields = [
  "order",
  "payeeId",
  "splitRole",
  "payerAmount",
  "payerCurrency",
  "payeeAmount",
  "payeeCurrency",
  "status",
  "reason",
] as const satisfies (keyof ExecutionLeg)[];

const paymentFields = [
  "transactionBankDetails",
  "reference",
  "dueDate",
  "amount",
  "announced",
  "received",
  "currency",
  "payouts",
] as const satisfies (keyof ConnectorPayment)[];

const planFields = [
  "compiledAt",
  "connector",
  "quoteId",
  "selectedQuoteVariantId",
  "settlementMethod",
  "settlementChannel",
  "currency",
  "totalAmount",
  "fee",
  "legs",
] as const satisfies (keyof ExecutionPlan)[];

/** An intent tells so many of its newest corrections. */
const CORRECTIONS_MAX = 50;

/** A correction as callers see it. */
export const toCorrectionAnswer = ({
  number,
  at,
  executionId,
  order,
  outcome,
  payerAmount,
  payeeAmount,
}: Correction) => ({
  number,
  at,
  executionId,
  order,
  outcome,
  payerAmount: payerAmount.amount,
  payerCurrency: payerAmount.currency,
  payeeAmount: payeeAmount.amount,
  payeeCurrency: payeeAmount.currency,
});

/** Parts of an intent's answer that are stored apart: its review, the corrections of its money, and its metadata. */
export type IntentExtras = Readonly<{
  underReview?: UnderReview;
  corrections?: readonly Correction[];
  metadata?: Metadata | undefined;
}>;

/**
 * An intent as callers see it, each amount of an execution beside the word for where that money is. The legs of a batch are
 * shown only in the answer about that one batch.
 */
export function toIntentAnswer(intent: PaymentIntent, { underReview, corrections = [], metadata }: IntentExtras = {}) {
  const { bulkProgress, executions, statusHistory, executionPlan, connectorPayment } = intent;
  return {
    ...pick(intent, intentFields),
    ...(hasMetadata(metadata) && { metadata }),
    statusHistory: statusHistory.map((step) => pick(step, ["status", "at", "by"])),
    executions: executions.map((execution) => {
      const parts = bulkProgress === undefined ? describeExecution(intent, execution, corrections) : [];
      const legs = execution.legs.map((leg) => ({ ...toLegAnswer(leg, execution), ...stateOf(parts, leg.order) }));
      return { ...toExecutionAnswer(execution), ...feeState(parts), ...(bulkProgress === undefined && { legs }) };
    }),
    ...(corrections.length > 0 && { corrections: corrections.slice(-CORRECTIONS_MAX).map(toCorrectionAnswer) }),
    ...(underReview !== undefined && { underReview: pick(underReview, ["since", "about"]) }),
    ...(executionPlan !== undefined && { executionPlan: pick(executionPlan, planFields) }),
    ...(connectorPayment !== undefined && {
      connectorPayment: toDepositAnswer(connectorPayment, bulkProgress === undefined ? [] : corrections),
    }),
  };
}

export type IntentAnswer = ReturnType<typeof toIntentAnswer>;

/**
 * A deposit as callers see it, after the corrections of a batch. The surplus is the money that came in and that no
 * recipient needs, which is owed back to the tenant.
 */
function toDepositAnswer(deposit: ConnectorPayment, corrections: readonly Correction[]) {
  const { amount, received, currency } = deposit;
  const change = corrections.reduce((sum, one) => sum + neededBy(one), 0n);
  const needed = toMinorUnits(amount, currency) + change;
  const shown = { ...pick(deposit, paymentFields), ...(change !== 0n && { amount: fromMinorUnits(needed, currency) }) };
  if (received === undefined) return shown;
  const units = toMinorUnits(received, currency) - needed;
  return { ...shown, surplus: fromMinorUnits(units > 0n ? units : 0n, currency) };
}

/** The money that a correction's recipient needs from a deposit, in minor units, above its need before all corrections. */
function neededBy({ before, outcome, payerAmount: { amount, currency } }: Correction): bigint {
  if (before === undefined || (before === "settled") === (outcome === "arrived")) return 0n;
  const units = toMinorUnits(amount, currency);
  return outcome === "arrived" ? units : -units;
}

/** An execution as callers see it, but for its legs. */
export const toExecutionAnswer = (execution: Execution) => pick(execution, executionFields);

const toLegAnswer = (leg: ExecutionLeg, { status }: Execution) => ({
  ...pick(leg, legFields),
  status: shownStatus(leg.status, status),
});

/** Where the money of one execution of a payment is; that of a submission that was released stands in the corrections. */
const describeExecution = (intent: PaymentIntent, execution: Execution, all: readonly Correction[]) => {
  const corrections = all.filter(({ executionId }) => executionId === execution.executionId);
  return describeMoney({ ...intent, executions: [execution] }, { legs: [], corrections, payees: new Map() });
};

/** Where a fee is; nothing is told where none was charged. */
export function feeState(parts: readonly MoneyPart[], order?: number): Readonly<{ feeMoney?: MoneyState }> {
  const part = parts.find((one) => one.part === "fee" && one.order === order);
  return part === undefined ? {} : { feeMoney: part.state };
}

/** An intent as an item of a list: its id has both its names, and every link has a name (DESIGN 17). */
export function toIntentItem(intent: PaymentIntent, extras?: IntentExtras) {
  const name = intent.deliveryMode === "reusable_payment_link" ? { name: intent.name ?? null } : {};
  return { _id: intent.id, ...toIntentAnswer(intent, extras), ...name };
}
