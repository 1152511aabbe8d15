import { referenceRates } from "@intents/domain/amounts/exchange-rates.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { newUuid, numericIds } from "@intents/domain/ids.ts";
import { type PricedQuote, type PriceRequest, priceQuote } from "@intents/domain/quotes/pricing.ts";
import type { Quote } from "@intents/domain/quotes/quote.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import type { Table } from "@intents/storage/table/table.ts";
import type { Run } from "../run.ts";

type Issue<Refusal> = Readonly<{
  nowMs: number;
  /** The time for which the quote can be used to pay. */
  ttlMs: number;
  /** Stores the quote: as one of the tenant's, or of one of its links, whose payers alone may pay by it. */
  add: (table: Table, tenantId: string, quote: Quote) => Promise<void>;
  /** The reason why a quote is not issued although it could be priced. */
  whyNot?: (priced: PricedQuote) => Refusal | undefined;
}>;

/** Prices `request` at the current rates and stores the quote, which locks them; or tells why there is no quote. */
export async function issueQuote<Refusal = never>(
  { table, random }: Pick<Run, "table" | "random">,
  request: PriceRequest,
  { nowMs, ttlMs, add, whyNot }: Issue<Refusal>,
): Promise<Result<Quote, Failure | Refusal>> {
  const priced = priceQuote(request, referenceRates, numericIds(nowMs, random));
  if (!priced.ok) return priced;
  const refusal = whyNot?.(priced.value);
  if (refusal !== undefined) return fail(refusal);
  const quote: Quote = {
    quoteId: newUuid(random),
    ...priced.value,
    createdAt: new Date(nowMs).toISOString(),
    expiresOn: new Date(nowMs + ttlMs).toISOString(),
  };
  await add(table, request.tenantId, quote);
  return ok(quote);
}
