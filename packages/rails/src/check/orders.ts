import { randomBytes, randomInt } from "node:crypto";
import type { PaymentOrder } from "@intents/domain/rails/rail.ts";

/** The payments of one run: of the least amount, of a tenant and to payees that no other run has. */
export function openOrders() {
  const run = randomBytes(4).toString("hex");
  const tenantId = `check-${run}`;
  let made = 0;
  const newExecutionId = () => `${run}${randomBytes(8).toString("hex")}:${made++}`;

  /** An order that no duplicate check takes for another one of this run. */
  const newOrder = (changes: Partial<PaymentOrder> = {}): PaymentOrder => {
    const id = randomInt(2 ** 40);
    return {
      tenantId,
      intentId: randomBytes(12).toString("hex"),
      connectorPaymentId: id,
      settlementMethod: "dmt",
      settlementChannel: "bank",
      payerCurrency: "AUD",
      totalAmount: "0.01",
      fee: "0.00",
      payerKey: `payer-${id}@check.example`,
      payer: { firstName: "Check", lastName: "Payer", email: `payer-${id}@check.example` },
      legs: [
        {
          order: 0,
          payeeId: id,
          payeeName: "Check Payee",
          payerAmount: "0.01",
          payeeAmount: "0.01",
          payeeCurrency: "USD",
        },
      ],
      ...changes,
    };
  };
  const newReference = () => String(randomInt(2 ** 40));
  return { tenantId, newExecutionId, newOrder, newReference };
}
