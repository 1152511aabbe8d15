import { commissionOfCorrection, spreadOf } from "@intents/domain/commissions/correction.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { Payee } from "@intents/domain/parties/payee.ts";
import type { Correction } from "@intents/domain/standing/correction.ts";
import { findCommissions, newCommission, sameCommission } from "../commissions/commissions.ts";
import { findIntent, sameIntent } from "../intents/intents.ts";
import type { Table } from "../table/table.ts";
import type { Action } from "../table/transact.ts";

/** The payees of a payment, and the tenant's present terms, for executions whose quote locked none. */
export type CommissionTerms = Readonly<{
  commissionSpread: string;
  payees: ReadonlyMap<number, Pick<Payee, "name">>;
}>;

/**
 * The commission that a correction makes, for the transaction of the correction; `corrections` are those that count from
 * then on. It is under review with its payment, from `since`. A name that is erased meanwhile fails the transaction.
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
  const execution = intent?.executions.find(({ executionId }) => executionId === correction.executionId);
  // A batch earns nothing; a draft whose submission was released has no payment of its own.
  if (intent === undefined || execution === undefined || intent.bulkProgress !== undefined) return [];
  const stored = await findCommissions(table, tenantId, execution.connectorPaymentIds);
  const earned = stored.map(({ commission }) => commission);
  const commissionSpread = spreadOf(execution, earned) ?? terms.commissionSpread;
  const known = { corrections, earned };
  const made = commissionOfCorrection(intent, execution, correction, known, { ...terms, commissionSpread });
  if (made === undefined) return [];
  const [first] = stored;
  return [
    ...newCommission(table, tenantId, since === undefined ? made : { ...made, underReview: { since } }),
    first === undefined ? sameIntent(table, intent) : sameCommission(table, tenantId, first.commission),
  ];
}
