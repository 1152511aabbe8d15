import {
  type AttributeValue,
  type CancellationReason,
  ConditionalCheckFailedException,
} from "@aws-sdk/client-dynamodb";
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import type { RandomBytes } from "@intents/domain/ids.ts";
import { type PaymentEnd, paymentEnds, type RailPayment } from "./sandbox-payment.ts";
import { transact } from "./transaction.ts";

/** The simulated rail's own table. */
export type RailTable = Readonly<{ db: DynamoDBDocumentClient; name: string; random: RandomBytes }>;

/** What storing came to. `held`: another execution took the fingerprint inside the window. */
export type Stored =
  | Readonly<{ kind: "stored" }>
  | Readonly<{ kind: "refused" }>
  | Readonly<{ kind: "held" }>
  | Readonly<{ kind: "found"; payment: RailPayment }>;

/** How long the rail knows an execution again: far longer than anybody asks about it. */
const RETENTION_MS = 90 * 86_400_000;

const keys = {
  payment: (tenantId: string, executionId: string) => ({ PK: `T#${tenantId}#PAYMENT`, SK: executionId }),
  refusal: (tenantId: string, executionId: string) => ({ PK: `T#${tenantId}#REFUSAL#${executionId}`, SK: "REFUSAL" }),
  fingerprint: (tenantId: string, hash: string) => ({ PK: `T#${tenantId}#FINGERPRINT#${hash}`, SK: "FINGERPRINT" }),
  // Looked up by a browser, before any tenant is known.
  checkout: (token: string) => ({ PK: `CHECKOUT#${token}`, SK: "CHECKOUT" }),
};

/**
 * Accepts `payment` once. One transaction asks everything at once and in this order: whether this execution was
 * accepted before, or refused before, or another one holds its fingerprint. So whoever runs it again, whether a retry
 * of the SDK, a second worker or recovery, reads the one payment back instead of mistaking it for somebody else's (H2).
 */
export async function addPayment(table: RailTable, payment: RailPayment, dedupMs: number): Promise<Stored> {
  const { tenantId, executionId, acceptedAtMs, checkoutToken, fingerprint } = payment;
  const ttl = secondsOf(acceptedAtMs + RETENTION_MS);
  const TableName = table.name;
  const actions = [
    { Put: { TableName, ...ifAbsent, Item: toItem(payment, ttl) } },
    { ConditionCheck: { TableName, ...ifAbsent, Key: keys.refusal(tenantId, executionId) } },
    {
      Put: {
        TableName,
        Item: { ...keys.fingerprint(tenantId, fingerprint), acceptedAtMs, ttl: secondsOf(acceptedAtMs + dedupMs) },
        // The clock judges the window; TTL only cleans up after it (H13).
        ConditionExpression: "attribute_not_exists(PK) OR acceptedAtMs <= :windowStart",
        ExpressionAttributeValues: { ":windowStart": acceptedAtMs - dedupMs },
      },
    },
    ...(checkoutToken === undefined
      ? []
      : [{ Put: { TableName, Item: { ...keys.checkout(checkoutToken), tenantId, executionId, ttl } } }]),
  ];
  const verdict = await transact(table.db, actions, table.random);
  if (verdict.kind === "written") return { kind: "stored" };
  const [ours, refusal] = verdict.reasons;
  if (isFailed(ours)) return { kind: "found", payment: fromReason(ours) };
  return { kind: isFailed(refusal) ? "refused" : "held" };
}

/** Remembers that an execution was refused, unless it was accepted meanwhile: an execution never has both (H1, H2). */
export async function addRefusal(
  table: RailTable,
  tenantId: string,
  executionId: string,
  nowMs: number,
): Promise<Stored> {
  const TableName = table.name;
  const ttl = secondsOf(nowMs + RETENTION_MS);
  const actions = [
    { ConditionCheck: { TableName, ...ifAbsent, Key: keys.payment(tenantId, executionId) } },
    { Put: { TableName, Item: { ...keys.refusal(tenantId, executionId), ttl } } },
  ];
  const verdict = await transact(table.db, actions, table.random);
  if (verdict.kind === "written") return { kind: "refused" };
  return { kind: "found", payment: fromReason(verdict.reasons[0]) };
}

