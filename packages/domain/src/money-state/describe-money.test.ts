import { describe, expect, test } from "vitest";
import { payee, storedIntent } from "../../test/intent-fixture.ts";
import { batchLeg } from "../../test/leg-fixture.ts";
import type { BatchLeg } from "../batches/batch.ts";
import type { Execution, ExecutionLeg, ExecutionPlan, PaymentIntent } from "../intents/payment-intent.ts";
import type { Recipient } from "../scenarios/draft.ts";
import { type Correction, correctedStates } from "./correction.ts";
import { describeMoney, type MoneyFacts, stateOf } from "./describe-money.ts";
import { sumByState } from "./money-state.ts";
import { quoteOfAmounts, statedMoney } from "./stated-money.ts";

const none: MoneyFacts = { legs: [], corrections: [], payees: new Map([[5001, payee(5001)]]) };
const partsOf = (changes: Partial<PaymentIntent>, facts: Partial<MoneyFacts> = {}) =>
  sumByState(describeMoney(storedIntent(changes), { ...none, ...facts }));

const leg = (order: number, status: ExecutionLeg["status"]): ExecutionLeg => ({
  ...{ order, payeeId: 5001, splitRole: "principal_provider_amount", status },
  ...{ payerAmount: "400.00", payerCurrency: "BRL", payeeAmount: "100.00", payeeCurrency: "AUD" },
});
const execution = (status: Execution["status"], ...legs: ExecutionLeg[]): Execution => ({
  ...{ executionId: "e1", connector: "sandbox", status, startedAt: "", connectorPaymentIds: [77], payer: {} },
  ...{ currency: "BRL", fee: "20.00", legs },
});
const correction = (changes: Partial<Correction>): Correction => ({
  ...{ number: 1, at: "2026-11-21T09:00:00.000Z", executionId: "e1", order: 0, outcome: "arrived", recordId: "r1" },
  payerAmount: brl("400.00"),
  payeeAmount: aud("100.00"),
  ...changes,
});
const brl = (amount: string) => ({ amount, currency: "BRL" });
const aud = (amount: string) => ({ amount, currency: "AUD" });
/** Sums of recipients at 400 BRL each, with or without the fee. */
const sums = (payer: string, payeeGets: string, fee: string | undefined = "20.00") => ({
  payerAmount: [brl(payer)],
  payeeAmount: [aud(payeeGets)],
  fee: fee === "" ? [] : [brl(fee)],
});

describe("where the money of a payment is", () => {
  test("a draft plans in the currency of its quote what its payer pays, if it states none", () => {
    const recipients = [{ connectorPayeeId: 5001, amount: { payerAmount: "7.00" } }];
    const planned = { payerAmount: [brl("7.00")], payeeAmount: [], fee: [] };
    expect(partsOf({ recipients }, { quotedCurrency: "BRL" })).toEqual({ planned });
    expect(partsOf({ recipients: [{ amount: { payerAmount: "7.00", currency: "BRL" } }] })).toEqual({ planned });
    expect(partsOf({ recipients })).toEqual({ planned: { ...planned, payerAmount: [] } });
  });

  test("a draft plans what it states, and a compiled one what its plan says; cancelled, it has failed", () => {
    const recipients = [{ connectorPayeeId: 5001, amount: { payeeAmount: "7.00" } }];
    const stated = { payerAmount: [], payeeAmount: [aud("7.00")], fee: [] };
    expect(partsOf({ recipients })).toEqual({ planned: stated });
    const executionPlan = { currency: "BRL", fee: "20.00", legs: [leg(0, "executing")] } as unknown as ExecutionPlan;
    expect(partsOf({ executionPlan })).toEqual({ planned: sums("400.00", "100.00") });
    expect(partsOf({ executionPlan, status: "cancelled" })).toEqual({ failed: sums("400.00", "100.00") });
  });

  test.each(["draft", "pending_link_payment", "cancelled", "failed"] as const)(
    "that no rail has accepted, %s, is planned or has failed",
    (status) => {
      const recipients = [{ connectorPayeeId: 5001, amount: { payeeAmount: "7.00" } }];
      const isOver = status === "cancelled" || status === "failed";
      expect(Object.keys(partsOf({ status, recipients }))).toEqual([isOver ? "failed" : "planned"]);
    },
  );

  test("of a payment without a fee is its recipients' alone", () => {
    const free = { ...execution("completed", leg(0, "cleared")), fee: "0.00" };
    expect(describeMoney(storedIntent({ executions: [free] }), none)).toMatchObject([{ part: "recipient" }]);
  });

  test.each([
    ["executing", "owed"],
    ["completed", "delivered"],
    ["failed", "failed"],
    ["cancelled", "failed"],
  ] as const)("of an execution that is %s it is %s, and the fee with it", (status, state) => {
    const legStatus = {
      executing: "executing",
      completed: "cleared",
      failed: "failed",
      cancelled: "executing",
    } as const;
    expect(partsOf({ executions: [execution(status, leg(0, legStatus[status]))] })).toEqual({
      [state]: sums("400.00", "100.00"),
    });
  });

  test("of one that runs the fee is owed, whoever has been paid already", () => {
    const { owed, delivered } = partsOf({
      executions: [execution("executing", leg(0, "cleared"), leg(1, "executing"))],
    });
    expect([owed?.fee, delivered?.fee]).toEqual([[brl("20.00")], []]);
  });

  test("of several executions the last one counts", () => {
    const again = { ...execution("executing", leg(0, "executing")), executionId: "e2" };
    const parts = describeMoney(storedIntent({ executions: [execution("failed", leg(0, "failed")), again] }), none);
    expect(parts.map(({ state, executionId }) => `${state} ${executionId}`)).toEqual(["owed e2", "owed e2"]);
  });

  test("of a partly completed one each recipient stands for itself, and the fee is delivered", () => {
    expect(partsOf({ executions: [execution("partially_completed", leg(0, "cleared"), leg(1, "failed"))] })).toEqual({
      delivered: sums("400.00", "100.00"),
      failed: sums("400.00", "100.00", ""),
    });
  });

  test("of a batch each recipient has a state and a fee of its own", () => {
    const statuses = ["pending", "executing", "cleared", "failed", "cancelled"] as const;
    const legs = statuses.map((status, order) => batchLeg({ order, status }));
    const batch = { bulkProgress: { total: 5, completed: 1, failed: 1 }, executions: [execution("executing")] };
    expect(partsOf(batch, { legs })).toEqual({
      planned: sums("400.00", "100.00"),
      owed: sums("400.00", "100.00"),
      delivered: sums("400.00", "100.00"),
      failed: sums("800.00", "200.00", "40.00"),
    });
    expect(() => partsOf(batch)).toThrow("told from its legs");
  });

  test("a link that a payment has closed plans nothing any more", () => {
    const published = { status: "pending_link_payment", executions: [execution("executing")] } as const;
    expect(Object.keys(partsOf(published))).toEqual(["planned"]);
    expect(partsOf({ status: "pending_link_payment", linkClosedAt: "2026-11-21T09:00:00.000Z" })).toEqual({});
  });
});

