import type { Execution, PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import {
  type CorrectedRecipient,
  correctionRow,
  isReceived,
  recipientsOf,
  uncorrectedEnd,
} from "@intents/domain/ledger/correcting.ts";
import type { CorrectedOutcome } from "@intents/domain/money-state/correction.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { inOrder } from "@intents/domain/scenarios/draft.ts";
import { splitRoleOf } from "@intents/domain/scenarios/split-role.ts";
import type { OperatorChange } from "@intents/storage/audit/operators.ts";
import { findLeg } from "@intents/storage/intents/batch-legs.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { findPayees } from "@intents/storage/parties/payees.ts";
import { countCommissions, reviewCommissions } from "@intents/storage/reviews/commissions.ts";
import { type Corrected, correctRecipient } from "@intents/storage/reviews/corrections.ts";
import {
  closeReconciliation,
  findReconciliations,
  type Reconciliation,
  reconciliationId,
} from "@intents/storage/reviews/reconciliation.ts";
import { findReviewState } from "@intents/storage/reviews/reviews.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { arrivedByLink } from "../links/end.ts";
import type { Run } from "../run.ts";
import type { Obstacle } from "./obstacle.ts";

/** An operator's findings: one outcome for all recipients of a record, or one for each by its order. */
export type Outcomes = CorrectedOutcome | ReadonlyMap<number, CorrectedOutcome>;

/** The record to be closed, and the corrections that come with it. */
export type PlannedClose = Readonly<{
  record: Reconciliation;
  intent: PaymentIntent | undefined;
  corrections: readonly Corrected[];
}>;

/**
 * The close of a record with an outcome for each of its recipients, or why it cannot be closed so. A record about nobody's
 * money, such as a deposit that no recipient was paid from, is closed without outcomes.
 */
export async function planClose(
  table: Table,
  tenantId: string,
  id: string,
  outcomes: Outcomes | undefined,
): Promise<Result<PlannedClose, Obstacle>> {
  const [intentId = ""] = id.split("#");
  const records = await findReconciliations(table, tenantId, intentId);
  const record = records.find((one) => reconciliationId(one) === id && one.closed === undefined);
  if (record === undefined) return fail({ kind: "no_record", id });
  const found = await findIntent(table, tenantId, intentId);
  const intent = found.ok ? found.value : undefined;
  const recipients = intent === undefined ? [] : await recipientsIn(table, intent, record);
  const orders = recipients.map(({ order }) => order);
  if (intent === undefined || recipients.length === 0) {
    return outcomes === undefined ? ok({ record, intent, corrections: [] }) : fail({ kind: "no_recipient_in_record" });
  }
  if (outcomes === undefined) return fail({ kind: "outcomes_missing", orders });
  const outcomeOf = (order: number) => (typeof outcomes === "string" ? outcomes : outcomes.get(order));
  const others = typeof outcomes === "string" ? [] : [...outcomes.keys()].filter((order) => !orders.includes(order));
  if (others.length > 0) return fail({ kind: "others_in_record", orders, others });
  const corrections: Corrected[] = [];
  for (const recipient of recipients) {
    const outcome = outcomeOf(recipient.order);
    if (outcome === undefined) return fail({ kind: "outcome_missing", order: recipient.order });
    const leg = intent.bulkProgress === undefined ? undefined : await findLeg(table, intent, recipient.order);
    const legs = leg === undefined ? [] : [leg];
    corrections.push({
      recipient: { ...recipient, isReceived: isReceived(intent, legs, recipient) },
      before: uncorrectedEnd(intent, legs, recipient),
      outcome,
    });
  }
  const full = await whyFull(table, intent, corrections);
  return full === undefined ? ok({ record, intent, corrections }) : fail(full);
}

/**
 * Why a payment takes no more corrections that make commissions: its next review would not fit into one transaction, and
 * what its rail says then would be lost. Corrections that say what the books have make none.
 */
async function whyFull(
  table: Table,
  intent: PaymentIntent,
  corrections: readonly Corrected[],
): Promise<Obstacle | undefined> {
  const { tenantId, id, executions, bulkProgress } = intent;
  if (bulkProgress !== undefined) return undefined;
  const { corrections: known = [] } = await findReviewState(table, { tenantId, id });
  const making = corrections.filter(({ recipient: { executionId, order }, before, outcome }) => {
    const newest = known.find((one) => one.executionId === executionId && one.order === order);
    return correctionRow(newest?.outcome ?? before, outcome).commission !== undefined;
  });
  const paymentIds = executions.flatMap(({ connectorPaymentIds }) => connectorPaymentIds);
  const { count, left } = await countCommissions(table, tenantId, paymentIds);
  if (making.length === 0 || making.length <= left) return undefined;
  return { kind: "no_more_commissions", count };
}

/**
 * Corrects each recipient in a transaction of its own, and closes the record last, which may end the review: the same
 * command finishes what a crash has left. Undefined when the record was closed, or told another word, meanwhile.
 */
export async function closeWith(
  run: Run,
  { record, intent, corrections }: PlannedClose,
  change: OperatorChange,
): Promise<Reconciliation | undefined> {
  const { table, now } = run;
  const id = reconciliationId(record);
  const terms = intent && (await termsOf(table, intent, record));
  for (const corrected of corrections) {
    if (intent === undefined || terms === undefined) continue;
    const arrived = (at: string) => arrivedByLink(run, intent, at);
    const means = { nowMs: now(), terms, arrived };
    if (!(await correctRecipient(table, intent, record, corrected, means))) return undefined;
  }
  return closeReconciliation(table, record.tenantId, id, { ...change, atMs: now() }, { reviewCommissions });
}

/** The terms of the commissions that corrections make. */
async function termsOf(table: Table, intent: PaymentIntent, record: Reconciliation) {
  const released = releasedIn(intent, record);
  const execution = intent.executions.find(({ executionId }) => executionId === record.executionId) ?? released;
  const payeeIds = (execution?.legs ?? []).map(({ payeeId }) => payeeId);
  return { payees: await findPayees(table, payeeIds), released };
}

/** The order of a released draft, as far as its record keeps it: amounts and ids, and nobody's name. */
function releasedIn(intent: PaymentIntent, record: Reconciliation): Execution | undefined {
  const { executionId, openedAt, earning, recipients = [] } = record;
  const [first] = recipients;
  if (earning === undefined || first === undefined) return undefined;
  const { paymentId, ...terms } = earning;
  const payeeOf = (order: number) =>
    inOrder(intent.recipients).find((one) => one.order === order)?.connectorPayeeId ?? 0;
  return {
    executionId,
    connector: "",
    status: "failed",
    startedAt: openedAt,
    connectorPaymentIds: [paymentId],
    payer: {},
    currency: first.payerAmount.currency,
    fee: "0",
    ...terms,
    legs: recipients.map(({ order, splitRole, payerAmount: { amount: payerAmount } }) => ({
      order,
      splitRole,
      payerAmount,
      payeeId: payeeOf(order),
      status: "failed",
    })),
  };
}

/** The recipients that a record is about: those of its execution, or of the order that it has kept. */
async function recipientsIn(
  table: Table,
  intent: PaymentIntent,
  { executionId, recipients }: Reconciliation,
): Promise<readonly CorrectedRecipient[]> {
  if (recipients !== undefined) return recipients;
  if (intent.bulkProgress !== undefined) {
    const [, order] = executionId.split(":");
    const leg = order === undefined ? undefined : await findLeg(table, intent, Number(order));
    return leg?.executionId === executionId ? recipientsOf(intent, executionId, leg.payment) : [];
  }
  const execution = intent.executions.find((one) => one.executionId === executionId);
  return (execution?.legs ?? []).map(({ order, payerAmount, payeeAmount = "0", payeeCurrency = "" }) => ({
    executionId,
    order,
    splitRole: splitRoleOf(intent.recipients, order),
    payerAmount: { amount: payerAmount, currency: execution?.currency ?? "" },
    payeeAmount: { amount: payeeAmount, currency: payeeCurrency },
  }));
}
