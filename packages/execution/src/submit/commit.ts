import { toKeptBody } from "@intents/domain/answers/kept-body.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { submitterOf } from "@intents/domain/intents/audit-event.ts";
import type {
  ClaimedIntent,
  ConnectorPayment,
  Execution,
  ExecutionLeg,
  PaymentIntent,
} from "@intents/domain/intents/payment-intent.ts";
import { HISTORY_MAX, moveThrough, submitMoves } from "@intents/domain/intents/states.ts";
import type { Submission } from "@intents/domain/intents/submission.ts";
import { recipientsOf } from "@intents/domain/ledger/correcting.ts";
import { bookAcceptance } from "@intents/domain/ledger/ledger.ts";
import { reservedBy } from "@intents/domain/parties/document-ref.ts";
import { pick } from "@intents/domain/pick.ts";
import type { ExecuteAnswer, PaymentLeg, PaymentOrder, TransactionBankDetails } from "@intents/domain/rails/rail.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { splitRoleOf } from "@intents/domain/scenarios/split-role.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { ledgerActions } from "@intents/storage/intents/ledger.ts";
import { answerAction, findAnswer, keepAnswer } from "@intents/storage/intents/submissions.ts";
import { consumeDocument } from "@intents/storage/parties/documents.ts";
import { change } from "../change.ts";
import { findClaimedRail } from "../rails/ask.ts";
import { recordLateAcceptance } from "../rails/late-outcomes.ts";
import type { Run, Submitted } from "../run.ts";
import { withKey } from "./key.ts";

type Acceptance = Extract<ExecuteAnswer, { kind: "accepted" }>;

/** A commit's addition to the intent: the execution that begins, and the other fields that are known by then. */
export type Begun = Readonly<{ execution: Execution }> &
  Pick<PaymentIntent, "connectorPayment" | "expectedSettlementMs" | "lastConnectorPaymentId" | "bulkProgress">;

/**
 * Writes the rail's acceptance: status, execution, consumed documents, next poll and the exact answer, in one
 * transaction. Its only condition is that the claim is still ours (H4); an Idempotency-Key that is not stays out of it.
 */
export async function commit(run: Run, claimed: ClaimedIntent, begun: Begun): Promise<Result<Submitted, Failure>> {
  const { table } = run;
  const { tenantId, id, submission } = claimed;
  const { executionId, keyHash, claimedAtMs } = submission;
  const after = executing(claimed, begun, run.now());
  const body = toKeptBody(after, submission.metadata);
  const stored = { executionId, claimedAtMs, body, ...(keyHash !== undefined && { keyHash }) };
  const data = auditData(submission, begun);
  const event = { name: "submitted", actor: submitterOf(claimed), data } as const;
  const keeping = keyHash === undefined ? [] : [keepAnswer(table, claimed, keyHash, claimedAtMs)];
  const { changed, hasKey } = await withKey(keeping, (keyActions) =>
    change(run, { before: claimed, after, events: [event] }, [
      ...reservedBy(submission).map((ref) => consumeDocument(table, tenantId, ref, executionId, id)),
      // A payer's session has no key, by which its answer could be asked for again.
      ...(claimed.deliveryMode === "payment_link_submission" ? [] : [answerAction(table, tenantId, id, stored)]),
      ...ledgerActions(table, claimed, begun.bulkProgress === undefined ? bookAcceptance(begun.execution) : []),
      ...keyActions,
    ]),
  );
  if (changed.done) return ok({ body, replayed: false, isKept: hasKey, intent: changed.intent });

  // The claim is no longer ours. If another worker committed this execution, its stored answer is the answer (H15).
  const answer = await findAnswer(table, tenantId, id);
  if (answer?.executionId === executionId) return ok({ body: answer.body, replayed: true });
  const found = await findIntent(table, tenantId, id);
  if (found.ok && found.value.executions.at(-1)?.executionId === executionId) {
    return ok({ body: toKeptBody(found.value, submission.metadata), replayed: true, intent: found.value });
  }
  const { work } = submission;
  const about = { tenantId, id, executionId };
  if (work.kind === "payment") {
    const earning = { paymentId: work.order.connectorPaymentId, ...pick(work, ["commissionSpread"]) };
    await recordLateAcceptance(run, about, recipientsOf(claimed, executionId, work.order), earning);
  } else {
    await recordLateAcceptance(run, about);
  }
  return fail({ kind: "outcome_unknown" });
}

