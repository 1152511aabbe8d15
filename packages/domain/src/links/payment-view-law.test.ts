import fc from "fast-check";
import { expect, test } from "vitest";
import { NOW_MS, storedIntent } from "../../test/intent-fixture.ts";
import type { Execution, ExecutionLeg, PaymentIntent } from "../intents/payment-intent.ts";
import { reviewReasons } from "../intents/review.ts";
import { type IntentStatus, intentStatuses, isTerminal } from "../intents/statuses.ts";
import { type Correction, correctedStates } from "../money-state/correction.ts";
import { toPayerPayment } from "./payer-payment.ts";
import { type NextAction, type PaymentExtras, toPayerSession, toPublicPayment } from "./payment-view.ts";

const AT = new Date(NOW_MS).toISOString();
const CHECKOUT = "https://rail.example/checkout";
const [IBAN, ACCOUNT] = ["DE89370400440532013000", "98764321"];
const kinds = ["redirect", "bank_transfer", "none"] as const satisfies readonly (NextAction["type"] | "none")[];
const terms = {
  ...{ recipientName: "School", currency: "AUD", recipients: [{ name: "School" }] },
  ...{ amountType: "fixed" as const, payFromCountryLocked: false, isSingleUse: false },
};

const legStatus = fc.constantFrom<ExecutionLeg["status"]>("executing", "cleared", "failed");
const executions = fc
  .record({
    status: fc.constantFrom<Execution["status"]>(
      "executing",
      "completed",
      "failed",
      "partially_completed",
      "cancelled",
    ),
    isReceived: fc.boolean(),
    legs: fc.tuple(legStatus, legStatus),
  })
  .map(
    ({ status, isReceived, legs }): Execution => ({
      ...{ executionId: "e1", connector: "sandbox", status, startedAt: AT, connectorPaymentIds: [7] },
      ...{ payer: { firstName: "Rui" }, currency: "BRL", fee: "1.00", ...(isReceived && { receivedAt: AT }) },
      legs: legs.map((leg, order) => ({
        ...{ order, payeeId: 5001, splitRole: "principal_provider_amount", payerAmount: "7.20", status: leg },
      })),
    }),
  );

/** A payment with the way of paying that its rail told, whatever has become of it since. */
const payments = fc
  .record({
    status: fc.constantFrom(...intentStatuses),
    execution: executions,
    kind: fc.constantFrom(...kinds),
    hasIban: fc.boolean(),
  })
  .map(({ status, execution, kind, hasIban }) => {
    const bank = {
      beneficiaryName: "Client",
      accountNumber: ACCOUNT,
      bankName: "Bank",
      ...(hasIban && { iban: IBAN }),
    };
    const deposit = { transactionBankDetails: bank, reference: "7", amount: "15.40", currency: "BRL", dueDate: AT };
    const recipient = { role: "education_provider", connectorPayeeId: 5001 } as const;
    const amount = { payeeAmount: "1.80", currency: "AUD" };
    const payment: PaymentIntent = storedIntent({
      status,
      recipients: [
        { ...recipient, amount },
        { ...recipient, amount },
      ],
      executions: [kind === "redirect" ? { ...execution, checkoutUrl: CHECKOUT } : execution],
      ...(kind === "bank_transfer" && { connectorPayment: { ...deposit, payouts: [] } }),
    });
    return { payment, kind };
  });

const corrections = fc.uniqueArray(
  fc.record<Correction>({
    number: fc.integer({ min: 1, max: 9 }),
    at: fc.constant(AT),
    recordId: fc.constant("record"),
    // Another execution's is about a submission that was released.
    executionId: fc.constantFrom("e1", "e0"),
    order: fc.constantFrom(0, 1),
    outcome: fc.constantFrom(...(Object.keys(correctedStates) as Correction["outcome"][])),
    payerAmount: fc.constant({ amount: "7.20", currency: "BRL" }),
    payeeAmount: fc.constant({ amount: "1.80", currency: "AUD" }),
  }),
  { selector: ({ number }) => number, maxLength: 4 },
);
const besides = fc.record<PaymentExtras>({
  underReview: fc.option(
    fc.record({ since: fc.constant(AT), about: fc.subarray([...reviewReasons], { minLength: 1 }) }),
    { nil: undefined },
  ),
  corrections: fc.option(corrections, { nil: undefined }),
});

/** Whatever a payer could follow to pay: the instruction, an address or the number of an account. */
const instruction = new RegExp(`nextAction|checkoutUrl|transactionBankDetails|https?:|${IBAN}|${ACCOUNT}`);

test("no public answer with a final status or under review carries an instruction to pay, whatever was corrected", () => {
  const seen = new Map<IntentStatus, Set<string>>();
  fc.assert(
    fc.property(payments, besides, ({ payment, kind }, extras) => {
      const session = toPayerSession(payment, extras);
      const answers = [session, toPayerPayment(payment, terms, extras), toPublicPayment(payment, extras)];
      const isOver = isTerminal(payment.status) || extras.underReview !== undefined;
      if (isOver) expect(JSON.stringify(answers)).not.toMatch(instruction);
      // A payer under way is told how to pay: the law is not kept by telling nothing.
      const recipients = session?.payment.recipients.map(({ money }) => money) ?? [];
      if (!isOver && recipients.includes("owed")) expect(session?.nextAction?.type).toBe(kind);
      // No payer is asked again for money that came in.
      if (recipients.length > 0 && recipients.every((money) => money === "received"))
        expect(JSON.stringify(answers)).not.toMatch(instruction);
      for (const answer of answers.filter((one) => one !== undefined))
        if (kind !== "none") expect("underReview" in answer).toBe(extras.underReview !== undefined);
      const cases = seen.get(payment.status) ?? new Set();
      cases.add([kind, extras.underReview !== undefined, (extras.corrections ?? []).length > 0].join());
      seen.set(payment.status, cases);
    }),
    { numRuns: process.env["WHOLE"] === "1" ? 20_000 : 3_000, seed: 25 },
  );
  // Every status has met every kind of next action, with and without a review, with and without corrections.
  const expected = intentStatuses.map((status) => [status, kinds.length * 4]);
  expect([...seen].map(([status, cases]) => [status, cases.size]).toSorted()).toEqual(expected.toSorted());
});
