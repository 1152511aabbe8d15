import { describe, expect, test } from "vitest";
import { NOW_MS, storedIntent } from "../../test/intent-fixture.ts";
import { batchLeg } from "../../test/leg-fixture.ts";
import type { Execution } from "../intents/payment-intent.ts";
import type { CorrectedOutcome, Correction } from "../money-state/correction.ts";
import type { RailRecord } from "../rails/rail.ts";
import { agreesWith, type BookedPayment, bookedPayments, contraryOutcome, differenceOf } from "./rail-match.ts";

const execution = (executionId: string, changes: Partial<Execution> = {}): Execution => ({
  ...{ executionId, connector: "sandbox", status: "executing", startedAt: new Date(NOW_MS).toISOString() },
  ...{ connectorPaymentIds: [7], payer: {}, currency: "BRL", fee: "1.50" },
  railPaymentId: `rail-${executionId}`,
  legs: [
    { order: 0, payeeId: 5001, splitRole: "other", payerAmount: "70.00", status: "executing" },
    { order: 1, payeeId: 5002, splitRole: "other", payerAmount: "30.00", status: "executing" },
  ],
  ...changes,
});

const correction = (order: number, outcome: CorrectedOutcome, number = 1): Correction => ({
  ...{ number, at: "", executionId: "e1", order, outcome, recordId: "r" },
  payerAmount: { amount: "70.00", currency: "BRL" },
  payeeAmount: { amount: "10.00", currency: "AUD" },
});

describe("what a rail should hold of an intent", () => {
  const intent = storedIntent();
  const owner = { tenantId: intent.tenantId, intentId: intent.id };

  test("is every execution that the rail has accepted, with the sum of its legs and its fee", () => {
    const refused = execution("refused", { status: "failed" });
    const { railPaymentId, ...unaccepted } = refused;
    const [one, other] = execution("e2").legs;
    if (one === undefined || other === undefined) throw new Error("There are two legs");
    const ended = [one, { ...other, status: "cleared" as const }];
    const paid = execution("e2", { fee: "0.00", legs: ended, status: "partially_completed" });
    const executions = [unaccepted, execution("e1"), paid];
    expect(bookedPayments({ ...intent, executions }, [])).toEqual([
      { ...owner, executionId: "e1", rail: "sandbox", askedAtMs: NOW_MS, currency: "BRL", amount: "101.50" },
      {
        ...{ ...owner, executionId: "e2", rail: "sandbox", askedAtMs: NOW_MS },
        ...{ currency: "BRL", amount: "100.00", ended },
      },
    ]);
  });

  test("has ended as the newest correction of each recipient says", () => {
    const legs = execution("e1").legs.map((leg) => ({ ...leg, status: "failed" as const }));
    const executions = ["e1", "e2"].map((id) => execution(id, { status: "failed", legs }));
    const corrections = [correction(0, "arrived", 2), correction(0, "neverMoved"), correction(1, "cameBack")];
    const ended = bookedPayments({ ...intent, executions }, [], corrections).map((payment) =>
      payment.ended?.map(({ status }) => status),
    );
    expect(ended).toEqual([
      ["cleared", "failed"],
      ["failed", "failed"],
    ]);
  });

  test("is every recipient of a batch that the rail has accepted, each asked for at a time of its own", () => {
    const batch = storedIntent({
      bulkProgress: { total: 4, completed: 1, failed: 0 },
      executions: [execution("older"), execution("old", { connector: "other" }), execution("e1")],
    });
    const legs = [
      batchLeg({ order: 0 }),
      batchLeg({ order: 1, status: "executing", railPaymentId: "r1", triedAtMs: NOW_MS + 1, claimedAtMs: NOW_MS + 2 }),
      batchLeg({ order: 2, status: "cleared", railPaymentId: "r2", triedAtMs: NOW_MS + 1 }),
      batchLeg({ order: 3, status: "failed", railPaymentId: "r3" }),
      batchLeg({ order: 4, status: "pending", railPaymentId: "r4" }),
    ];
    const held = { ...owner, rail: "sandbox", currency: "BRL", amount: "420.00" };
    expect(bookedPayments(batch, legs)).toEqual([
      { ...held, executionId: "execution:1", askedAtMs: NOW_MS + 2 },
      { ...held, executionId: "execution:2", askedAtMs: NOW_MS + 1, ended: [{ order: 2, status: "cleared" }] },
      { ...held, executionId: "execution:3", askedAtMs: NOW_MS, ended: [{ order: 3, status: "failed" }] },
      { ...held, executionId: "execution:4", askedAtMs: NOW_MS },
    ]);
  });
});