function executing(claimed: ClaimedIntent, begun: Begun, nowMs: number): PaymentIntent {
  const { submission, ...unclaimed } = claimed;
  const moved = moveThrough(unclaimed, claimed.status === "draft" ? submitMoves : ["resume"], submission.actor, nowMs);
  const { execution, ...known } = begun;
  return {
    ...moved,
    ...known,
    executions: [...claimed.executions, execution].slice(-HISTORY_MAX),
    lastExecutionConnector: execution.connector,
    ...(submission.rail !== undefined && { rail: submission.rail }),
  };
}

/** The fields that every execution begins with. */
export function newExecution(run: Run, claimed: ClaimedIntent): Omit<Execution, "legs" | "currency" | "fee"> {
  const { executionId, claimedAtMs, payer, subject } = claimed.submission;
  return {
    executionId,
    connector: providerOf(run, claimed),
    status: "executing",
    // The rail may have the payment from the claim on, whichever worker commits it, and when.
    startedAt: new Date(claimedAtMs).toISOString(),
    connectorPaymentIds: [],
    payer,
    ...(subject !== undefined && { subject }),
  };
}

/** The name of the rail that accepted. It must be configured, because it was asked just now. */
function providerOf(run: Run, intent: PaymentIntent): string {
  const rail = findClaimedRail(run, intent);
  if (rail === undefined) throw new Error(`The rail of the claim of ${intent.id} answered and is not configured`);
  return rail.describe(intent).provider;
}

/** A leg as the execution shows it: under way, booked against the account of its split role. */
const toExecutionLeg = (
  { recipients }: PaymentIntent,
  { payerCurrency }: PaymentOrder,
  { order, payeeId, payerAmount, payeeAmount, payeeCurrency }: PaymentLeg,
): ExecutionLeg => ({
  order,
  payeeId,
  splitRole: splitRoleOf(recipients, order),
  payerAmount,
  payerCurrency,
  payeeAmount,
  payeeCurrency,
  status: "executing",
});

/** One payment that the rail has accepted. */
export function paidExecution(run: Run, claimed: ClaimedIntent, order: PaymentOrder, accepted: Acceptance): Begun {
  const connectorPayment = toConnectorPayment(order, accepted);
  const { work } = claimed.submission;
  return {
    execution: {
      ...newExecution(run, claimed),
      ...(work.kind === "payment" && pick(work, ["commissionSpread"])),
      connectorPaymentIds: [order.connectorPaymentId],
      railPaymentId: accepted.railPaymentId,
      ...(accepted.checkoutUrl !== undefined && { checkoutUrl: accepted.checkoutUrl }),
      currency: order.payerCurrency,
      fee: order.fee,
      legs: order.legs.map((leg) => toExecutionLeg(claimed, order, leg)),
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
  const { totalAmount: amount, payerCurrency: currency, connectorPaymentId, legs } = order;
  return depositOf({ amount, currency, reference: String(connectorPaymentId), legs }, { bankDetails, dueDate });
}

/** The payer's deposit and its shares: of one payment, or of a whole batch. */
export function depositOf(
  deposit: Pick<ConnectorPayment, "amount" | "currency" | "reference"> & Readonly<{ legs: readonly PaymentLeg[] }>,
  { bankDetails, dueDate }: Readonly<{ bankDetails: TransactionBankDetails; dueDate: string }>,
): ConnectorPayment {
  const { legs, reference, amount, currency } = deposit;
  return {
    transactionBankDetails: bankDetails,
    reference,
    dueDate,
    amount,
    currency,
    payouts: legs.map((leg) => ({
      payeeName: leg.payeeName,
      payerAmount: leg.payerAmount,
      payerCurrency: currency,
      payeeAmount: leg.payeeAmount,
      payeeCurrency: leg.payeeCurrency,
      reference: leg.reference ?? reference,
    })),
  };
}

/**
 * The audit data of a commit: the payment that was sent, and the account that each leg is booked to (SPEC, splitRole:
 * "recorded in the audit log").
 */
function auditData({ executionId, attempt }: Submission, { execution }: Begun) {
  const splitRoles = execution.legs.map(({ order, splitRole }) => ({ order, splitRole }));
  return { executionId, attempt, connectorPaymentIds: execution.connectorPaymentIds, splitRoles };
}
