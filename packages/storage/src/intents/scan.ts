import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { parseTimerKey } from "../table/key-owners.ts";
import { type IntentKey, keysOf } from "../table/keys.ts";
import { queryPages, scanPages } from "../table/pages.ts";
import { changeKey } from "../table/shared-keys.ts";
import { fromDoc, type Table } from "../table/table.ts";
import { wholeItems } from "./parts.ts";

/** Every intent of the table, or of one tenant, in no order, page by page. Reads all of the table either way. */
export async function* scanIntents(table: Table, tenantId?: string): AsyncGenerator<PaymentIntent[]> {
  const pages = scanPages(table, ["PK", "SK", "doc", "parts"], {
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

/**
 * The keys of a tenant's intents that changed since a moment (milliseconds since 1970), page by page. One that changes
 * meanwhile may come twice, and the index may be a moment behind the table: only the table tells how they stand.
 */
export async function* findChanged(table: Table, tenantId: string, sinceMs: number): AsyncGenerator<IntentKey[]> {
  const pages = queryPages(table, {
    IndexName: "byChange",
    KeyConditionExpression: "listPK = :list AND changeSK >= :since",
    ExpressionAttributeValues: {
      ":list": keysOf(tenantId).list("INTENT"),
      ":since": changeKey(new Date(sinceMs).toISOString(), ""),
    },
  });
  for await (const { Items = [] } of pages) yield Items.flatMap(({ PK }) => parseTimerKey(String(PK)) ?? []);
}
