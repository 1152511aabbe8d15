import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { PaymentIntent } from "@intents/domain/payment-intent.ts";
import { keysOf } from "./keys.ts";
import { fromDoc, type Table } from "./table.ts";

/** Every intent of the table, or of one tenant, in no order, page by page. Reads all of the table either way. */
export async function* scanIntents(table: Table, tenantId?: string): AsyncGenerator<PaymentIntent[]> {
  let start: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.db.send(
      new ScanCommand({
        TableName: table.name,
        ConsistentRead: true,
        ProjectionExpression: "doc",
        FilterExpression: tenantId === undefined ? "SK = :intent" : "SK = :intent AND begins_with(PK, :tenant)",
        ExpressionAttributeValues: {
          ":intent": keysOf("").intent("").SK,
          ...(tenantId !== undefined && { ":tenant": `${keysOf(tenantId).tenant().PK}#` }),
        },
        ...(start !== undefined && { ExclusiveStartKey: start }),
      }),
    );
    yield Items.map((item) => fromDoc<PaymentIntent>(item));
    start = LastEvaluatedKey;
  } while (start !== undefined);
}