export async function findPayment(table: RailTable, tenantId: string, executionId: string) {
  const Key = keys.payment(tenantId, executionId);
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return Item === undefined ? undefined : fromDocument(Item);
}

/** The payment that a checkout token stands for. */
export async function findPaymentByToken(table: RailTable, token: string): Promise<RailPayment | undefined> {
  const Key = keys.checkout(token);
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return Item === undefined ? undefined : findPayment(table, String(Item["tenantId"]), String(Item["executionId"]));
}

/**
 * At most `limit` payments of a tenant, newest first. An `executionId` names that execution and, for bulk, those of
 * its recipients (`<execution>:<order>`, H11).
 */
export async function listPayments(table: RailTable, tenantId: string, limit: number, executionId?: string) {
  const found: RailPayment[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const page = await table.db.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: "PK = :pk AND SK BETWEEN :first AND :last",
        ExpressionAttributeValues: {
          ":pk": keys.payment(tenantId, "").PK,
          ":first": executionId ?? " ",
          ":last": lastKey(executionId),
        },
        ScanIndexForward: false,
        ConsistentRead: true,
        Limit: limit - found.length,
        ExclusiveStartKey: from,
      }),
    );
    found.push(...(page.Items ?? []).map(fromDocument));
    from = page.LastEvaluatedKey;
  } while (from !== undefined && found.length < limit);
  return found;
}

/**
 * Ends a payment unless it has ended already: the payment as it now is, with whichever end came first. One that was not
 * paid is nobody's duplicate.
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

async function freeFingerprint({ db, name }: RailTable, payment: RailPayment): Promise<void> {
  const { tenantId, fingerprint, acceptedAtMs } = payment;
  try {
    await db.send(
      new DeleteCommand({
        TableName: name,
        Key: keys.fingerprint(tenantId, fingerprint),
        // After its window another payment may hold it.
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
      new UpdateCommand({
        TableName: table.name,
        Key: keys.payment(payment.tenantId, payment.executionId),
        UpdateExpression: "SET endedHow = :how, endedAtMs = :at",
        ConditionExpression: "attribute_exists(PK) AND attribute_not_exists(endedHow)",
        ExpressionAttributeValues: { ":how": how, ":at": nowMs },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    );
    return { ...payment, end: { how, atMs: nowMs } };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException && error.Item !== undefined) return fromItem(error.Item);
    throw error;
  }
}

const ifAbsent = {
  ConditionExpression: "attribute_not_exists(PK)",
  ReturnValuesOnConditionCheckFailure: "ALL_OLD",
} as const;

const isFailed = (reason: CancellationReason | undefined): boolean => reason?.Code === "ConditionalCheckFailed";

const secondsOf = (ms: number): number => Math.ceil(ms / 1000);

function toItem(payment: RailPayment, ttl: number) {
  return { ...keys.payment(payment.tenantId, payment.executionId), payment: JSON.stringify(payment), ttl };
}

/** An item as the document client reads it. How a payment ended stands beside the payment, written by an update. */
function fromDocument(item: Readonly<Record<string, unknown>>): RailPayment {
  const payment: RailPayment = JSON.parse(String(item["payment"]));
  const how = paymentEnds.find((end) => end === item["endedHow"]);
  return how === undefined ? payment : { ...payment, end: { how, atMs: Number(item["endedAtMs"]) } };
}

/** The payment whose presence failed a condition, as ALL_OLD returns it. */
function fromReason(reason: CancellationReason | undefined): RailPayment {
  if (reason?.Item === undefined) throw new Error("A condition failed on a payment that the store did not return");
  return fromItem(reason.Item);
}

/** An item as exceptions carry it, which the document client leaves in DynamoDB's own notation. */
const fromItem = (item: Readonly<Record<string, AttributeValue>>): RailPayment =>
  fromDocument({ payment: item["payment"]?.S, endedHow: item["endedHow"]?.S, endedAtMs: item["endedAtMs"]?.N });

/** An execution lists its parts, `<executionId>:<order>`, too; a part lists nothing but itself. */
function lastKey(executionId: string | undefined): string {
  if (executionId === undefined) return "\uffff";
  return executionId.includes(":") ? executionId : `${executionId}:\uffff`;
}
