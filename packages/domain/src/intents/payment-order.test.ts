import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromMinorUnits, toMinorUnits } from "../amounts/money.ts";
import { facts, NOW_MS, QUOTE_ID, quote, storedIntent, tuition, variant } from "./intent-fixture.ts";
import type { PaymentIntent } from "./payment-intent.ts";
import { planExecution, planLegs, planPaymentOrder } from "./payment-order.ts";

const { payees, offer: connector } = facts();
const chosen = variant([5001, 5002]);
const recipient = (connectorPayeeId: number, payerAmount: string, more: object = {}) => ({
  role: "education_provider" as const,
  connectorPayeeId,
  amount: { payerAmount },
  ...more,
});
const order = (changes: Partial<PaymentIntent> = {}) =>
  planPaymentOrder(storedIntent(changes), {
    variant: chosen,
    payees,
    payer: {},
    payerKey: "ana",
    connectorPaymentId: 7,
  });

describe("the legs of a payment", () => {
  test("follow `order`, which defaults to the place in the array", () => {
    const recipients = [
      recipient(5001, "1.00", { order: 7 }),
      recipient(5002, "2.00"),
      recipient(5003, "3.00", { order: 0 }),
    ];
    const legs = planLegs({ ...tuition, recipients }, chosen, payees);
    expect(legs.map(({ order, payeeId }) => [order, payeeId])).toEqual([
      [0, 5003],
      [1, 5002],
      [7, 5001],
    ]);
  });

  test("pay the quoted amount for the quoted price, and any other at the variant's rate", () => {
    const recipients = [recipient(5001, "4000"), recipient(5002, "2000.02")];
    const legs = planLegs({ ...tuition, recipients }, chosen, payees);
    expect(legs.map(({ payerAmount, payeeAmount }) => [payerAmount, payeeAmount])).toEqual([
      ["4000.00", "1000.00"],
      ["2000.02", "500.01"],
    ]);
  });

  test("carry a reference when there is one", () => {
    const recipients = [recipient(5001, "1.00", { reference: "term 1" }), recipient(5002, "1.00")];
    const [first, second] = planLegs({ ...tuition, recipients }, chosen, payees);
    expect(first).toMatchObject({ reference: "term 1", payeeName: "School 5001", payeeCurrency: "AUD" });
    expect(second).not.toHaveProperty("reference");
  });
});

describe("the order to the rail", () => {
  test("totals its legs and the fee, to the minor unit", () => {
    const units = fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(units, (counts) => {
        const recipients = counts.map((count) => recipient(5001, fromMinorUnits(count, "BRL")));
        const { legs, fee, totalAmount } = order({ recipients });
        const parts = [fee, ...legs.map(({ payerAmount }) => payerAmount)].map((part) => toMinorUnits(part, "BRL"));
        expect(toMinorUnits(totalAmount, "BRL")).toBe(parts.reduce((sum, part) => sum + part, 0n));
        expect(toMinorUnits(totalAmount, "BRL")).toBe(counts.reduce((sum, count) => sum + count, 2000n));
      }),
    );
  });

  test("carries the payer's key and name as they were given", () => {
    expect(order()).toMatchObject({ payer: {}, payerKey: "ana" });
  });
});

test("a compiled plan has the same legs and total as an order made from the same quote", () => {
  const intent = storedIntent();
  const { legs, totalAmount, fee, payerCurrency: currency, settlementMethod, settlementChannel } = order();
  const plan = planExecution(intent, { quote: quote(), variant: chosen, payees, connector }, NOW_MS);
  expect(plan).toEqual({
    compiledAt: new Date(NOW_MS).toISOString(),
    connector,
    quoteId: QUOTE_ID,
    selectedQuoteVariantId: chosen.id,
    settlementMethod,
    settlementChannel,
    currency,
    totalAmount,
    fee,
    legs,
  });
});
