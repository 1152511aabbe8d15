import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Table } from "./table.ts";

/** One window of one caller: `limit` requests from `startS` on, in seconds since 1970. */
export type Window = Readonly<{ name: string; subject: string; startS: number; lengthS: number; limit: number }>;

/** How long a window's count is kept after it has ended, in seconds. */
const KEPT_S = 120;

/**
 * Takes `count` requests from a window in the disposable table; what it then has used, or undefined when so many are
 * not left. The sum of what is taken never passes the limit, however many ask at once (H53).
 */
export async function takeFromWindow(table: Table, window: Window, count: number): Promise<number | undefined> {
  const { name, subject, startS, lengthS, limit } = window;
  try {
    const { Attributes } = await table.db.send(
      new UpdateCommand({
        TableName: table.name,
        Key: { PK: `RATE#${name}#${subject}`, SK: String(startS) },
        UpdateExpression: "ADD used :count SET #ttl = if_not_exists(#ttl, :ttl)",
        ConditionExpression: "attribute_not_exists(used) OR used <= :most",
        ExpressionAttributeNames: { "#ttl": "ttl" },
        ExpressionAttributeValues: { ":count": count, ":most": limit - count, ":ttl": startS + lengthS + KEPT_S },
        ReturnValues: "UPDATED_NEW",
      }),
    );
    return Number(Attributes?.["used"]);
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}
