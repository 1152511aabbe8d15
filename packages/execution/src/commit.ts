import type { ExecuteAnswer } from "@intents/domain/connector.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { toIntentAnswer } from "@intents/domain/intent-answer.ts";
import { HISTORY_MAX, submitWalk, walk } from "@intents/domain/intent-states.ts";
import {
  type ConnectorPayment,
  type Execution,
  inOrder,
  type PaymentIntent,
  type Submission,
} from "@intents/domain/payment-intent.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { timerFor } from "@intents/domain/timer.ts";
import { consumeDocument } from "@intents/storage/documents.ts";
import { changeIntent } from "@intents/storage/intents.ts";
import { answerAction, findAnswer } from "@intents/storage/submissions.ts";
import type { Run, Submitted } from "./run.ts";

type Acceptance = Extract<ExecuteAnswer, { kind: "accepted" }>;

/**
 * Writes the rail's acceptance: status, execution, consumed documents, next poll and the exact answer, in one
 * transaction whose only condition is that the claim is still ours (H4).
 */
export async function commit(
  run: Run,
  intent: PaymentIntent,
  submission: Submission,
  accepted: Acceptance,
): Promise<Result<Submitted, Failure>> {
  const { table, settings } = run;
  const { executionId, attempt, documentIds, actor, keyHash, claimedAtMs } = submission;
  const { tenantId } = intent;
  const nowMs = run.now();
  const after = executing(run, intent, submission, accepted, nowMs);
  const body = JSON.stringify({ data: toIntentAnswer(after) });
  const stored = { executionId, claimedAtMs, body, ...(keyHash !== undefined && { keyHash }) };
  const { verdict } = await changeIntent(table, {
    guard: { kind: "claimed", before: intent, executionId, attempt },
    after,
    timer: timerFor(after, settings, nowMs),
    shards: settings.timerShards,
    events: [{ event: "paymentIntent.submitted", actor, at: after.updatedAt, data: auditData(intent, submission) }],
    also: [
      ...documentIds.map((id) => consumeDocument(table, tenantId, id, executionId, intent.id)),
      answerAction(table, tenantId, intent.id, stored),
    ],
  });
  if (verdict.done) return ok({ body, replayed: false });

  // The claim is not ours any more. If this execution was committed all the same, its answer is the answer (H15).
  const answer = await findAnswer(table, tenantId, intent.id);
  if (answer?.executionId === executionId) return ok({ body: answer.body, replayed: true });
  return fail({ kind: "outcome_unknown" });
}

function executing(
  run: Run,
  intent: PaymentIntent,
  submission: Submission,
  accepted: Acceptance,
  nowMs: number,
): PaymentIntent {
  const { submission: _claim, ...unclaimed } = intent;
  const moved = walk(unclaimed, intent.status === "draft" ? submitWalk : ["resume"], submission.actor, nowMs);
  const { provider } = run.connector.describe(intent);
  const { order } = submission;
  const execution: Execution = {
    executionId: submission.executionId,
    connector: provider,
    status: "executing",
    startedAt: new Date(nowMs).toISOString(),
    connectorPaymentIds: [order.connectorPaymentId],
    railPaymentId: accepted.railPaymentId,
    payer: submission.payer,
    legs: order.legs.map((leg) => ({ order: leg.order, payeeId: leg.payeeId, status: "executing" })),
    ...(submission.subject !== undefined && { subject: submission.subject }),
    ...(accepted.checkoutUrl !== undefined && { checkoutUrl: accepted.checkoutUrl }),
  };
  const connectorPayment = toConnectorPayment(submission, accepted);
  return {
    ...moved,
    executions: [...intent.executions, execution].slice(-HISTORY_MAX),
    expectedSettlementMs: accepted.expectedSettlementMs,
    lastConnectorPaymentId: order.connectorPaymentId,
    lastExecutionConnector: provider,
    ...(connectorPayment !== undefined && { connectorPayment }),
  };
}

/** Deposit details exist for bank transfers only; a checkout collects by itself (SPEC, behaviour rule 10). */
function toConnectorPayment({ order }: Submission, accepted: Acceptance): ConnectorPayment | undefined {
  const { bankDetails, dueDate } = accepted;
  if (bankDetails === undefined || dueDate === undefined) return undefined;
  const reference = String(order.connectorPaymentId);
  return {
    transactionBankDetails: bankDetails,
    reference,
    dueDate,
    amount: order.totalAmount,
    currency: order.payerCurrency,
    payouts: order.legs.map((leg) => ({
      payeeName: leg.payeeName,
      payerAmount: leg.payerAmount,
      payeeAmount: leg.payeeAmount,
      reference: leg.reference ?? reference,
    })),
  };
}

function auditData(intent: PaymentIntent, { executionId, attempt, order }: Submission) {
  const splitRoles = inOrder(intent.recipients).map(({ order: position, splitRole }) => ({
    order: position,
    splitRole: splitRole ?? "principal_provider_amount",
  }));
  return { executionId, attempt, connectorPaymentId: order.connectorPaymentId, splitRoles };
}
