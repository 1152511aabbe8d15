import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { MoneyFacts } from "@intents/domain/standing/tell-money.ts";
import { mapInTurns } from "../table/in-turns.ts";
import type { Table } from "../table/table.ts";
import { listLegs } from "./batch-legs.ts";

/** So many batches are read at once. */
const AT_ONCE = 20;

type Asked = Pick<PaymentIntent, "tenantId" | "id" | "bulkProgress">;
type StoredFacts = Pick<MoneyFacts, "legs" | "corrections">;

/** The facts about the money of these payments that are stored beside them, in their order. */
export const findMoneyFacts = (table: Table, payments: readonly Asked[]): Promise<StoredFacts[]> =>
  mapInTurns(payments, AT_ONCE, async (payment) => ({
    legs: payment.bulkProgress === undefined ? [] : await listLegs(table, payment),
    corrections: [],
  }));
