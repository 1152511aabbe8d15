import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand as WindowsUpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Table } from "./table.ts";

/** One window of one caller: `limit` requests, or bytes, from `startS` on, in seconds since 1970. */
export type Window = Readonly<{ name: string; subject: string; startS: number; lengthS: number; limit: number }>;

/** How long a window's count is kept after it has ended, in seconds. */
const KEPT_S = 120;
/** A caller tries so often to take what is left when others were faster. */
const TRIES_MAX = 3;

/**
 * Takes up to `wanted` requests from a window in the disposable table, and tells how many of the window are used then.
 * All takers together never get more than the limit, however many ask at once (H53).
 */
export async function takeFromWindow(
  table: Table,
  window: Window,
  wanted: number,
): Promise<{ taken: number; used: number }> {
  let count = Math.min(wanted, window.limit);
  for (let tries = 0; tries < TRIES_MAX && count > 0; tries++) {
    const { taken, used } = await takeAllFromWindow(table, window, count);
    if (taken) return { taken: count, used };
    count = Math.min(wanted, window.limit - used);
  }
  return { taken: 0, used: window.limit };
}

/** Takes `count` from a window, or nothing if less is left; tells how much of the window is used. */
export async function takeAllFromWindow(
  table: Table,
  window: Window,
  count: number,
): Promise<{ taken: boolean; used: number }> {
  const { name, subject, startS, lengthS, limit } = window;
  try {
    const { Attributes } = await table.db.send(
      new WindowsUpdateCommand({
        TableName: table.name,
        Key: { PK: `RATE#${name}#${subject}`, SK: String(startS) },
        UpdateExpression: "ADD used :count SET #ttl = if_not_exists(#ttl, :ttl)",
        ConditionExpression: "attribute_not_exists(used) OR used <= :most",
        ExpressionAttributeNames: { "#ttl": "ttl" },
        ExpressionAttributeValues: { ":count": count, ":most": limit - count, ":ttl": startS + lengthS + KEPT_S },
        ReturnValues: "UPDATED_NEW",
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    );
    return { taken: true, used: Number(Attributes?.["used"]) };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { taken: false, used: Number(error.Item?.["used"]?.N ?? 0) };
  }
}
