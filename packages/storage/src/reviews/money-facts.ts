import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { DescribedPayment, MoneyFacts } from "@intents/domain/money-state/describe-money.ts";
import { quoteOfAmounts } from "@intents/domain/money-state/stated-money.ts";
import type { Quote } from "@intents/domain/quotes/quote.ts";
import { listLegs } from "../intents/batch-legs.ts";
import { mapInTurns } from "../table/in-turns.ts";
import { keysOf } from "../table/keys.ts";
import { findItems } from "../table/records.ts";
import { fromDoc, type Table } from "../table/table.ts";
import { findCorrections } from "./reviews.ts";

/** Batches read at once. */
const AT_ONCE = 20;

type AskedPayment = Pick<PaymentIntent, "tenantId" | "id" | "instructions"> & DescribedPayment;
type StoredFacts = Pick<MoneyFacts, "legs" | "corrections" | "quotedCurrency">;

/** The facts about the money of these payments that are stored beside them, in their order. */
export async function findMoneyFacts(table: Table, payments: readonly AskedPayment[]): Promise<StoredFacts[]> {
  const [corrections, legs, currencies] = await Promise.all([
    findCorrections(table, payments),
    mapInTurns(payments, AT_ONCE, async (payment) =>
      payment.bulkProgress === undefined ? [] : listLegs(table, payment),
    ),
    findQuotedCurrencies(table, payments),
  ]);
  return payments.map(({ id }, at) => {
    const quotedCurrency = currencies.get(id);
    const stored = { legs: legs[at] ?? [], corrections: corrections.get(id) ?? [] };
    return { ...stored, ...(quotedCurrency !== undefined && { quotedCurrency }) };
  });
}

/** The payer's currency of each draft that was never compiled, where its quote alone has it. */
async function findQuotedCurrencies(
  table: Table,
  payments: readonly AskedPayment[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const wanted = payments.flatMap((payment) => {
    const { tenantId, id, executions, executionPlan } = payment;
    const quoted = executions.length > 0 || executionPlan !== undefined ? undefined : quoteOfAmounts(payment);
    return quoted === undefined ? [] : [{ id, ...quoted, key: keysOf(tenantId).quote(quoted.quoteId) }];
  });
  const keys = new Map(wanted.map(({ key }) => [key.PK, key]));
  const items = await findItems(table, [...keys.values()]);
  const quotes = new Map(items.map((item) => [item["PK"], fromDoc<Quote>(item)]));
  return new Map(
    wanted.map(({ id, key, variantId }) => {
      const { variants = [] } = quotes.get(key.PK) ?? {};
      return [id, variants.find((variant) => variant.id === variantId)?.fromCurrency];
    }),
  );
}
