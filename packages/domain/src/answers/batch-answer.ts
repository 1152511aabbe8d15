import type { BatchLeg } from "../batches/batch.ts";
import { legStatus, progressOf } from "../batches/leg.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import type { Correction } from "../money-state/correction.ts";
import { describeMoney, stateOf } from "../money-state/describe-money.ts";
import { splitRoleOf } from "../scenarios/split-role.ts";
import { feeState, type IntentExtras, toExecutionAnswer, toIntentAnswer } from "./intent-answer.ts";

/** A batch with its recipients; `legs` are items of their own. */
export function toBatchAnswer(intent: PaymentIntent, legs: readonly BatchLeg[], extras: IntentExtras = {}) {
  const shown = { legs: legs.map((leg) => toLegAnswer(intent, leg, extras.corrections)) };
  const executions = intent.executions.map((execution) => ({ ...toExecutionAnswer(execution), ...shown }));
  // The stored summary is written once a round and may lag behind, so that it is counted from the legs anew.
  return { ...toIntentAnswer(intent, extras), executions, bulkProgress: progressOf(legs) };
}

/** A recipient of a batch as its tenant sees it. Every amount stands beside its currency. */
export function toLegAnswer(intent: PaymentIntent, leg: BatchLeg, corrections: readonly Correction[] = []) {
  const money = describeMoney(intent, { legs: [leg], corrections, payees: new Map() });
  const { order, payment, fxRate, reason, waiting, acceptedAtMs, receivedAtMs, ended } = leg;
  const [line] = payment.legs;
  if (line === undefined) throw new Error(`Leg ${order} of a batch pays nobody`);
  const status = legStatus(leg);
  return {
    order,
    payeeId: line.payeeId,
    payeeName: line.payeeName,
    splitRole: splitRoleOf(intent.recipients, order),
    payerAmount: line.payerAmount,
    payerCurrency: payment.payerCurrency,
    payeeAmount: line.payeeAmount,
    payeeCurrency: line.payeeCurrency,
    ...(fxRate !== undefined && { fxRate }),
    ...stateOf(money, order),
    fee: payment.fee,
    ...feeState(money, order),
    feeCurrency: payment.payerCurrency,
    ...(line.reference !== undefined && { reference: line.reference }),
    status,
    connectorPaymentId: payment.connectorPaymentId,
    ...(reason !== undefined && { reason }),
    ...(status === "waiting" && waiting && { waitingUntil: new Date(waiting.untilMs).toISOString() }),
    ...(acceptedAtMs !== undefined && { acceptedAt: new Date(acceptedAtMs).toISOString() }),
    ...(receivedAtMs !== undefined && { receivedAt: new Date(receivedAtMs).toISOString() }),
    ...(ended !== undefined && { endedAt: new Date(ended.atMs).toISOString(), endedBy: ended.by }),
  };
}
