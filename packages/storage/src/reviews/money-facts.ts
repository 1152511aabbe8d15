import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { MoneyFacts } from "@intents/domain/standing/tell-money.ts";
import { listLegs } from "../intents/batch-legs.ts";
import { mapInTurns } from "../table/in-turns.ts";
import type { Table } from "../table/table.ts";
import { findCorrections } from "./reviews.ts";

/** So many batches are read at once. */
const AT_ONCE = 20;

type Asked = Pick<PaymentIntent, "tenantId" | "id" | "bulkProgress">;
type StoredFacts = Pick<MoneyFacts, "legs" | "corrections">;

/** The facts about the money of these payments that are stored beside them, in their order. */
export async function findMoneyFacts(table: Table, payments: readonly Asked[]): Promise<StoredFacts[]> {
  const [corrections, legs] = await Promise.all([
    findCorrections(table, payments),
    mapInTurns(payments, AT_ONCE, async (payment) =>
      payment.bulkProgress === undefined ? [] : listLegs(table, payment),
    ),
  ]);
  return payments.map(({ id }, at) => ({ legs: legs[at] ?? [], corrections: corrections.get(id) ?? [] }));
}
