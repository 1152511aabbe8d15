import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { DeleteCommand as RailDeleteCommand, UpdateCommand as RailUpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { ExecuteAnswer } from "@intents/domain/rails/rail.ts";
import type { Fated } from "./fates.ts";
import {
  ifAbsent,
  isFailed,
  itemOf,
  keysIn,
  type RailTable,
  secondsOf,
  toPaymentItem,
  toThrownPayment,
} from "./items.ts";
import type { RailPayment } from "./payment.ts";
import type { PaymentEnd } from "./scenarios.ts";
import { transact } from "./transaction.ts";

export type Refusal = Extract<ExecuteAnswer, { kind: "duplicate" | "refused" }>;

/** The outcome of storing a payment. `answered`: as it was before. `refused`: only now, and not stored yet. */
export type Stored =
  | Readonly<{ kind: "stored" }>
  | Readonly<{ kind: "answered"; answer: RailPayment["answer"] | Refusal }>
  | Readonly<{ kind: "refused"; answer: Refusal }>;

/**
 * Accepts `payment` once. One transaction checks everything, and these count in this order: its execution was accepted
 * before, or refused before; its deposit was not announced; another execution holds its fingerprint. So a repetition
 * by the SDK's retry, a second worker or recovery reads its own payment back instead of taking it for another's (H2).
 */
export async function addPayment(table: RailTable, payment: RailPayment, dedupMs: number): Promise<Stored> {
  const { tenantId, executionId, acceptedAtMs, checkoutToken, fingerprint, fundingReference } = payment;
  const keys = keysIn(table);
  const ttl = secondsOf(acceptedAtMs + table.retentionMs);
  const TableName = table.name;
  const actions = [
    { Put: { TableName, ...ifAbsent, Item: toPaymentItem(table, payment, ttl) } },
    { ConditionCheck: { TableName, ...ifAbsent, Key: keys.refusal(tenantId, executionId) } },
    {
      Put: {
        TableName,
        Item: { ...keys.fingerprint(tenantId, fingerprint), acceptedAtMs, ttl: secondsOf(acceptedAtMs + dedupMs) },
        // The clock judges the window; TTL only cleans up after it (H13).
        ConditionExpression: "attribute_not_exists(PK) OR acceptedAtMs <= :windowStart",
        ExpressionAttributeValues: { ":windowStart": acceptedAtMs - dedupMs },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
      },
    },
    ...(fundingReference === undefined
      ? []
      : [{ ConditionCheck: { TableName, ...ifPresent, Key: keys.funding(tenantId, fundingReference) } }]),
    ...(checkoutToken === undefined
      ? []
      : [{ Put: { TableName, Item: { ...keys.checkout(checkoutToken), tenantId, executionId, ttl } } }]),
  ];
  const verdict = await transact(table.db, actions, table.random);
  if (verdict.kind === "written") return { kind: "stored" };
  // The fourth action is the deposit's check, or the write of a checkout's token, which has no condition.
  const [ours, refusal, holder, deposit] = verdict.reasons;
  if (isFailed(ours)) return { kind: "answered", answer: toThrownPayment(itemOf(ours)).answer };
  if (isFailed(refusal)) return { kind: "answered", answer: toRefusal(itemOf(refusal)) };
  if (isFailed(deposit))
    return { kind: "refused", answer: { kind: "refused", reason: "its deposit is not announced" } };
  const untilMs = Number(itemOf(holder)["acceptedAtMs"]?.N) + dedupMs;
  return { kind: "refused", answer: { kind: "duplicate", untilMs } };
}

/**
 * Remembers that an execution was refused, unless it was answered meanwhile, and gives the answer that it now has: an
 * execution never has two answers (H1, H2).
 */
export async function addRefusal(
  table: RailTable,
  { tenantId, executionId, acceptedAtMs: nowMs }: RailPayment,
  answer: Refusal,
): Promise<RailPayment["answer"] | Refusal> {
  const TableName = table.name;
  const keys = keysIn(table);
  const ttl = secondsOf(nowMs + table.retentionMs);
  const Item = { ...keys.refusal(tenantId, executionId), answer: JSON.stringify(answer), ttl };
  const actions = [
    { ConditionCheck: { TableName, ...ifAbsent, Key: keys.payment(tenantId, executionId) } },
    { Put: { TableName, ...ifAbsent, Item } },
  ];
  const verdict = await transact(table.db, actions, table.random);
  if (verdict.kind === "written") return answer;
  const [accepted, refused] = verdict.reasons;
  return isFailed(accepted) ? toThrownPayment(itemOf(accepted)).answer : toRefusal(itemOf(refused));
}

/** The refusal in an item. */
const toRefusal = (item: ReturnType<typeof itemOf>): Refusal => JSON.parse(item["answer"]?.S ?? "");

/**
 * Ends a payment unless it has ended already, and gives it with the end that came first. A payment that ended unpaid
 * gives its fingerprint back, so that an equal payment is no duplicate.
 */
export async function endPayment(
  table: RailTable,
  payment: RailPayment,
  how: PaymentEnd,
  nowMs: number,
): Promise<RailPayment> {
  const ended = await writeEnd(table, payment, how, nowMs);
  if (ended.end?.how !== "paid") await freeFingerprint(table, ended);
  return ended;
}

/**
 * Writes what a tester made of a payment, unless it has ended or got other fates since it was read; undefined then. One
 * that has ended unpaid gives its fingerprint back, as above.
 */
export async function writeFates(
  table: RailTable,
  payment: RailPayment,
  { fates, end }: Fated,
): Promise<RailPayment | undefined> {
  const { tenantId, executionId } = payment;
  const wasFated = payment.fates !== undefined;
  try {
    await table.db.send(
      new RailUpdateCommand({
        TableName: table.name,
        Key: keysIn(table).payment(tenantId, executionId),
        UpdateExpression: `SET fates = :fates${end === undefined ? "" : ", endedHow = :how, endedAtMs = :at"}`,
        ConditionExpression: [
          "attribute_exists(PK)",
          wasFated ? "fates = :before" : "attribute_not_exists(fates)",
          // An end is never changed.
          ...(payment.end === undefined ? ["attribute_not_exists(endedHow)"] : []),
        ].join(" AND "),
        ExpressionAttributeValues: {
          ":fates": JSON.stringify(fates),
          ...(wasFated && { ":before": JSON.stringify(payment.fates) }),
          ...(end !== undefined && { ":how": end.how, ":at": end.atMs }),
        },
      }),
    );
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
  const fated = { ...payment, fates, ...(end !== undefined && { end }) };
  if (end?.how === "declined") await freeFingerprint(table, fated);
  return fated;
}

async function freeFingerprint(table: RailTable, payment: RailPayment): Promise<void> {
  const { tenantId, fingerprint, acceptedAtMs } = payment;
  try {
    await table.db.send(
      new RailDeleteCommand({
        TableName: table.name,
        Key: keysIn(table).fingerprint(tenantId, fingerprint),
        // Another payment may hold the fingerprint once this one's window has passed.
        ConditionExpression: "acceptedAtMs = :ours",
        ExpressionAttributeValues: { ":ours": acceptedAtMs },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

async function writeEnd(table: RailTable, payment: RailPayment, how: PaymentEnd, nowMs: number): Promise<RailPayment> {
  try {
    await table.db.send(
      new RailUpdateCommand({
        TableName: table.name,
        Key: keysIn(table).payment(payment.tenantId, payment.executionId),
        UpdateExpression: "SET endedHow = :how, endedAtMs = :at",
        ConditionExpression: "attribute_exists(PK) AND attribute_not_exists(endedHow)",
        ExpressionAttributeValues: { ":how": how, ":at": nowMs },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    );
    return { ...payment, end: { how, atMs: nowMs } };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException && error.Item !== undefined) {
      return toThrownPayment(error.Item);
    }
    throw error;
  }
}

const ifPresent = { ConditionExpression: "attribute_exists(PK)" } as const;
