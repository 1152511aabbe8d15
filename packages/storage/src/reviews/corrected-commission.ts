import { commissionOfCorrection } from "@intents/domain/commissions/correction.ts";
import type { Execution, PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { Correction } from "@intents/domain/money-state/correction.ts";
import type { Payee } from "@intents/domain/parties/payee.ts";
import { findCommissions, newCommission, sameCommission } from "../commissions/commissions.ts";
import { findIntent, sameIntent } from "../intents/intents.ts";
import type { Table } from "../table/table.ts";
import type { Action } from "../table/transact.ts";

/** The payees of a payment. `released` is the order of a released draft as if it had failed. */
export type CommissionTerms = Readonly<{
  payees: ReadonlyMap<number, Pick<Payee, "name">>;
  released?: Execution | undefined;
}>;

/**
 * The commission that a correction makes, for the transaction of the correction; `corrections` are those that count from
 * then on. It is under review with its payment, from `since`, but for that of a released draft, which no review follows.
 * A name that is erased meanwhile fails the transaction.
 */
export async function correctedCommission(
  table: Table,
  { tenantId, id }: Pick<PaymentIntent, "tenantId" | "id">,
  correction: Correction,
  { corrections, since }: Readonly<{ corrections: readonly Correction[]; since: string | undefined }>,
  terms: CommissionTerms,
): Promise<Action[]> {
  const found = await findIntent(table, tenantId, id);
  const intent = found.ok ? found.value : undefined;
  const listed = intent?.executions.find(({ executionId }) => executionId === correction.executionId);
  const execution = listed ?? terms.released;
  if (intent === undefined || execution === undefined) return [];
  const stored = await findCommissions(table, tenantId, execution.connectorPaymentIds);
  const earned = stored.map(({ commission }) => commission);
  const known = { corrections, earned };
  const made = commissionOfCorrection(intent, execution, correction, known, terms.payees);
  if (made === undefined) return [];
  const [first] = stored;
  return [
    ...newCommission(table, tenantId, since && listed ? { ...made, underReview: { since } } : made),
    first === undefined ? sameIntent(table, intent) : sameCommission(table, tenantId, first.commission),
  ];
}
