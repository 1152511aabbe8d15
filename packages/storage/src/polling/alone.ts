import { DeleteCommand, GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { changeItem } from "../table/change-item.ts";
import { type IntentKey, keysOf } from "../table/keys.ts";
import { queryAll } from "../table/pages.ts";
import { aloneKey, railKey } from "../table/shared-keys.ts";
import type { Table } from "../table/table.ts";
import { parseWatch, type Watched } from "./watches.ts";

/** An execution of an intent, or with an order of one recipient of a batch. */
type Execution = IntentKey & Readonly<{ executionId: string; order?: number }>;

/**
 * A payment that failed when its rail was asked about it alone, and answered others. No question about others is about
 * it. `failures`: the questions about it alone that have failed in a row; the next one is due at `dueAtMs`.
 */
export type AlonePayment = Execution & Readonly<{ failures: number; sinceMs: number; dueAtMs: number }>;

/** Rails forget executions before that, so that nobody is asked about them any more. */
const KEPT_SECONDS = 30 * 86_400;

/** The payments of a rail that failed alone, by when they are due. */
export async function listAlone(table: Table, rail: string, isStrong = false): Promise<AlonePayment[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: "PK = :pk AND begins_with(SK, :alone)",
    ExpressionAttributeValues: { ":pk": railKey(rail).PK, ":alone": aloneKey(rail, "").SK },
    ConsistentRead: isStrong,
  });
  return items
    .map(({ tenantId, id, executionId, order, failures, sinceMs, dueAtMs }) => ({
      tenantId: String(tenantId),
      id: String(id),
      executionId: String(executionId),
      ...(order !== undefined && { order: Number(order) }),
      failures: Number(failures),
      sinceMs: Number(sinceMs),
      dueAtMs: Number(dueAtMs),
    }))
    .toSorted((one, other) => one.dueAtMs - other.dueAtMs);
}

/** Stores how often a payment has failed alone, and when it is asked about again. */
export async function putAlone(table: Table, rail: string, payment: AlonePayment): Promise<void> {
  const ttl = Math.ceil(payment.dueAtMs / 1000) + KEPT_SECONDS;
  const Item = { ...aloneKey(rail, payment.executionId), ...payment, ttl };
  await table.db.send(new PutCommand({ TableName: table.name, Item }));
}

/** Has a payment asked about at its time, even where all others that are stored are due later. */
export const hastenAlone = (table: Table, rail: string, dueAtMs: number): Promise<boolean> =>
  changeItem(table, railKey(rail), {
    UpdateExpression: "SET aloneAtMs = :due",
    ConditionExpression: "attribute_not_exists(aloneAtMs) OR aloneAtMs > :due",
    ExpressionAttributeValues: { ":due": dueAtMs },
  });

/** Forgets that a payment failed alone: the rail answers, or nobody waits for it any more. */
export async function forgetAlone(table: Table, rail: string, { executionId }: Pick<Execution, "executionId">) {
  await table.db.send(new DeleteCommand({ TableName: table.name, Key: aloneKey(rail, executionId) }));
}

/** Keeps other workers from asking about payments alone until `untilMs`; false where one does, or what was read is old. */
export const leaseAlone = (
  table: Table,
  rail: string,
  { aloneAtMs, nowMs, untilMs }: Readonly<{ aloneAtMs: number; nowMs: number; untilMs: number }>,
): Promise<boolean> =>
  changeItem(table, railKey(rail), {
    UpdateExpression: "SET aloneAtMs = :until, aloneLeaseMs = :until",
    ConditionExpression: "aloneAtMs = :read AND (attribute_not_exists(aloneLeaseMs) OR aloneLeaseMs <= :now)",
    ExpressionAttributeValues: { ":until": untilMs, ":read": aloneAtMs, ":now": nowMs },
  });

/** Ends a lease, and says when the next payment is due, if any, unless one that failed meanwhile is due earlier. */
export async function endAloneLease(table: Table, rail: string, untilMs: number, dueAtMs: number | undefined) {
  const isOurs = "aloneLeaseMs = :until";
  const isEnded = await changeItem(table, railKey(rail), {
    UpdateExpression:
      dueAtMs === undefined ? "REMOVE aloneAtMs, aloneLeaseMs" : "SET aloneAtMs = :due REMOVE aloneLeaseMs",
    ConditionExpression: `${isOurs} AND aloneAtMs = :until`,
    ExpressionAttributeValues: { ":until": untilMs, ...(dueAtMs !== undefined && { ":due": dueAtMs }) },
  });
  if (isEnded) return;
  await changeItem(table, railKey(rail), {
    UpdateExpression: "REMOVE aloneLeaseMs",
    ConditionExpression: isOurs,
    ExpressionAttributeValues: { ":until": untilMs },
  });
}

/** The watch of one payment, or of one recipient of a batch; undefined where nobody waits for its rail any more. */
export async function findWatch(table: Table, asked: Execution): Promise<Watched | undefined> {
  const keys = keysOf(asked.tenantId);
  const Key = asked.order === undefined ? keys.intent(asked.id) : keys.leg(asked.id, asked.order);
  const ProjectionExpression = "PK, SK, watchSK";
  const { Item } = await table.db.send(
    new GetCommand({ TableName: table.name, Key, ProjectionExpression, ConsistentRead: true }),
  );
  return parseWatch(Item ?? {}).find(({ executionId }) => executionId === asked.executionId);
}
