import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { keysOf, paymentKey } from "./keys.ts";
import { newRecord } from "./records.ts";
import type { Table } from "./table.ts";
import type { Action } from "./transact.ts";

/** An Idempotency-Key stays bound for 24 hours from its first request, by the service's clock (H8). */
export const KEY_LIFETIME_MS = 24 * 3_600_000;

/** The request that an Idempotency-Key belongs to. `firstSeenMs` starts its 24 hours. */
export type KeyBinding = Readonly<{ payloadHash: string; firstSeenMs: number }>;

/** Binds a key to its first request, or gives the binding that it already has, unless that has expired. */
export async function bindKey(
  table: Table,
  tenantId: string,
  keyHash: string,
  payloadHash: string,
  nowMs: number,
): Promise<KeyBinding> {
  const ttl = Math.ceil((nowMs + KEY_LIFETIME_MS) / 1000) + 3600;
  try {
    await table.db.send(
      new PutCommand({
        TableName: table.name,
        Item: { ...keysOf(tenantId).keyBinding(keyHash), payloadHash, firstSeenMs: nowMs, ttl },
        ConditionExpression: "attribute_not_exists(PK) OR firstSeenMs <= :stale",
        ExpressionAttributeValues: { ":stale": nowMs - KEY_LIFETIME_MS },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    );
    return { payloadHash, firstSeenMs: nowMs };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException) || error.Item === undefined) throw error;
    const { payloadHash: hash, firstSeenMs } = error.Item;
    return { payloadHash: String(hash?.S), firstSeenMs: Number(firstSeenMs?.N) };
  }
}

export const KEY_LABEL = "key";

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
): Action => ({
  label: "paymentId",
  write: { Put: newRecord(table, paymentKey(paymentId), owner) },
});

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
  const { keyHash, executionId, claimedAtMs, body } = Item;
  return {
    executionId: String(executionId),
    claimedAtMs: Number(claimedAtMs),
    body: String(body),
    ...(typeof keyHash === "string" && { keyHash }),
  };
}
