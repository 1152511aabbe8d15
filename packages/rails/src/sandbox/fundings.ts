import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { PutCommand as RailPutCommand } from "@aws-sdk/lib-dynamodb";
import { ifAbsent, keysIn, type RailTable } from "./items.ts";
import type { RailFunding } from "./payment.ts";

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
