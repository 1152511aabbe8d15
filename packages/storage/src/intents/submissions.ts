import { type AttributeValue, ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { ApiKey } from "@intents/domain/parties/caller.ts";
import type { Suspension } from "@intents/domain/parties/tenant.ts";
import { type Key, keysOf } from "../table/keys.ts";
import { findItems, findRecord, newRecord } from "../table/records.ts";
import { apiKeyKey, paymentKey } from "../table/shared-keys.ts";
import { fromDoc, type Table } from "../table/table.ts";
import type { Action } from "../table/transact.ts";
import { wholeItems } from "./parts.ts";

/** An Idempotency-Key stays bound for 24 hours from its first request, by the service's clock (H8). */
export const KEY_LIFETIME_MS = 24 * 3_600_000;

/** The meaning of an Idempotency-Key from its first request on. */
export type KeyBinding = Readonly<{
  /** Every request with the key must have this hash. */
  payloadHash: string;
  /** Starts its 24 hours. */
  firstSeenMs: number;
  /** The last worker on it, and the end of its time; 0 once given up. */
  holder: string;
  busyUntilMs: number;
  /** The answer to replays, once there is one; from then on the binding stays as it is. */
  kept?: string;
}>;

/**
 * Binds a key that is new, or as it was found `before`, to `after`, and gives what the key stands for then: `after`, or
 * what somebody else has made of it.
 */
export async function bindKey(
  table: Table,
  { tenantId, keyHash }: Readonly<{ tenantId: string; keyHash: string }>,
  before: KeyBinding | undefined,
  after: KeyBinding,
): Promise<KeyBinding | undefined> {
  const ttl = Math.ceil((after.firstSeenMs + KEY_LIFETIME_MS) / 1000) + 3600;
  const unchanged =
    before === undefined
      ? {
          ConditionExpression: "attribute_not_exists(PK) OR firstSeenMs <= :stale",
          ExpressionAttributeValues: { ":stale": after.firstSeenMs - KEY_LIFETIME_MS },
        }
      : {
          ConditionExpression: "holder = :holder AND attribute_not_exists(kept)",
          ExpressionAttributeValues: { ":holder": before.holder },
        };
  try {
    await table.db.send(
      new PutCommand({
        TableName: table.name,
        Item: { ...keysOf(tenantId).keyBinding(keyHash), ...after, ttl },
        ...unchanged,
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    );
    return after;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const found = error.Item && toBinding(error.Item);
    // A write of ours whose answer was lost is no one else's (H15).
    return found?.holder === after.holder ? after : found;
  }
}

const toBinding = (item: Record<string, AttributeValue>): KeyBinding =>
  readBinding(Object.fromEntries(Object.entries(item).map(([name, { S, N }]) => [name, S ?? N])));

const readBinding = ({ payloadHash, firstSeenMs, holder, busyUntilMs, kept }: Record<string, unknown>): KeyBinding => ({
  payloadHash: String(payloadHash),
  firstSeenMs: Number(firstSeenMs),
  holder: String(holder),
  busyUntilMs: Number(busyUntilMs),
  ...(typeof kept === "string" && { kept }),
});

/** The facts that decide a submit first, each as far as it exists. */
export type SubmitStart = Readonly<{
  intent?: PaymentIntent;
  apiKey?: ApiKey | undefined;
  suspension?: Suspension | undefined;
  binding?: KeyBinding;
  answer?: StoredAnswer;
}>;

/** Reads the beginning of a submit at once, and strongly. */
export async function readStart(
  table: Table,
  {
    tenantId,
    intentId,
    clientId,
    keyHash,
  }: Readonly<Record<"tenantId" | "intentId" | "clientId", string>> & Readonly<{ keyHash: string | undefined }>,
): Promise<SubmitStart> {
  const keys = keysOf(tenantId);
  const ofKey = keyHash === undefined ? [] : [keys.keyBinding(keyHash), keys.response(intentId)];
  const asked = [keys.intent(intentId), apiKeyKey(clientId), keys.suspension(), ...ofKey];
  const items = await wholeItems(table, await findItems(table, asked));
  const find = ({ PK, SK }: Key) => items.find((item) => item["PK"] === PK && item["SK"] === SK);
  const intent = find(keys.intent(intentId));
  const apiKey = find(apiKeyKey(clientId));
  const suspension = find(keys.suspension());
  const [binding, answer] = ofKey.map(find);
  return {
    ...(intent !== undefined && { intent: fromDoc<PaymentIntent>(intent) }),
    ...(apiKey !== undefined && { apiKey: fromDoc<ApiKey>(apiKey) }),
    ...(suspension !== undefined && { suspension: fromDoc<Suspension>(suspension) }),
    ...(binding !== undefined && { binding: readBinding(binding) }),
    ...(answer !== undefined && { answer: readAnswer(answer) }),
  };
}

export const KEY_LABEL = "key";

/**
 * Keeps with a key where its answer is stored: a part of the commit. Its condition fails when the key is not bound, or
 * belongs to a later request than the one that was claimed at `claimedAtMs`.
 */
export const keepAnswer = (
  table: Table,
  { tenantId, id: intentId }: Readonly<{ tenantId: string; id: string }>,
  keyHash: string,
  claimedAtMs: number,
): Action => ({
  label: KEY_LABEL,
  write: {
    Update: {
      TableName: table.name,
      Key: keysOf(tenantId).keyBinding(keyHash),
      UpdateExpression: "SET kept = :kept",
      ConditionExpression: "firstSeenMs <= :claimedAt AND attribute_not_exists(kept)",
      ExpressionAttributeValues: { ":claimedAt": claimedAtMs, ":kept": JSON.stringify({ intentId }) },
    },
  },
});

/**
 * Frees a key for another request: a part of a release, when the rail said definitively that nothing was paid (H7). Its
 * condition fails when the key was bound after `claimedAtMs`, because it then belongs to a later request.
 */
export const unbindKey = (table: Table, tenantId: string, keyHash: string, claimedAtMs: number): Action => ({
  label: KEY_LABEL,
  write: {
    Delete: {
      TableName: table.name,
      Key: keysOf(tenantId).keyBinding(keyHash),
      ConditionExpression: "attribute_not_exists(PK) OR firstSeenMs <= :claimedAt",
      ExpressionAttributeValues: { ":claimedAt": claimedAtMs },
    },
  },
});

/** Takes a payment id for an execution; its condition fails when the id is in use. */
export const takePaymentId = (
  table: Table,
  paymentId: number,
  owner: { tenantId: string; intentId: string },
): Action => ({ label: "paymentId", write: { Put: newRecord(table, paymentKey(paymentId), owner) } });

/** The intent whose execution has a payment id, which also its payer quotes. */
export const findPaymentOwner = (table: Table, paymentId: number) =>
  findRecord<{ tenantId: string; intentId: string }>(table, paymentKey(paymentId));

/** The answer that a submit committed, for a repetition with the same key (H6). */
export type StoredAnswer = Readonly<{ keyHash?: string; executionId: string; claimedAtMs: number; body: string }>;

export const answerAction = (table: Table, tenantId: string, intentId: string, answer: StoredAnswer): Action => ({
  label: "answer",
  write: { Put: { TableName: table.name, Item: { ...keysOf(tenantId).response(intentId), ...answer } } },
});

export async function findAnswer(table: Table, tenantId: string, intentId: string): Promise<StoredAnswer | undefined> {
  const Key = keysOf(tenantId).response(intentId);
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  if (Item === undefined) return undefined;
  return readAnswer(Item);
}

function readAnswer({ keyHash, executionId, claimedAtMs, body }: Record<string, unknown>): StoredAnswer {
  return {
    executionId: String(executionId),
    claimedAtMs: Number(claimedAtMs),
    body: String(body),
    ...(typeof keyHash === "string" && { keyHash }),
  };
}
