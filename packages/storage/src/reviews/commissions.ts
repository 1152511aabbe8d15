import type { Commission } from "@intents/domain/commissions/commission.ts";
import { findCommissions, outstandingActions, replaceCommission } from "../commissions/commissions.ts";
import { keysOf } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import type { Action } from "../table/transact.ts";

/**
 * The writes by which the commissions of a payment follow its review, for the transaction that begins (`since`) or ends
 * it. Meanwhile a commission is not outstanding, and the request that holds it is not decided.
 */
export async function reviewCommissions(
  table: Table,
  tenantId: string,
  paymentIds: readonly number[],
  since: string | undefined,
): Promise<Action[]> {
  const found = [...(await findCommissions(table, tenantId, paymentIds)).values()];
  return found.flatMap(({ commission, heldBy }): Action[] => {
    const { underReview, ...earned } = commission;
    if ((underReview === undefined) === (since === undefined)) return [];
    const after: Commission = since === undefined ? earned : { ...earned, underReview: { since } };
    const direction = since === undefined ? "to" : "from";
    return [
      replaceCommission(table, tenantId, { before: commission, heldBy }, { after, heldBy }),
      ...(heldBy === undefined
        ? outstandingActions(table, tenantId, direction, [earned])
        : [countOnRequest(table, { tenantId, requestId: heldBy }, commission.paymentId, direction)]),
    ];
  });
}

/** Names the payment of a commission on the request that holds it, or does so no more. */
const countOnRequest = (
  table: Table,
  { tenantId, requestId }: Readonly<{ tenantId: string; requestId: string }>,
  paymentId: number,
  direction: "from" | "to",
): Action => ({
  label: "request",
  write: {
    Update: {
      TableName: table.name,
      Key: keysOf(tenantId).writtenRequest(requestId),
      UpdateExpression: `${direction === "from" ? "ADD" : "DELETE"} underReview :paymentIds`,
      ConditionExpression: "attribute_exists(PK)",
      ExpressionAttributeValues: { ":paymentIds": new Set([paymentId]) },
    },
  },
});
