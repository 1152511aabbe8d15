import type { Quote } from "@intents/domain/quotes/quote.ts";
import { type Key, keysOf } from "../table/keys.ts";
import { addRecord, findRecord, replacedRecord } from "../table/records.ts";
import type { Table } from "../table/table.ts";
import { transact } from "../table/transact.ts";

/** Quotes stay 30 days past their expiry, so that a payment in doubt can still be explained (H13). */
const KEPT_AFTER_EXPIRY_S = 30 * 24 * 3600;

const ttlOf = ({ expiresOn }: Quote): number => Math.ceil(Date.parse(expiresOn) / 1000) + KEPT_AFTER_EXPIRY_S;

export const addQuote = (table: Table, tenantId: string, quote: Quote): Promise<void> =>
  add(table, keysOf(tenantId).quote(quote.quoteId), quote);

/** Adds a quote for payers of one link, to which alone it belongs. */
export const addLinkQuote = (table: Table, tenantId: string, quote: Quote, linkId: string): Promise<void> =>
  add(table, keysOf(tenantId).linkQuote(linkId, quote.quoteId), quote);

async function add(table: Table, key: Key, quote: Quote): Promise<void> {
  const added = await addRecord(table, key, quote, { ttl: ttlOf(quote) });
  if (!added) throw new Error("A new quote's id is already in use");
}

/** Replaces a quote, of a link with `linkId`, unless it has changed since it was read as `before`; false then. */
export async function replaceQuote(
  table: Table,
  tenantId: string,
  before: Quote,
  after: Quote,
  linkId?: string,
): Promise<boolean> {
  const keys = keysOf(tenantId);
  const { quoteId } = before;
  const key = linkId === undefined ? keys.quote(quoteId) : keys.linkQuote(linkId, quoteId);
  const put = replacedRecord(table, key, before, after, { ttl: ttlOf(after) });
  return (await transact(table, () => [{ label: "quote", write: { Put: put } }])).done;
}

export const findQuote = (table: Table, tenantId: string, quoteId: string) =>
  findRecord<Quote>(table, keysOf(tenantId).quote(quoteId));

export const findLinkQuote = (table: Table, tenantId: string, quoteId: string, linkId: string) =>
  findRecord<Quote>(table, keysOf(tenantId).linkQuote(linkId, quoteId));
