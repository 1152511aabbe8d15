import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Key } from "./keys.ts";
import type { Table } from "./table.ts";

type Change = Readonly<{
  UpdateExpression: string;
  ConditionExpression: string;
  ExpressionAttributeValues: Record<string, number | string | readonly string[]>;
}>;

/** Makes a conditional change of one item; false when the condition does not hold. */
export async function changeItem(table: Table, Key: Key, change: Change): Promise<boolean> {
  try {
    await table.db.send(new UpdateCommand({ TableName: table.name, Key, ...change }));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
