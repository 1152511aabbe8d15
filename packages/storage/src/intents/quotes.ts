import type { Quote } from "@intents/domain/quotes/quote.ts";
import { keysOf } from "../table/keys.ts";
import { addRecord, findRecord } from "../table/records.ts";
import type { Table } from "../table/table.ts";

/** Quotes stay 30 days past their expiry, so that a payment in doubt can still be explained (H13). */
const KEPT_AFTER_EXPIRY_S = 30 * 24 * 3600;

/** A quote for payers of a link belongs to that link alone, whose id is `linkId`. */
const keyOf = (tenantId: string, quoteId: string, linkId: string | undefined) =>
  linkId === undefined ? keysOf(tenantId).quote(quoteId) : keysOf(tenantId).linkQuote(linkId, quoteId);

export async function addQuote(table: Table, tenantId: string, quote: Quote, linkId?: string): Promise<void> {
  const ttl = Math.ceil(Date.parse(quote.expiresOn) / 1000) + KEPT_AFTER_EXPIRY_S;
  const added = await addRecord(table, keyOf(tenantId, quote.quoteId, linkId), quote, { ttl });
  if (!added) throw new Error("A new quote's id is already in use");
}

export const findQuote = (table: Table, tenantId: string, quoteId: string, linkId?: string) =>
  findRecord<Quote>(table, keyOf(tenantId, quoteId, linkId));
