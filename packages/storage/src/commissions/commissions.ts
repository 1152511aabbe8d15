import { fromMinorUnits, toMinorUnits } from "@intents/domain/amounts/money.ts";
import { type Commission, idsOfMonth } from "@intents/domain/commissions/commission.ts";
import type { HeldCommission } from "@intents/domain/commissions/request.ts";
import { type Count, countActions, readCounts } from "../table/counters.ts";
import { keysOf } from "../table/keys.ts";
import { findItems, readRecords } from "../table/records.ts";
import { fromDoc, type Table, toDoc } from "../table/table.ts";
import type { Action } from "../table/transact.ts";

/** The counter of outstanding amounts by currency, in minor units. */
const OUTSTANDING_COUNTER = "OUTSTANDING";

/** Writes a commission in the transaction that completes its payment; put if absent, so that none is earned twice. */
export const newCommission = (table: Table, tenantId: string, commission: Commission): Action[] => [
  put(table, commission, commissionItem(tenantId, commission), { ConditionExpression: "attribute_not_exists(PK)" }),
  ...countActions(tenantId, [{ counter: "COMMISSION", to: "all" }], table),
  ...outstandingActions(table, tenantId, "to", [commission]),
];

/**
 * Changes a commission, which a request gets, keeps or lets go: `heldBy` is the request. Its condition fails unless it is
 * as it was read.
 */
export const replaceCommission = (
  table: Table,
  tenantId: string,
  { before, heldBy }: Readonly<{ before: Commission; heldBy: string | undefined }>,
  then: Readonly<{ after: Commission; heldBy: string | undefined }>,
): Action =>
  put(table, before, commissionItem(tenantId, then.after, then.heldBy), {
    ConditionExpression: `doc = :before AND ${heldBy === undefined ? "attribute_not_exists(heldBy)" : "heldBy = :request"}`,
    ExpressionAttributeValues: { ":before": toDoc(before), ...(heldBy !== undefined && { ":request": heldBy }) },
  });

type Condition = Readonly<{ ConditionExpression: string; ExpressionAttributeValues?: Record<string, string> }>;

const put = ({ name }: Table, commission: Commission, Item: Record<string, string>, condition: Condition): Action => ({
  label: commissionLabel(commission),
  write: { Put: { TableName: name, Item, ...condition } },
});

/** The label by which a verdict names the commission whose condition failed. */
export const commissionLabel = ({ paymentId }: Commission): string => `commission ${paymentId}`;

/**
 * Adds commissions of one currency to the outstanding amount (`to`), or takes them from it (`from`), but for those under
 * review, which are not in it.
 */
export function outstandingActions(
  table: Table,
  tenantId: string,
  direction: "from" | "to",
  commissions: readonly Commission[],
): Action[] {
  const counted = commissions.filter(({ underReview }) => underReview === undefined);
  return countActions(tenantId, counted.length === 0 ? [] : [outstanding(direction, counted)], table);
}

function outstanding(direction: "from" | "to", commissions: readonly Commission[]): Count {
  const currency = commissions[0]?.commissionCurrency ?? "";
  const units = commissions.map(({ commissionAmount }) => toMinorUnits(commissionAmount, currency));
  const by = Number(units.reduce((sum, amount) => sum + amount, 0n));
  return { counter: OUTSTANDING_COUNTER, [direction]: currency, by };
}

/** The outstanding amount of every currency that has one, in alphabetical order: exact, whatever their number. */
export async function outstandingTotals(table: Table, tenantId: string) {
  const counts = await readCounts(table, tenantId, OUTSTANDING_COUNTER);
  return [...counts]
    .filter(([, units]) => units > 0)
    .map(([currency, units]) => ({ currency, amount: fromMinorUnits(BigInt(units), currency) }))
    .toSorted((left, right) => left.currency.localeCompare(right.currency));
}

/** The commissions of these payments, read strongly; a payment without one has no entry. */
export async function findCommissions(
  table: Table,
  tenantId: string,
  paymentIds: readonly number[],
): Promise<Map<number, HeldCommission>> {
  const items = await findItems(table, paymentIds.map(keysOf(tenantId).commission));
  const held = items.map((item): HeldCommission => {
    const { heldBy } = item;
    return { commission: fromDoc<Commission>(item), ...(typeof heldBy === "string" && { heldBy }) };
  });
  return new Map(held.map((one) => [one.commission.paymentId, one]));
}

/** The commissions that no request holds, the oldest first, query by query (1 MB each). */
export const readOutstanding = (table: Table, tenantId: string): AsyncGenerator<Commission[]> =>
  readRecords<Commission>(table, {
    IndexName: "byOwner",
    KeyConditionExpression: "ownerPK = :pk",
    ExpressionAttributeValues: { ":pk": keysOf(tenantId).outstanding() },
  });

/** The commissions of payments that completed in a month (UTC, `yyyy-MM`), the oldest first, query by query. */
export function readMonth(table: Table, tenantId: string, month: string): AsyncGenerator<Commission[]> {
  const { from, until } = idsOfMonth(month);
  return readRecords<Commission>(table, {
    IndexName: "byCreation",
    // `until` is a bare date, and so lies before every id of the next month, since ids continue after their date.
    KeyConditionExpression: "listPK = :pk AND listSK BETWEEN :from AND :until",
    ExpressionAttributeValues: { ":pk": keysOf(tenantId).list("COMMISSION"), ":from": from, ":until": until },
  });
}

/** The item of a commission; one that no request holds, and is not under review, is in the index of what is outstanding. */
export function commissionItem(tenantId: string, commission: Commission, heldBy?: string) {
  const keys = keysOf(tenantId);
  return {
    ...keys.commission(commission.paymentId),
    listPK: keys.list("COMMISSION"),
    listSK: commission.id,
    ...(heldBy === undefined && commission.underReview === undefined && { ownerPK: keys.outstanding() }),
    ...(heldBy !== undefined && { heldBy }),
    doc: toDoc(commission),
  };
}
