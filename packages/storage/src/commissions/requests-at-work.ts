import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { GetCommand, QueryCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { coverSpread } from "../polling/spread.ts";
import { timerAttributes } from "../polling/timers.ts";
import { keysOf } from "../table/keys.ts";
import type { Table } from "../table/table.ts";

// Apart from what claims and settles commissions, so that the daily check may not do that.

/** The timer of a request on which somebody has to work on. */
export const finishing = (dueAtMs: number) => ({ kind: "finish_request", dueAtMs }) as const;

/** The ids of requests with work left: still invisible, or with commissions being settled. */
export async function listRequestsAtWork(table: Table, tenantId: string, limit: number): Promise<string[]> {
  const { Items = [] } = await table.db.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: "byOwner",
      KeyConditionExpression: "ownerPK = :pk",
      ExpressionAttributeValues: { ":pk": keysOf(tenantId).requestsAtWork() },
      Limit: limit,
    }),
  );
  return Items.map(({ listSK }) => String(listSK));
}

/** Gives a request that somebody has to work on the timer that it lacks; its phase, or undefined if it lacks none. */
export async function restoreRequestTimer(
  table: Table,
  { tenantId, requestId }: Readonly<{ tenantId: string; requestId: string }>,
  { dueAtMs, shards }: Readonly<{ dueAtMs: number; shards: number }>,
): Promise<string | undefined> {
  const keys = keysOf(tenantId);
  const Key = keys.commissionRequest(requestId);
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  if (Item === undefined || Item["dueShard"] !== undefined) return undefined;
  await coverSpread(table, { timers: shards });
  const { timer, dueAt, dueShard } = timerAttributes(shards, requestId, finishing(dueAtMs));
  try {
    await table.db.send(
      new UpdateCommand({
        TableName: table.name,
        Key: keys.commissionRequest(requestId),
        UpdateExpression: "SET #timer = :timer, dueAt = :dueAt, dueShard = :dueShard",
        ConditionExpression: "ownerPK = :pk AND attribute_not_exists(dueShard)",
        ExpressionAttributeNames: { "#timer": "timer" },
        ExpressionAttributeValues: {
          ":timer": timer,
          ":dueAt": dueAt,
          ":dueShard": dueShard,
          ":pk": keys.requestsAtWork(),
        },
      }),
    );
    return String(Item["phase"]);
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}
