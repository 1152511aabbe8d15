import { describe, expect, test } from "vitest";
import { NOW_MS, storedIntent } from "../../test/intent-fixture.ts";
import { newRecordId } from "../ids.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import { intentStatuses, isTerminal, terminalStatuses } from "../intents/statuses.ts";
import type { Submission } from "../intents/submission.ts";
import { toPayerPayment } from "./payer-payment.ts";
import { type PaymentExtras, toPayerSession, toPublicPayment } from "./payment-view.ts";

const details = { firstName: "Rui", lastName: "Silva", email: "Rui@Example.com" };
const CHILD_ID = newRecordId(NOW_MS, (count) => new Uint8Array(count));
const dueDate = "2026-11-24";
const bankDetails = { beneficiaryName: "Client Account", accountNumber: "98764321", bankName: "Bank" };
const execution: PaymentIntent["executions"][number] = {
  executionId: "e",
  connector: "sandbox",
  status: "executing",
  startedAt: new Date(NOW_MS).toISOString(),
  connectorPaymentIds: [7],
  payer: details,
  currency: "BRL",
  fee: "1.00",
  legs: [
    { order: 0, payeeId: 5001, splitRole: "principal_provider_amount", payerAmount: "7.20", status: "executing" },
    { order: 1, payeeId: 1001, splitRole: "tenant_commission", payerAmount: "0.80", status: "executing" },
  ],
};
const child = (changes: Partial<PaymentIntent>) =>
  storedIntent({
    id: CHILD_ID,
    status: "executing",
    payer: { role: "unknown_link_payer", details },
    recipients: [
      { role: "education_provider", connectorPayeeId: 5001, amount: { payeeAmount: "1.80", currency: "AUD" } },
      { role: "tenant", connectorPayeeId: 1001, amount: { payeeAmount: "0.20", currency: "AUD" } },
    ],
    ...changes,
  });
const payment = {
  amount: "9.00",
  feesAndCharges: "1.80",
  currency: "BRL",
  recipients: [{ amount: "1.80", currency: "AUD", money: "owed" }],
};
const byBank = child({
  executions: [execution],
  connectorPayment: {
    transactionBankDetails: bankDetails,
    reference: "7",
    dueDate,
    amount: "9.00",
    currency: "BRL",
    payouts: [],
  },
});
const byCard = child({
  executions: [{ ...execution, checkoutUrl: "https://rail.example/c" }],
  expectedSettlementMs: NOW_MS + 60_000,
});
const claimed = child({ status: "draft", submission: { leaseUntilMs: NOW_MS + 5_000 } as Submission });

describe("a payer's session", () => {
  test("leads to a checkout or says where to deposit, and shows the amounts of its quote", () => {
    expect(toPayerSession(byCard, {})).toEqual({
      paymentIntentId: CHILD_ID,
      status: "executing",
      checkoutUrl: "https://rail.example/c",
      nextAction: { type: "redirect", url: "https://rail.example/c" },
      payment,
    });
    expect(toPayerSession(byBank, {})?.payment).toEqual(payment);
    expect(toPayerSession(byBank, {})?.nextAction).toEqual({
      type: "bank_transfer",
      transactionBankDetails: bankDetails,
      reference: "7",
      amount: "9.00",
      currency: "BRL",
      dueDate,
    });
    expect(toPayerSession(child({ status: "cancelled" }), {})).toBeUndefined();
  });

  test.each(terminalStatuses)(
    "of a payment that is %s tells its amounts, and how to pay nothing any more",
    (status) => {
      for (const ended of [byCard, byBank]) {
        expect(toPayerSession({ ...ended, status }, {})).toEqual({ paymentIntentId: CHILD_ID, status, payment });
      }
    },
  );

  test("tells anybody who knows its id its status, and nothing about the payer", () => {
    expect(toPublicPayment(byBank, {})).toEqual({
      paymentIntentId: CHILD_ID,
      paymentStatus: "executing",
      paymentMethod: "bank_transfer",
      money: "owed",
    });
    expect(toPublicPayment(claimed, {})).toEqual({ paymentIntentId: CHILD_ID, paymentStatus: "draft" });
  });
});

test("no answer about a payment that has ended or is under review says how to pay it, and each says whereto it went", () => {
  const terms = {
    ...{ recipientName: "School", currency: "AUD", recipients: [{ name: "School" }] },
    ...{ amountType: "fixed" as const, payFromCountryLocked: false, isSingleUse: false },
  };
  const underReview = { since: new Date(NOW_MS).toISOString(), about: ["contradicts_outcome"] } as const;
  const besides: readonly PaymentExtras[] = [{}, { underReview }];
  for (const [status, extras] of intentStatuses.flatMap((one) => besides.map((other) => [one, other] as const))) {
    for (const paid of [byCard, byBank].map((one) => ({ ...one, status }))) {
      const again = toPayerPayment(paid, terms, extras);
      const answers = [toPayerSession(paid, extras), again, toPublicPayment(paid, extras)];
      const isPayable = !isTerminal(status) && extras.underReview === undefined;
      expect(/nextAction|checkoutUrl|transactionBankDetails|https:/.test(JSON.stringify(answers))).toBe(isPayable);
      for (const answer of answers)
        expect(answer?.underReview).toEqual(extras.underReview && { since: underReview.since });
      const sentTo = { beneficiaryName: "Client Account", accountEnding: "4321" };
      expect(again?.sentTo).toEqual(paid.connectorPayment && sentTo);
    }
  }
});
