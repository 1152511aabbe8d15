import { compareAmounts } from "@intents/domain/amounts/money.ts";
import type { Commission } from "@intents/domain/commissions/commission.ts";
import { type HeldCommission, sumUnheld } from "@intents/domain/commissions/request.ts";
import { findCommissions, outstandingActions, replaceCommission } from "../commissions/commissions.ts";
import { keysOf } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import type { Action } from "../table/transact.ts";

/**
 * The writes by which the commissions of a payment follow its review, for the transaction that begins (`since`) or ends
 * it. Meanwhile a commission is not outstanding, and the request that holds it is not paid. Nor is it afterwards, where
 * corrections have taken more of the payment's commission back than is outstanding of it.
 */
export async function reviewCommissions(
  table: Table,
  tenantId: string,
  paymentIds: readonly number[],
  since: string | undefined,
): Promise<Action[]> {
  const all = await findCommissions(table, tenantId, paymentIds);
  const found = all.filter(({ commission }) => (commission.underReview === undefined) === (since !== undefined));
  const direction = since === undefined ? "to" : "from";
  const follow = ({ commission, heldBy }: HeldCommission): Action => {
    const { underReview, ...earned } = commission;
    const after: Commission = since === undefined ? earned : { ...earned, underReview: { since } };
    return replaceCommission(table, tenantId, { before: commission, heldBy }, { after, heldBy });
  };
  const held = found.filter(({ heldBy }) => heldBy !== undefined);
  const free = found.filter(({ heldBy }) => heldBy === undefined);
  const counted = free.map(({ commission: { underReview, ...earned } }) => earned);
  const isBack = ({ commission: { paymentId } }: HeldCommission) =>
    compareAmounts(sumUnheld(all.filter((one) => one.commission.paymentId === paymentId)), "0") < 0;
  const shown = since === undefined ? held.filter((one) => !isBack(one)) : held;
  return [
    ...found.map(follow),
    ...outstandingActions(table, tenantId, direction, counted),
    ...[...Map.groupBy(shown, ({ heldBy = "" }) => heldBy)].map(([requestId, some]) => {
      const ids = new Set(some.map(({ commission }) => commission.paymentId));
      return countOnRequest(table, { tenantId, requestId }, ids, direction);
    }),
  ];
}

/** DynamoDB takes so many items in a transaction. */
const ITEMS_MAX = 100;
/** The other items of a review's transaction: record, operators' audit, mark, event, outstanding amount and link. */
const OTHER_ITEMS = 6;

/**
 * The number of commissions that these payments have, and how many more they can get: each later review changes all of
 * them, and the requests that hold them, in one transaction. Those that no request holds may get one more request.
 */
export async function countCommissions(
  table: Table,
  tenantId: string,
  paymentIds: readonly number[],
): Promise<Readonly<{ count: number; left: number }>> {
  const found = await findCommissions(table, tenantId, paymentIds);
  const requests = new Set(found.flatMap(({ heldBy }) => heldBy ?? []));
  return { count: found.length, left: ITEMS_MAX - OTHER_ITEMS - found.length - requests.size - 1 };
}

/** Names payments on the request that holds their commissions, or does so no more. */
const countOnRequest = (
  table: Table,
  { tenantId, requestId }: Readonly<{ tenantId: string; requestId: string }>,
  paymentIds: ReadonlySet<number>,
  direction: "from" | "to",
): Action => ({
  label: "request",
  write: {
    Update: {
      TableName: table.name,
      Key: keysOf(tenantId).commissionRequest(requestId),
      UpdateExpression: `${direction === "from" ? "ADD" : "DELETE"} underReview :paymentIds`,
      ConditionExpression: "attribute_exists(PK)",
      ExpressionAttributeValues: { ":paymentIds": paymentIds },
    },
  },
});
