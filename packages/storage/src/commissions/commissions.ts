import { compareAmounts, fromMinorUnits, toMinorUnits } from "@intents/domain/amounts/money.ts";
import { type Commission, idsOfMonth } from "@intents/domain/commissions/commission.ts";
import { type HeldCommission, sumUnheld } from "@intents/domain/commissions/request.ts";
import { type Count, countActions, readCounts } from "../table/counters.ts";
import { type Key, keysOf } from "../table/keys.ts";
import { queryAll } from "../table/pages.ts";
import { findItems, readRecords } from "../table/records.ts";
import { fromDoc, type Table, toDoc } from "../table/table.ts";
import type { Action } from "../table/transact.ts";

/** The counter of outstanding amounts by currency, in minor units. */
const OUTSTANDING_COUNTER = "OUTSTANDING";

/** Writes a commission in the transaction that completes or corrects its payment; put if absent, so that none is twice. */
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

/** The condition that a commission is as it was read. */
export const sameCommission = ({ name: TableName }: Table, tenantId: string, commission: Commission): Action => ({
  label: commissionLabel(commission),
  write: {
    ConditionCheck: {
      TableName,
      Key: commissionKey(tenantId, commissionName(commission)),
      ConditionExpression: "doc = :read",
      ExpressionAttributeValues: { ":read": toDoc(commission) },
    },
  },
});

type Condition = Readonly<{ ConditionExpression: string; ExpressionAttributeValues?: Record<string, string> }>;

const put = ({ name }: Table, commission: Commission, Item: Record<string, string>, condition: Condition): Action => ({
  label: commissionLabel(commission),
  write: { Put: { TableName: name, Item, ...condition } },
});

/** The label by which a verdict names the commission whose condition failed. */
export const commissionLabel = (commission: CommissionKey): string => `commission ${commissionName(commission)}`;

type CommissionKey = Pick<Commission, "paymentId" | "correction">;

/** The name of a commission in the chunks of requests: its payment, with the number of the correction that made it. */
export type CommissionName = number | string;

export const commissionName = ({ paymentId, correction }: CommissionKey): CommissionName =>
  correction === undefined ? paymentId : `${paymentId}#${correction}`;

/** The key of a commission by its name. */
export function commissionKey(tenantId: string, name: CommissionName): Key {
  const [paymentId, correction] = String(name).split("#").map(Number);
  const keys = keysOf(tenantId);
  return correction === undefined
    ? keys.commission(paymentId ?? 0)
    : keys.correctedCommission(paymentId ?? 0, correction);
}

/**
 * Adds commissions to the outstanding amounts (`to`), or takes them from these (`from`), but for those under review, which
 * are not in them.
 */
export function outstandingActions(
  table: Table,
  tenantId: string,
  direction: "from" | "to",
  commissions: readonly Commission[],
): Action[] {
  const counted = commissions.filter(({ underReview }) => underReview === undefined);
  const byCurrency = Map.groupBy(counted, ({ commissionCurrency }) => commissionCurrency);
  const counts = [...byCurrency].map(([currency, some]) => outstanding(direction, currency, some));
  return countActions(tenantId, counts, table);
}

function outstanding(direction: "from" | "to", currency: string, commissions: readonly Commission[]): Count {
  const units = commissions.map(({ commissionAmount }) => toMinorUnits(commissionAmount, currency));
  const by = Number(units.reduce((sum, amount) => sum + amount, 0n));
  return { counter: OUTSTANDING_COUNTER, [direction]: currency, by };
}

/**
 * The outstanding amount of every currency that has one, in alphabetical order: exact, whatever their number, and less
 * than zero where more came back than is outstanding.
 */
export async function outstandingTotals(table: Table, tenantId: string) {
  const counts = await readCounts(table, tenantId, OUTSTANDING_COUNTER);
  return [...counts]
    .filter(([, units]) => units !== 0)
    .map(([currency, units]) => ({ currency, amount: fromMinorUnits(BigInt(units), currency) }))
    .toSorted((left, right) => left.currency.localeCompare(right.currency));
}

/** All commissions of these payments, read strongly: earned ones, and ones that corrections made. */
export async function findCommissions(
  table: Table,
  tenantId: string,
  paymentIds: readonly number[],
): Promise<HeldCommission[]> {
  const wanted = new Set(paymentIds);
  if (wanted.size === 0) return [];
  const [earned, corrected] = await Promise.all([
    findNamed(table, tenantId, [...wanted]),
    listCorrected(table, tenantId, Math.min(...wanted), Math.max(...wanted)),
  ]);
  return [...earned, ...corrected.filter(({ commission }) => wanted.has(commission.paymentId))];
}

/**
 * All commissions of these payments, and of all others for which corrections have taken more than they gave and no
 * request holds, read strongly.
 */
export async function findRequestable(
  table: Table,
  tenantId: string,
  paymentIds: readonly number[],
): Promise<HeldCommission[]> {
  const [corrected, earned] = await Promise.all([
    listCorrected(table, tenantId),
    findNamed(table, tenantId, paymentIds),
  ]);
  const byPayment = Map.groupBy(corrected, ({ commission }) => commission.paymentId);
  const taken = [...byPayment].filter(([, some]) => compareAmounts(sumUnheld(some), "0") < 0).map(([id]) => id);
  const named = new Set(paymentIds);
  const others = await findNamed(
    table,
    tenantId,
    taken.filter((id) => !named.has(id)),
  );
  const wanted = new Set([...paymentIds, ...taken]);
  return [...earned, ...others, ...corrected.filter(({ commission }) => wanted.has(commission.paymentId))];
}

/** The commissions with these names, read strongly. */
export const findNamed = async (
  table: Table,
  tenantId: string,
  names: readonly CommissionName[],
): Promise<HeldCommission[]> => {
  const keys = names.map((name) => commissionKey(tenantId, name));
  return (await findItems(table, keys)).map(toHeld);
};

/** The commissions that corrections of a tenant's payments made, all of them or those of a range of payment ids. */
async function listCorrected(table: Table, tenantId: string, first = 0, last = Number.MAX_SAFE_INTEGER) {
  const { PK, SK: from } = keysOf(tenantId).correctedCommission(first, 0);
  const { SK: to } = keysOf(tenantId).correctedCommission(last, 99_999_999);
  const items = await queryAll(table, {
    KeyConditionExpression: "PK = :pk AND SK BETWEEN :from AND :to",
    ExpressionAttributeValues: { ":pk": PK, ":from": from, ":to": to },
    ConsistentRead: true,
  });
  return items.map(toHeld);
}

function toHeld(item: Readonly<Record<string, unknown>>): HeldCommission {
  const { heldBy } = item;
  return { commission: fromDoc<Commission>(item), ...(typeof heldBy === "string" && { heldBy }) };
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
    ...commissionKey(tenantId, commissionName(commission)),
    listPK: keys.list("COMMISSION"),
    listSK: commission.id,
    ...(heldBy === undefined && commission.underReview === undefined && { ownerPK: keys.outstanding() }),
    ...(heldBy !== undefined && { heldBy }),
    doc: toDoc(commission),
  };
}
