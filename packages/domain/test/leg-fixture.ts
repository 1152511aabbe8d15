import type { BatchLeg } from "../src/batches/batch.ts";

/** A leg of a batch that sends 400 and a fee of 20 reais to a school. */
export function batchLeg({ order, ...changes }: Partial<BatchLeg> & Pick<BatchLeg, "order">): BatchLeg {
  const line = { order, payeeId: 5001, payeeName: "School 5001", payerAmount: "400.00", payeeAmount: "100.00" };
  return {
    order,
    executionId: `execution:${order}`,
    status: "pending",
    attempt: 0,
    leaseUntilMs: 0,
    fxRate: "0.25",
    payment: {
      tenantId: "1001",
      intentId: "intent",
      connectorPaymentId: 42,
      settlementMethod: "dmt",
      settlementChannel: "bank",
      payerCurrency: "BRL",
      totalAmount: "420.00",
      fee: "20.00",
      payerKey: "1001",
      payer: {},
      legs: [{ ...line, payeeCurrency: "AUD" }],
    },
    ...changes,
  };
}