describe("a rail's record", () => {
  const booked: BookedPayment = {
    ...{ tenantId: "1001", intentId: "intent", executionId: "e1", rail: "sandbox", askedAtMs: NOW_MS },
    currency: "BRL",
    amount: "101.50",
  };
  const held: RailRecord = {
    ...{ tenantId: "1001", intentId: "intent", executionId: "e1", railPaymentId: "r1", acceptedAtMs: NOW_MS },
    ...{ currency: "BRL", totalAmount: "101.50", standing: "settled" },
  };
  const rows: readonly [string, Partial<RailRecord>, string | undefined][] = [
    ["that is equal", {}, undefined],
    ["with more zeros", { totalAmount: "101.500" }, undefined],
    ["of another amount", { totalAmount: "101.51" }, "the rail holds 101.51 BRL, and 101.50 BRL are booked"],
    ["in another currency", { currency: "AUD" }, "the rail holds 101.50 AUD, and 101.50 BRL are booked"],
  ];
  test.each(rows)("%s differs from what is booked as far as the service says", (_, record, difference) => {
    expect(differenceOf(booked, { ...held, ...record })).toBe(difference);
  });

  const both = [
    { order: 0, status: "cleared" },
    { order: 3, status: "cleared" },
  ];
  const unpaid = { order: 0, status: "failed" };
  const one = [unpaid, { order: 3, status: "cleared" }];
  const words: readonly [string, BookedPayment["ended"], Partial<RailRecord>, string | undefined][] = [
    ["of what was paid, as it was", both, { failed: [] }, undefined],
    ["of money that came back from one", both, { failed: [3] }, "partially_completed: recipient 3 failed"],
    ["of money that came back from all", both, { failed: [0, 3] }, "failed: recipient 0 failed, recipient 3 failed"],
    ["of money that arrived after all", one, { failed: [] }, "completed: recipient 0 cleared"],
    ["that says no more than that it has settled", both, {}, undefined],
    ["of what has yet to end here", undefined, { failed: [0, 3] }, undefined],
    ["of what is pending with the rail", both, { standing: "pending" }, undefined],
    ["of what is pending with the rail, whatever it lists", both, { standing: "pending", failed: [3] }, undefined],
    ["of what the rail called off", one, { standing: "cancelled" }, "cancelled: recipient 3 failed"],
    ["of what the rail called off, and was not paid", [unpaid], { standing: "cancelled" }, undefined],
  ];
  test.each(words)("%s contradicts what stands only where money went otherwise", (_, ended, record, said) => {
    expect(contraryOutcome({ ...booked, ...(ended && { ended }) }, { ...held, ...record })).toBe(said);
  });

  test.each<[string, Partial<RailRecord>, Correction[], boolean]>([
    ["paid, and corrected to have arrived", {}, [correction(0, "arrived")], true],
    ["paid, and corrected to have come back", {}, [correction(0, "cameBack")], false],
    ["paid, and not corrected", {}, [], false],
    ["paid, where another execution was corrected", {}, [{ ...correction(0, "arrived"), executionId: "e2" }], false],
    ["paid, of which one came back", {}, [correction(0, "arrived"), correction(1, "cameBack")], false],
    ["half paid, and corrected so", { failed: [1] }, [correction(0, "arrived"), correction(1, "cameBack")], true],
    ["failed, and corrected to have come back", { failed: [0] }, [correction(0, "cameBack")], true],
    ["called off, and corrected to have arrived", { standing: "cancelled" }, [correction(0, "arrived")], false],
    ["called off, and corrected to have never moved", { standing: "cancelled" }, [correction(0, "neverMoved")], true],
    ["under way, whatever was corrected", { standing: "pending" }, [correction(0, "cameBack")], true],
  ])("of what is %s agrees with the corrections where they say the same", (_, record, corrections, agrees) => {
    expect(agreesWith({ ...held, ...record }, corrections)).toBe(agrees);
  });
});
