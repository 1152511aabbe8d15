import { describe, expect, test } from "vitest";
import { payee, STUDENT_ID, storedIntent } from "../../test/intent-fixture.ts";
import { batchLeg } from "../../test/leg-fixture.ts";
import type { BatchLeg } from "../batches/batch.ts";
import type { Execution } from "../intents/payment-intent.ts";
import { toPaymentRow } from "./payment-row.ts";

const known = {
  payees: new Map([5001, 5003].map((id) => [id, payee(id, id === 5003 ? { currencyCode: "CAD" } : {})])),
  parties: new Map([[STUDENT_ID, { firstName: "Ana", lastName: "Silva", email: "ana@example.com" }]]),
};
const rowOf = (changes: Parameters<typeof storedIntent>[0], legs: readonly BatchLeg[] = []) =>
  toPaymentRow({ tenantId: "1001", payment: storedIntent(changes), facts: { legs, corrections: [] } }, known);

const leg = { order: 0, payeeId: 5001, splitRole: "principal_provider_amount", status: "cleared" } as const;
const execution: Execution = {
  executionId: "e1",
  connector: "sandbox",
  status: "completed",
  startedAt: "",
  connectorPaymentIds: [77],
  railPaymentId: "sbx_1",
  payer: { companyName: "Silva Ltda", firstName: "Ana", email: "pay@silva.example" },
  currency: "BRL",
  fee: "20.00",
  legs: [
    { ...leg, payerAmount: "4000.00", payerCurrency: "BRL", payeeAmount: "1000.00", payeeCurrency: "AUD" },
    { ...leg, order: 1, payerAmount: "100.50", payerCurrency: "BRL", payeeAmount: "25.10", payeeCurrency: "AUD" },
    { ...leg, order: 2, payerAmount: "10.00", payerCurrency: "BRL", payeeAmount: "10.00", payeeCurrency: "BRL" },
  ],
};

describe("a payment in a list", () => {
  test("shows where its newest execution has brought the money, by currency, and who paid then", () => {
    const old: Execution = { ...execution, connectorPaymentIds: [76], fee: "1.00", payer: { firstName: "Old" } };
    expect(rowOf({ executions: [old, execution] })).toMatchObject({
      money: {
        delivered: {
          payerAmount: [{ amount: "4110.50", currency: "BRL" }],
          payeeAmount: [
            { amount: "1025.10", currency: "AUD" },
            { amount: "10.00", currency: "BRL" },
          ],
          fee: [{ amount: "20.00", currency: "BRL" }],
        },
      },
      payer: { name: "Silva Ltda", email: "pay@silva.example" },
      payees: ["School 5001"],
      paymentIds: [76, 77],
      rail: "sandbox",
      railPaymentId: "sbx_1",
    });
  });

  test("shows of a batch the reference of its one deposit, and where each recipient's money is", () => {
    const connectorPayment = {
      transactionBankDetails: { beneficiaryName: "", accountNumber: "", bankName: "" },
      ...{ reference: "78", dueDate: "2026-11-25", amount: "840.00", currency: "BRL", payouts: [] },
    };
    const bulkProgress = { total: 2, completed: 1, failed: 1 };
    const legs = [batchLeg({ order: 0, status: "cleared" }), batchLeg({ order: 1, status: "failed" })];
    const row = rowOf({ executions: [{ ...execution, legs: [] }], connectorPayment, bulkProgress }, legs);
    expect(row.paymentIds).toEqual([78, 77]);
    expect(Object.entries(row.money).map(([state, { payerAmount, fee }]) => [state, payerAmount, fee])).toEqual(
      ["delivered", "failed"].map((state) => [
        state,
        [{ amount: "400.00", currency: "BRL" }],
        [{ amount: "20.00", currency: "BRL" }],
      ]),
    );
  });

  test("shows of a draft what it states where the currency is known, and the saved party that it names", () => {
    const recipients = [
      { connectorPayeeId: 5003, amount: { payeeAmount: "7.00" }, reference: "INV-7" },
      { connectorPayeeId: 9999, amount: { payeeAmount: "1.00", currency: "EUR" }, reference: "INV-7" },
      { amount: { payerAmount: "3.00", currency: "USD" } },
    ];
    const row = rowOf({ recipients, instructions: { paymentLink: { reference: "LINK-1" } } });
    expect(row).toMatchObject({
      money: {
        planned: {
          payerAmount: [{ amount: "3.00", currency: "USD" }],
          payeeAmount: [
            { amount: "7.00", currency: "CAD" },
            { amount: "1.00", currency: "EUR" },
          ],
          fee: [],
        },
      },
      payer: { name: "Ana Silva", email: "ana@example.com" },
      payees: ["School 5003", "9999"],
      references: ["INV-7", "LINK-1"],
    });
    expect(rowOf({}).money).toEqual({ planned: { payerAmount: [], payeeAmount: [], fee: [] } });
  });

  test("names a payer by the role when nothing else is known, as after an erasure", () => {
    expect(rowOf({ payer: { role: "family" } }).payer).toEqual({ name: "family" });
    const row = rowOf({ payer: { role: "tenant" }, subject: { role: "student", details: { firstName: "Zoe" } } });
    expect(row).toMatchObject({ payer: { name: "tenant" }, student: { name: "Zoe" } });
  });
});
