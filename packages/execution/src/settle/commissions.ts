import { commissionOf, earningLegs } from "@intents/domain/commissions/commission.ts";
import type { Execution, PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { mayHaveBeenReleased } from "@intents/domain/intents/review.ts";
import { newCommission } from "@intents/storage/commissions/commissions.ts";
import { findPayees } from "@intents/storage/parties/payees.ts";
import { findReviewState, reviewCheck } from "@intents/storage/reviews/reviews.ts";
import type { Action } from "@intents/storage/table/transact.ts";
import type { Run } from "../run.ts";

/**
 * The commission of an execution that has just ended, for the transaction that ends it (DESIGN 11): under review where a
 * record about the payment is open, or opens in the same transaction (`isReviewed`). A review that began before the
 * execution ended is about an earlier submission; the transaction checks that there is none where there may be one.
 */
export async function commissionActions(
  { table }: Pick<Run, "table">,
  intent: PaymentIntent,
  execution: Execution,
  isReviewed: boolean,
): Promise<Action[]> {
  const legs = earningLegs(intent, execution);
  const { commissionSpread } = execution;
  // A batch earns nothing.
  if (legs.length === 0 || commissionSpread === undefined) return [];
  const { tenantId } = intent;
  const payeeIds = legs.map(({ payeeId }) => payeeId);
  const payees = await findPayees(table, payeeIds);
  const commission = commissionOf(intent, execution, { commissionSpread }, payees);
  if (commission === undefined) return [];
  if (isReviewed) return newCommission(table, tenantId, { ...commission, underReview: { since: intent.updatedAt } });
  if (!mayHaveBeenReleased(intent)) return newCommission(table, tenantId, commission);
  const { underReview } = await findReviewState(table, intent);
  const earned = underReview === undefined ? commission : { ...commission, underReview: { since: underReview.since } };
  return [...newCommission(table, tenantId, earned), reviewCheck(table, intent, underReview !== undefined)];
}