describe("corrections", () => {
  test.each(Object.entries(correctedStates))("money that %s is %s; the fee stays as it was", (outcome, state) => {
    const corrections = [correction({ outcome: outcome as Correction["outcome"] })];
    const parts = describeMoney(storedIntent({ executions: [execution("completed", leg(0, "cleared"))] }), {
      ...none,
      corrections,
    });
    expect(parts).toMatchObject([{ state }, { part: "fee", state: "delivered" }]);
    expect(parts[0]?.returnedAt).toBe(state === "returned" ? corrections[0]?.at : undefined);
  });

  test("the newest about a recipient counts, in whatever order they are read", () => {
    const executions = [execution("failed", leg(0, "failed"))];
    const corrections = [correction({ number: 2, outcome: "cameBack" }), correction({ outcome: "arrived" })];
    expect(partsOf({ executions }, { corrections }).returned).toEqual(sums("400.00", "100.00", ""));
  });

  test("each is about one recipient of one execution, and leaves all others as they are", () => {
    const executions = [execution("completed", leg(0, "cleared"), leg(1, "cleared"), leg(2, "cleared"))];
    const corrections = [
      correction({ number: 1, order: 1, outcome: "cameBack" }),
      correction({ number: 2, order: 2, outcome: "neverMoved" }),
    ];
    const parts = describeMoney(storedIntent({ executions }), { ...none, corrections });
    expect(parts.map(({ state }) => state)).toEqual(["delivered", "returned", "failed", "delivered"]);
  });

  test.each([
    ["neverMoved", { state: "failed", isOwedBack: true }],
    ["arrived", { state: "delivered" }],
    ["cameBack", { state: "returned" }],
  ] as const)("money that is owed back, and %s, is %j", (outcome, expected) => {
    const executions = [{ ...execution("failed", leg(0, "failed")), receivedAt: "2026-11-21T09:00:00.000Z" }];
    const [part] = describeMoney(storedIntent({ executions }), { ...none, corrections: [correction({ outcome })] });
    const { state, isOwedBack } = part ?? {};
    expect({ state, ...(isOwedBack !== undefined && { isOwedBack }) }).toEqual(expected);
  });

  test("money that arrived for a released draft leaves the plans of all other recipients", () => {
    const recipients = [0, 1].map(() => ({ connectorPayeeId: 5001, amount: { payeeAmount: "100.00" } }));
    const corrections = [correction({ executionId: "released", order: 1 })];
    const parts = describeMoney(storedIntent({ recipients }), { ...none, corrections });
    expect(parts.map(({ order, state }) => [order, state])).toEqual([
      [0, "planned"],
      [1, "delivered"],
    ]);
  });

  test("of a released submission are told in the place of what came to nothing, and of a plan once they arrived", () => {
    const recipients = [{ connectorPayeeId: 5001, amount: { payeeAmount: "100.00" } }];
    const about = (
      outcome: Correction["outcome"],
      changes: Partial<PaymentIntent> = { recipients },
      legs?: BatchLeg[],
    ) => partsOf(changes, { corrections: [correction({ executionId: "released", outcome })], ...(legs && { legs }) });
    const delivered = sums("400.00", "100.00", "");
    expect(about("arrived")).toEqual({ delivered });
    expect(Object.keys(about("cameBack"))).toEqual(["planned", "returned"]);
    expect(Object.keys(about("neverMoved"))).toEqual(["planned"]);
    const cancelled = { recipients, status: "cancelled" } as const;
    expect(about("arrived", cancelled)).toEqual({ delivered });
    expect(about("cameBack", cancelled)).toEqual({ returned: delivered });
    expect(Object.keys(about("neverMoved", cancelled))).toEqual(["failed"]);
    const batch = { bulkProgress: { total: 1, completed: 0, failed: 0 } };
    const leg = batchLeg({ order: 0, status: "cancelled" });
    expect(about("arrived", batch, [leg]).delivered).toEqual(delivered);
    expect(about("arrived", batch, [leg]).failed?.payerAmount).toEqual([]);
    expect(about("arrived", batch, [{ ...leg, isOwedBack: true }]).failed?.payerAmount).toEqual([brl("400.00")]);
  });
});

