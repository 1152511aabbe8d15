import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import {
  GetCommand as RailGetCommand,
  PutCommand as RailPutCommand,
  UpdateCommand as RailUpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { ifAbsent, keysIn, type RailTable } from "./items.ts";
import type { RailFunding, RailPayment } from "./payment.ts";

/**
 * Announces a deposit, and gives it; if one was announced under its reference before, gives that one instead. A deposit
 * is never forgotten, because payments that name it may come for as long as their batch takes.
 */
export async function addFunding(table: RailTable, funding: RailFunding): Promise<RailFunding> {
  const Item = {
    ...keysIn(table).funding(funding.tenantId, funding.fundingReference),
    funding: JSON.stringify(funding),
  };
  try {
    await table.db.send(new RailPutCommand({ TableName: table.name, ...ifAbsent, Item }));
    return funding;
  } catch (error) {
    const first = error instanceof ConditionalCheckFailedException ? error.Item?.["funding"]?.S : undefined;
    if (first === undefined) throw error;
    return JSON.parse(first);
  }
}

/** The deposit that was announced under a reference. */
async function findFunding(
  table: RailTable,
  tenantId: string,
  fundingReference: string,
): Promise<RailFunding | undefined> {
  const Key = keysIn(table).funding(tenantId, fundingReference);
  const { Item } = await table.db.send(new RailGetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  if (Item === undefined) return undefined;
  const receivedAtMs = Item["receivedAtMs"];
  return {
    ...(JSON.parse(String(Item["funding"])) as RailFunding),
    ...(typeof receivedAtMs === "number" && { receivedAtMs }),
  };
}

/** Reads the deposits of payments of batches, each once. */
export function openDeposits(table: RailTable) {
  const known = new Map<string, Promise<RailFunding | undefined>>();
  return async ({ tenantId, fundingReference }: Pick<RailPayment, "tenantId" | "fundingReference">) => {
    if (fundingReference === undefined) return undefined;
    const name = JSON.stringify([tenantId, fundingReference]);
    const found = known.get(name) ?? findFunding(table, tenantId, fundingReference);
    known.set(name, found);
    return found;
  };
}

/** Has a deposit come in, once; false where none was announced. */
export async function receiveFunding(
  table: RailTable,
  { tenantId, fundingReference }: Pick<RailFunding, "tenantId" | "fundingReference">,
  nowMs: number,
): Promise<boolean> {
  try {
    await table.db.send(
      new RailUpdateCommand({
        TableName: table.name,
        Key: keysIn(table).funding(tenantId, fundingReference),
        UpdateExpression: "SET receivedAtMs = if_not_exists(receivedAtMs, :at)",
        ConditionExpression: "attribute_exists(PK)",
        ExpressionAttributeValues: { ":at": nowMs },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
