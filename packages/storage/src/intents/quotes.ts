import type { Quote } from "@intents/domain/quotes/quote.ts";
import { keysOf } from "../table/keys.ts";
import { addRecord, findRecord, replacedRecord } from "../table/records.ts";
import type { Table } from "../table/table.ts";
import { transact } from "../table/transact.ts";

/** Quotes stay 30 days past their expiry, so that a payment in doubt can still be explained (H13). */
const KEPT_AFTER_EXPIRY_S = 30 * 24 * 3600;

const ttlOf = ({ expiresOn }: Quote): number => Math.ceil(Date.parse(expiresOn) / 1000) + KEPT_AFTER_EXPIRY_S;

/** A quote for payers of a link belongs to that link alone, whose id is `linkId`. */
const keyOf = (tenantId: string, quoteId: string, linkId: string | undefined) =>
  linkId === undefined ? keysOf(tenantId).quote(quoteId) : keysOf(tenantId).linkQuote(linkId, quoteId);

export async function addQuote(table: Table, tenantId: string, quote: Quote, linkId?: string): Promise<void> {
  const added = await addRecord(table, keyOf(tenantId, quote.quoteId, linkId), quote, { ttl: ttlOf(quote) });
  if (!added) throw new Error("A new quote's id is already in use");
}

/** Replaces a quote, unless it has changed since it was read as `before`; false then. */
export async function replaceQuote(
  table: Table,
  tenantId: string,
  before: Quote,
  after: Quote,
  linkId?: string,
): Promise<boolean> {
  const attributes = { ttl: ttlOf(after) };
  const put = replacedRecord(table, keyOf(tenantId, before.quoteId, linkId), before, after, attributes);
  return (await transact(table, () => [{ label: "quote", write: { Put: put } }])).done;
}

export const findQuote = (table: Table, tenantId: string, quoteId: string, linkId?: string) =>
  findRecord<Quote>(table, keyOf(tenantId, quoteId, linkId));
