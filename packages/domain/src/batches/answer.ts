import { toExecutionAnswer, toIntentAnswer } from "../intents/answer.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import { splitRoleOf } from "../scenarios/split-role.ts";
import type { BatchLeg } from "./batch.ts";
import { progressOf } from "./leg.ts";

/** A batch with its recipients as they stand at `nowMs`; `legs` are items of their own. */
export function toBatchAnswer(intent: PaymentIntent, legs: readonly BatchLeg[], nowMs: number) {
  const told = { legs: legs.map((leg) => toLegAnswer(intent, leg, nowMs)) };
  const executions = intent.executions.map((execution) => ({ ...toExecutionAnswer(execution), ...told }));
  // The stored summary is written once a round and may lag behind, so that it is counted from the legs anew.
  return { ...toIntentAnswer(intent), executions, bulkProgress: progressOf(legs) };
}

/** A recipient of a batch as its tenant sees it. Every amount stands beside its currency. */
export function toLegAnswer(intent: Pick<PaymentIntent, "recipients" | "stopped">, leg: BatchLeg, nowMs: number) {
  const { order, payment, fxRate, reason, waiting, acceptedAtMs, ended } = leg;
  const [line] = payment.legs;
  if (line === undefined) throw new Error(`Leg ${order} of a batch pays nobody`);
  const status = shownStatus(intent, leg, nowMs);
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
    fee: payment.fee,
    feeCurrency: payment.payerCurrency,
    ...(line.reference !== undefined && { reference: line.reference }),
    status,
    connectorPaymentId: payment.connectorPaymentId,
    ...(reason !== undefined && { reason }),
    ...(status === "waiting" && waiting && { waitingUntil: new Date(waiting.untilMs).toISOString() }),
    ...(acceptedAtMs !== undefined && { acceptedAt: new Date(acceptedAtMs).toISOString() }),
    ...(ended !== undefined && { endedAt: new Date(ended.atMs).toISOString(), endedBy: ended.by }),
  };
}

function shownStatus(
  { stopped }: Pick<PaymentIntent, "stopped">,
  leg: BatchLeg,
  nowMs: number,
): BatchLeg["status"] | "held" | "waiting" {
  if (leg.status !== "pending") return leg.status;
  if (stopped?.how === "held") return "held";
  return leg.waiting !== undefined && leg.waiting.untilMs > nowMs ? "waiting" : "pending";
}