describe("what a draft states", () => {
  const payees = new Map([[5001, payee(5001)]]);
  const [known, unknown] = [{ connectorPayeeId: 5001 }, { connectorPayeeId: 1 }];
  test.each<[Recipient, ReturnType<typeof statedMoney>]>([
    [{ ...known, amount: { payerAmount: "5", currency: "BRL" } }, { payerAmount: brl("5") }],
    [{ ...known, amount: { payerAmount: "5" } }, {}],
    [{ ...known, amount: { payeeAmount: "7", currency: "BRL" } }, { payeeAmount: aud("7") }],
    [{ ...unknown, amount: { payeeAmount: "7", currency: "BRL" } }, { payeeAmount: brl("7") }],
    [{ role: "tenant", ...known, amount: { payeeAmount: "7", currency: "BRL" } }, { payeeAmount: brl("7") }],
    // It cannot be told of which of both amounts the currency is.
    [{ ...unknown, amount: { payerAmount: "5", payeeAmount: "7", currency: "BRL" } }, {}],
    [{ ...known, amount: { payerAmount: "5", payeeAmount: "7", currency: "BRL" } }, { payeeAmount: aud("7") }],
    [known, {}],
  ])("in %j is an amount where its currency is known", (recipient, money) => {
    expect(statedMoney(recipient, { payees })).toEqual(money);
  });
});

test("the money of a recipient is that of its own part, with the time at which it came back", () => {
  const returnedAt = "2026-11-21T09:00:00.000Z";
  const parts = [
    { part: "fee", order: 1, state: "owed" },
    { part: "recipient", order: 0, state: "delivered" },
    { part: "recipient", order: 1, state: "returned", returnedAt },
  ] as const;
  expect(stateOf(parts, 0)).toStrictEqual({ money: "delivered" });
  expect(stateOf(parts, 1)).toStrictEqual({ money: "returned", returnedAt });
  expect(() => stateOf(parts, 2)).toThrow("the money of recipient 2");
});

describe("the quote that alone knows a draft's currencies", () => {
  const chosen = { quoteId: "q", selectedQuoteVariantId: 1 };
  const quoteOf = (manualPayment: object | undefined, ...amounts: (object | undefined)[]) =>
    quoteOfAmounts({
      recipients: amounts.map((amount) => ({ ...(amount && { amount }) })),
      ...(manualPayment && { instructions: { manualPayment } }),
    });
  const open = { payerAmount: "7.00" };

  test("is the chosen one where a recipient states what its payer pays, in no currency", () => {
    const closed = { payerAmount: "7.00", currency: "BRL" };
    expect(quoteOf(chosen, undefined, closed, open)).toEqual({ quoteId: "q", variantId: 1 });
  });

  test("is none where every amount has its currency, none is stated, or none is chosen", () => {
    expect(quoteOf(chosen, { payerAmount: "7.00", currency: "BRL" }, { payeeAmount: "7.00" }, undefined)).toBe(
      undefined,
    );
    expect(quoteOfAmounts({ instructions: { manualPayment: chosen } })).toBe(undefined);
    for (const some of [undefined, {}, { quoteId: "q" }, { selectedQuoteVariantId: 1 }])
      expect(quoteOf(some, open)).toBe(undefined);
  });
});
