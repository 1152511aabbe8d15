import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { keysOf } from "../table/keys.ts";
import { scanPages } from "../table/pages.ts";
import { fromDoc, type Table } from "../table/table.ts";
import { wholeItems } from "./parts.ts";

/** Every intent of the table, or of one tenant, in no order, page by page. Reads all of the table either way. */
export async function* scanIntents(table: Table, tenantId?: string): AsyncGenerator<PaymentIntent[]> {
  const pages = scanPages(table, {
    ProjectionExpression: "PK, SK, doc, parts",
    FilterExpression: tenantId === undefined ? "SK = :intent" : "SK = :intent AND begins_with(PK, :tenant)",
    ExpressionAttributeValues: {
      ":intent": keysOf("").intent("").SK,
      ...(tenantId !== undefined && { ":tenant": `${keysOf(tenantId).tenant().PK}#` }),
    },
  });
  for await (const { Items = [] } of pages) {
    yield (await wholeItems(table, Items)).map((item) => fromDoc<PaymentIntent>(item));
  }
}
