import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { facts, NOW_MS, payee, QUOTE_ID, quote, storedIntent, tuition, variant } from "../../test/intent-fixture.ts";
import { fromMinorUnits, toMinorUnits } from "../amounts/money.ts";
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

  test("says all that the rail needs: whose payment it is, how it is sent, what it costs and whom it pays", () => {
    const { id: intentId, tenantId } = storedIntent();
    const leg = { order: 0, payeeId: 5001, payeeName: "School 5001", payeeCurrency: "AUD" };
    expect(order()).toEqual({
      ...{ tenantId, intentId, connectorPaymentId: 7, settlementMethod: "dmt", settlementChannel: "bank" },
      ...{ payerCurrency: "BRL", totalAmount: "4020.00", fee: "20.00", payerKey: "ana", payer: {} },
      legs: [{ ...leg, payerAmount: "4000.00", payeeAmount: "1000.00" }],
    });
  });
});

test("a compiled plan has the legs and the total of the order that it shows", () => {
  const intent = storedIntent();
  const { legs, totalAmount, fee, payerCurrency: currency, settlementMethod, settlementChannel } = order();
  const plan = planExecution(intent, order(), { quote: quote(), variant: chosen, payees, connector }, NOW_MS);
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
    legs: legs.map((leg) => ({ ...leg, payerCurrency: currency })),
  });
});

test("a compiled plan keeps the name of a payee that only another tenant may see to itself", () => {
  const recipients = [recipient(5001, "1.00"), recipient(5002, "1.00"), recipient(5003, "1.00")];
  const owned = new Map([
    [5001, payee(5001, { tenantId: "1001" })],
    [5002, payee(5002, { tenantId: "1002" })],
    [5003, payee(5003)],
  ]);
  const { legs } = planExecution(
    storedIntent(),
    order({ recipients }),
    { quote: quote(), variant: chosen, payees: owned, connector },
    NOW_MS,
  );
  expect(legs.map(({ payeeId, payeeName }) => [payeeId, payeeName])).toEqual([
    [5001, "School 5001"],
    [5002, undefined],
    [5003, "School 5003"],
  ]);
});

test("a scenario that nobody executes, and a recipient whose payee is not known, have no leg", () => {
  const recipients = [recipient(9999, "1.00"), recipient(5001, "1.00"), { role: "education_provider" } as const];
  expect(planLegs({ ...tuition, recipients }, chosen, payees).map(({ payeeId }) => payeeId)).toEqual([5001]);
  expect(planLegs({ ...tuition, deliveryMode: "bulk" }, chosen, payees)).toEqual([]);
});
