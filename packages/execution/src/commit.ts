import type { ExecuteAnswer, PaymentLeg, PaymentOrder } from "@intents/domain/connector.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { toIntentAnswer } from "@intents/domain/intent-answer.ts";
import { HISTORY_MAX, submitWalk, walk } from "@intents/domain/intent-states.ts";
import { bookAcceptance } from "@intents/domain/ledger.ts";
import type {
  ConnectorPayment,
  Execution,
  ExecutionLeg,
  PaymentIntent,
  Submission,
} from "@intents/domain/payment-intent.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { splitRoleOf } from "@intents/domain/split-role.ts";
import { timerFor } from "@intents/domain/timer.ts";
import { consumeDocument } from "@intents/storage/documents.ts";
import { changeIntent, findIntent } from "@intents/storage/intents.ts";
import { ledgerActions } from "@intents/storage/ledger.ts";
import { openReconciliation } from "@intents/storage/reconciliation.ts";
import { answerAction, findAnswer } from "@intents/storage/submissions.ts";
import type { Run, Submitted } from "./run.ts";

type Acceptance = Extract<ExecuteAnswer, { kind: "accepted" }>;

/** What a commit adds to the intent: the execution that begins, and what else is known of it. */
export type Begun = Readonly<{ execution: Execution }> &
  Pick<PaymentIntent, "connectorPayment" | "expectedSettlementMs" | "lastConnectorPaymentId" | "bulkProgress">;

/**
 * Writes the rail's acceptance: status, execution, consumed documents, next poll and the exact answer, in one
 * transaction whose only condition is that the claim is still ours (H4).
 */
export async function commit(
  run: Run,
  intent: PaymentIntent,
  submission: Submission,
  begun: Begun,
): Promise<Result<Submitted, Failure>> {
  const { table, settings } = run;
  const { executionId, attempt, documentIds, actor, keyHash, claimedAtMs } = submission;
  const { tenantId } = intent;
  const nowMs = run.now();
  const after = executing(intent, submission, begun, nowMs);
  const body = JSON.stringify({ data: toIntentAnswer(after) });
  const stored = { executionId, claimedAtMs, body, ...(keyHash !== undefined && { keyHash }) };
  const { verdict } = await changeIntent(table, {
    guard: { kind: "claimed", before: intent, executionId, attempt },
    after,
    timer: timerFor(after, settings, nowMs),
    shards: settings.timerShards,
    events: [{ event: "paymentIntent.submitted", actor, at: after.updatedAt, data: auditData(submission, begun) }],
    also: [
      ...documentIds.map((id) => consumeDocument(table, tenantId, id, executionId, intent.id)),
      answerAction(table, tenantId, intent.id, stored),
      ...ledgerActions(table, intent, begun.bulkProgress === undefined ? bookAcceptance(begun.execution) : []),
    ],
  });
  if (verdict.done) return ok({ body, replayed: false });

  // The claim is not ours any more. If this execution was committed all the same, its answer is the answer (H15).
  const answer = await findAnswer(table, tenantId, intent.id);
  if (answer?.executionId === executionId) return ok({ body: answer.body, replayed: true });
  await recordLateAcceptance(run, intent, executionId);
  return fail({ kind: "outcome_unknown" });
}

/** The rail accepted what nobody claims any more: a terminal intent is not revived, an operator looks at it. */
async function recordLateAcceptance({ table, now }: Run, { tenantId, id }: PaymentIntent, executionId: string) {
  const found = await findIntent(table, tenantId, id);
  if (!found.ok) return;
  const { submission, status } = found.value;
  // Whoever took over asks the rail the same question, and commits the same answer.
  if (submission?.executionId === executionId) return;
  const openedAt = new Date(now()).toISOString();
  const record = { tenantId, intentId: id, executionId, said: "accepted", stands: status, openedAt };
  await openReconciliation(table, { ...record, kind: "accepted_after_release" });
}

function executing(intent: PaymentIntent, submission: Submission, begun: Begun, nowMs: number): PaymentIntent {
  const { submission: _claim, ...unclaimed } = intent;
  const moved = walk(unclaimed, intent.status === "draft" ? submitWalk : ["resume"], submission.actor, nowMs);
  const { execution, ...known } = begun;
  return {
    ...moved,
    ...known,
    executions: [...intent.executions, execution].slice(-HISTORY_MAX),
    lastExecutionConnector: execution.connector,
  };
}

/** How every execution begins, whatever it does. */
export function newExecution(
  run: Run,
  intent: PaymentIntent,
  submission: Submission,
): Omit<Execution, "legs" | "currency" | "fee"> {
  return {
    executionId: submission.executionId,
    connector: run.connector.describe(intent).provider,
    status: "executing",
    startedAt: new Date(run.now()).toISOString(),
    connectorPaymentIds: [],
    payer: submission.payer,
    ...(submission.subject !== undefined && { subject: submission.subject }),
  };
}

/** A leg as the execution shows it: under way, booked against the account of its split role. */
export const toExecutionLeg = (
  { recipients }: PaymentIntent,
  { order, payeeId, payerAmount }: PaymentLeg,
): ExecutionLeg => ({ order, payeeId, splitRole: splitRoleOf(recipients, order), payerAmount, status: "executing" });

/** One payment that the rail has accepted. */
export function paidExecution(
  run: Run,
  intent: PaymentIntent,
  submission: Submission,
  order: PaymentOrder,
  accepted: Acceptance,
): Begun {
  const connectorPayment = toConnectorPayment(order, accepted);
  return {
    execution: {
      ...newExecution(run, intent, submission),
      connectorPaymentIds: [order.connectorPaymentId],
      railPaymentId: accepted.railPaymentId,
      ...(accepted.checkoutUrl !== undefined && { checkoutUrl: accepted.checkoutUrl }),
      currency: order.payerCurrency,
      fee: order.fee,
      legs: order.legs.map((leg) => toExecutionLeg(intent, leg)),
    },
    expectedSettlementMs: accepted.expectedSettlementMs,
    lastConnectorPaymentId: order.connectorPaymentId,
    ...(connectorPayment !== undefined && { connectorPayment }),
  };
}

/** Deposit details exist for bank transfers only; a checkout collects by itself (SPEC, behaviour rule 10). */
function toConnectorPayment(order: PaymentOrder, accepted: Acceptance): ConnectorPayment | undefined {
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

/** What was sent, and as what each leg is booked (SPEC, splitRole: "recorded in the audit log"). */
function auditData({ executionId, attempt }: Submission, { execution }: Begun) {
  const splitRoles = execution.legs.map(({ order, splitRole }) => ({ order, splitRole }));
  return { executionId, attempt, connectorPaymentIds: execution.connectorPaymentIds, splitRoles };
}
