import type { Quote } from "@intents/domain/quote.ts";
import { keysOf } from "./keys.ts";
import { addRecord, findRecord } from "./records.ts";
import type { Table } from "./table.ts";

/** Quotes stay 30 days past their expiry, so that a payment in doubt can still be explained (H13). */
const KEPT_AFTER_EXPIRY_S = 30 * 24 * 3600;

export async function addQuote(table: Table, tenantId: string, quote: Quote): Promise<void> {
  const ttl = Math.ceil(Date.parse(quote.expiresOn) / 1000) + KEPT_AFTER_EXPIRY_S;
  const added = await addRecord(table, keysOf(tenantId).quote(quote.quoteId), quote, { ttl });
  if (!added) throw new Error("A new quote's id is already in use");
}

export const findQuote = (table: Table, tenantId: string, quoteId: string) =>
  findRecord<Quote>(table, keysOf(tenantId).quote(quoteId));
