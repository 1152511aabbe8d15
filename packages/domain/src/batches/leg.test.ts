import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NOW_MS, storedIntent } from "../../test/intent-fixture.ts";
import { batchLeg } from "../../test/leg-fixture.ts";
import { toLegAnswer } from "../answers/batch-answer.ts";
import type { PaymentIntent, Stop } from "../intents/payment-intent.ts";
import { bookLeg } from "../ledger/batch-booking.ts";
import type { ExecuteAnswer } from "../rails/rail.ts";
import type { BatchLeg } from "./batch.ts";
import {
  afterExecute,
  afterStatus,
  claimLeg,
  DUPLICATE_WAIT_MAX_MS,
  datedLeg,
  depositedFor,
  endLeg,
  endOf,
  holdLeg,
  isReceiptNew,
  isUnsent,
  legStatusSinceMs,
  nextStep,
  progressOf,
  watchForLeg,
} from "./leg.ts";

const LEASE_MS = 60_000;
const leg = batchLeg({ order: 3 });
const accepted: ExecuteAnswer = { kind: "accepted", railPaymentId: "rail-1", expectedSettlementMs: NOW_MS + 1 };
const end = { atMs: NOW_MS, by: "rail" } as const;
const stop = (how: Stop["how"]): { stopped: Stop } => ({ stopped: { how, at: "", by: "olga", reason: "" } });

/** The leg after the rail has answered to being asked at `nowMs`. */
function asked(before: BatchLeg, answer: ExecuteAnswer, nowMs = NOW_MS): BatchLeg {
  return afterExecute(before, claimLeg(before, nowMs, LEASE_MS), answer, nowMs);
}

describe("a leg that was paid", () => {
  test("is under way once the rail has it, known by the rail's own id, and held by nobody", () => {
    expect(asked(leg, accepted)).toMatchObject({ status: "executing", railPaymentId: "rail-1", leaseUntilMs: 0 });
  });

  test("and that the rail refused has failed for the rail's reason", () => {
    expect(asked(leg, { kind: "refused", reason: "closed" })).toEqual({
      ...{ ...leg, status: "failed", reason: "closed", attempt: 2, triedAtMs: NOW_MS, claimedAtMs: NOW_MS },
      ended: end,
    });
  });

  test("is provably unsent only when its first question never arrived", () => {
    const unreachable: ExecuteAnswer = { kind: "unreachable", reason: "ECONNREFUSED" };
    expect(isUnsent(asked(leg, unreachable))).toBe(true);
    const unknown = asked(leg, { kind: "unknown", reason: "silence" });
    expect(isUnsent(unknown)).toBe(false);
    const still = asked(unknown, unreachable, NOW_MS + 1);
    expect([isUnsent(still), still.claimedAtMs, still.executionId]).toEqual([false, NOW_MS, leg.executionId]);
  });
});

describe("a leg that is a duplicate to the rail", () => {
  test("waits until the rail's window ends, and is then paid under an executionId that was never refused", () => {
    const untilMs = NOW_MS + 300_000;
    const waiting = asked(leg, { kind: "duplicate", untilMs });
    expect(waiting).toMatchObject({ status: "pending", executionId: "execution:3:1", waiting: { untilMs } });
    expect(isUnsent(waiting)).toBe(true);
    expect([nextStep(waiting, {}, untilMs - 1), nextStep(waiting, {}, untilMs)]).toEqual([undefined, "pay"]);
    const again = asked(waiting, { kind: "duplicate", untilMs: untilMs + 5 }, untilMs);
    expect(again).toMatchObject({
      executionId: "execution:3:2",
      waiting: { sinceMs: NOW_MS, untilMs: untilMs + 1_000 },
    });
    expect(asked(again, accepted, untilMs + 5)).not.toHaveProperty("waiting");
  });

  test("keeps its executionId while the outcome is unknown, however long it waited", () => {
    const waiting = asked(leg, { kind: "duplicate" });
    expect(waiting.waiting).toEqual({ sinceMs: NOW_MS, tries: 1, untilMs: NOW_MS + 15 * 60_000 });
    const unknown = asked(waiting, { kind: "unknown", reason: "silence" }, NOW_MS + 3_600_000);
    expect(unknown).toMatchObject({ executionId: "execution:3:1", waiting: { sinceMs: NOW_MS } });
    expect(isUnsent(unknown)).toBe(false);
  });

  test("fails after 24 hours, when the rail is asked for the last time", () => {
    const lastMs = NOW_MS + DUPLICATE_WAIT_MAX_MS;
    const waiting = asked(leg, { kind: "duplicate", untilMs: lastMs + 1 });
    expect(waiting.waiting?.untilMs).toBe(lastMs);
    const failed = asked(waiting, { kind: "duplicate", untilMs: lastMs + 2 }, lastMs);
    expect(failed).toMatchObject({ status: "failed", reason: "the connector found a duplicate transaction" });
  });
});

describe("what a worker does next about a leg", () => {
  const legs = {
    "that nobody has paid": leg,
    "that is held": holdLeg(leg, stop("held")),
    "whose question is out": claimLeg(leg, NOW_MS, LEASE_MS),
    "whose answer was lost": asked(leg, { kind: "unknown", reason: "" }),
    "that waits": asked(leg, { kind: "duplicate", untilMs: NOW_MS + 1 }),
    "under way": asked(leg, accepted),
    "that has ended": endLeg(asked(leg, accepted), "cleared", end),
  } as const;
  const rows: readonly [keyof typeof legs, unknown, unknown, unknown][] = [
    // The columns: what a worker does while the batch goes on, is held, and is cancelled.
    ["that nobody has paid", "pay", "hold", "call off"],
    ["that is held", "hold", undefined, "call off"],
    ["whose question is out", undefined, undefined, undefined],
    ["whose answer was lost", "pay", "hold", "pay"],
    ["that waits", undefined, "hold", "call off"],
    ["under way", "ask", "ask", "ask"],
    ["that has ended", undefined, undefined, undefined],
  ];
  test.each(rows)("%s follows from how its batch is stopped", (name, going, held, cancelled) => {
    const steps = [{}, stop("held"), stop("cancelled")].map((batch) => nextStep(legs[name], batch, NOW_MS));
    expect(steps).toEqual([going, held, cancelled]);
  });
});

test("a leg that ended unpaid is owed back, once, what came in for it on its batch's deposit", () => {
  const funded = { connectorPayment: { received: "420.00" } } as unknown as Pick<PaymentIntent, "connectorPayment">;
  const step = (status: BatchLeg["status"], changes: Partial<BatchLeg> = {}, batch = funded) =>
    nextStep({ ...leg, status, ...changes }, batch, NOW_MS);
  expect([step("failed"), step("cancelled")]).toEqual(["owe back", "owe back"]);
  expect([step("cleared"), step("executing"), step("pending")]).toEqual([undefined, "ask", "pay"]);
  expect([step("failed", { receivedAtMs: NOW_MS }), step("failed", { isOwedBack: true })]).toEqual([
    undefined,
    undefined,
  ]);
  expect(step("failed", {}, {})).toBeUndefined();
});

describe("what a leg books", () => {
  const intent = storedIntent();
  const events = (before: BatchLeg, after: BatchLeg) => bookLeg(intent, before, after, "now").map(({ event }) => event);

  test("is nothing unless the rail has accepted the leg, whatever an operator says of it", () => {
    expect(events(leg, endLeg(leg, "failed", end, "olga said so"))).toEqual([]);
    expect(events(leg, endLeg(leg, "cancelled", end))).toEqual([]);
    expect(events(leg, claimLeg(leg, NOW_MS, LEASE_MS))).toEqual([]);
  });

  test("is its acceptance once and its end once, for its amount and for its fee", () => {
    const executing = asked(leg, accepted);
    expect(events(leg, executing)).toEqual(["accepted", "accepted"]);
    expect(events(executing, endLeg(executing, "cleared", end))).toEqual(["settled", "settled"]);
    expect(events(executing, endLeg(executing, "failed", end))).toEqual(["reversed", "reversed"]);
    expect(events(executing, { ...executing, attempt: 9 })).toEqual([]);
  });

  test("is acceptance and end together when an operator reports as cleared what the rail never confirmed", () => {
    const cleared = endLeg({ ...leg, railPaymentId: "rail-9" }, "cleared", end);
    expect(events(leg, cleared)).toEqual(["accepted", "accepted", "settled", "settled"]);
  });
});

describe("the end of a leg", () => {
  const executing = asked(leg, accepted);
  const by = (ended: BatchLeg | undefined) => ended?.ended;

  test("is dated, and tells who brought it about", () => {
    const rail = { atMs: NOW_MS + 5, by: "rail" };
    const answer = { kind: "settled", legs: [{ order: leg.order, outcome: "cleared" }] } as const;
    expect(by(afterStatus(executing, answer, NOW_MS + 5))).toEqual(rail);
    expect(by(afterStatus(executing, { kind: "cancelled", reason: "" }, NOW_MS + 5))).toEqual(rail);
    expect(by(asked(leg, { kind: "refused", reason: "closed account" }))).toEqual({ atMs: NOW_MS, by: "rail" });
    expect(by(endLeg(leg, "cancelled", { atMs: 7, by: "operator" }))).toEqual({ atMs: 7, by: "operator" });
    expect(by(executing)).toBeUndefined();
  });

  test("is not before the rail took it, whatever the clocks say", () => {
    expect(by(endLeg(executing, "cleared", { atMs: NOW_MS - 5, by: "operator" }))?.atMs).toBe(NOW_MS);
  });
});

test("a rail's status that does not name the leg changes nothing; a cancellation ends the leg", () => {
  const executing = asked(leg, accepted);
  expect(afterStatus(executing, { kind: "settled", legs: [{ order: 4, outcome: "cleared" }] }, NOW_MS)).toBeUndefined();
  expect(afterStatus(executing, { kind: "pending" }, NOW_MS)).toBeUndefined();
  expect(afterStatus(executing, { kind: "cancelled", reason: "called off" }, NOW_MS)).toMatchObject({
    ...{ status: "failed", reason: "called off", attempt: executing.attempt + 1 },
  });
});

describe("the end of a batch", () => {
  const outcomes = ["cleared", "failed", "cancelled"] as const;

  test("follows from its legs: all cleared, nothing sent, none cleared, or some", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...outcomes), { minLength: 1, maxLength: 6 }), (statuses) => {
        const only = (status: (typeof outcomes)[number]) => statuses.every((each) => each === status);
        const some = statuses.includes("cleared") ? "completePartly" : "fail";
        const wanted = only("cleared") ? "complete" : only("cancelled") ? "cancelExecution" : some;
        expect(endOf(progressOf(statuses.map((status) => ({ status }))))).toBe(wanted);
      }),
    );
  });

  test("has not come while one leg is open", () => {
    expect(endOf(progressOf([{ status: "cleared" }, { status: "pending" }]))).toBeUndefined();
  });
});

describe("a recipient of a batch, as its tenant sees it,", () => {
  const batch = storedIntent({ bulkProgress: { total: 1, completed: 0, failed: 0 } });
  const shown = (each: BatchLeg) => toLegAnswer(batch, each);

  test("has every amount beside its currency, its rate, fee, status and payment id", () => {
    expect(shown(leg)).toEqual({
      order: 3,
      payeeId: 5001,
      payeeName: "School 5001",
      splitRole: "principal_provider_amount",
      payerAmount: "400.00",
      payerCurrency: "BRL",
      payeeAmount: "100.00",
      payeeCurrency: "AUD",
      fxRate: "0.25",
      money: "planned",
      fee: "20.00",
      feeMoney: "planned",
      feeCurrency: "BRL",
      status: "pending",
      connectorPaymentId: 42,
    });
  });

  test("says that it waits, why and until when, or that its batch is held", () => {
    const waiting = asked(leg, { kind: "duplicate", untilMs: NOW_MS + 300_000 });
    const reason = "the connector found a duplicate transaction";
    const waitingUntil = new Date(NOW_MS + 300_000).toISOString();
    expect(shown(waiting)).toMatchObject({ status: "waiting", reason, waitingUntil });
    const held = holdLeg(waiting, stop("held"));
    expect(shown(held)).toMatchObject({ status: "held" });
    expect(shown(holdLeg(held, {}))).toMatchObject({ status: "waiting", waitingUntil });
    expect(shown(asked(leg, accepted))).toMatchObject({ status: "executing" });
    const lost = asked(waiting, { kind: "unreachable", reason: "" }, NOW_MS + 300_000);
    expect(shown(lost)).toMatchObject({ status: "pending" });
    expect(shown(lost)).not.toHaveProperty("waitingUntil");
  });

  test("has changes that are dated in their order, by whatever clocks", () => {
    const begun = { statusHistory: [{ status: "executing", at: new Date(NOW_MS).toISOString(), by: "" }] } as const;
    const first = datedLeg(begun, leg, holdLeg(leg, stop("held")), NOW_MS - 5);
    const second = datedLeg(begun, first, holdLeg(first, {}), NOW_MS + 9);
    const third = datedLeg(begun, second, holdLeg(second, stop("held")), NOW_MS + 3);
    const dates = [first, second, third].map((each) => legStatusSinceMs(begun, each));
    expect(dates).toEqual([NOW_MS, NOW_MS + 9, NOW_MS + 9]);
    const same = { ...third, attempt: 9 };
    expect(datedLeg(begun, third, same, NOW_MS + 99)).toBe(same);
  });
});

test("an accepted leg is watched from its acceptance, while the rail has the last word", () => {
  const accepted = batchLeg({ order: 0, status: "executing", acceptedAtMs: 5 });
  const watch = { executionId: accepted.executionId, seed: "batch", startedMs: 5, isCheckout: false, isHolding: false };
  expect(watchForLeg({ id: "batch" }, accepted)).toEqual({ ...watch, expectedMs: 5 });
  expect(watchForLeg({ id: "batch" }, { ...accepted, expectedSettlementMs: 9 })).toEqual({ ...watch, expectedMs: 9 });
  expect(watchForLeg({ id: "batch" }, batchLeg({ order: 0, status: "executing" }))).toBe(undefined);
  for (const status of ["pending", "cleared", "failed", "cancelled"] as const)
    expect(watchForLeg({ id: "batch" }, { ...accepted, status })).toBe(undefined);
});

test("money that came in is noted once, at an accepted leg, with what the rail tells of the deposit", () => {
  const accepted = batchLeg({ order: 0, status: "executing", acceptedAtMs: 5 });
  const received = { ...accepted, attempt: accepted.attempt + 1, receivedAtMs: 7 };
  expect(afterStatus(accepted, { kind: "received" }, 7)).toStrictEqual(received);
  expect(afterStatus(accepted, { kind: "received", deposit: "9.00" }, 7)).toEqual({ ...received, deposited: "9.00" });
  expect(afterStatus(received, { kind: "received" }, 8)).toBe(undefined);
  expect(afterStatus({ ...accepted, status: "pending" }, { kind: "received" }, 7)).toBe(undefined);
  expect(isReceiptNew(accepted, { kind: "pending" })).toBe(false);
  expect(depositedFor([accepted, { ...received, deposited: "9.00" }, { ...received, deposited: "8.00" }])).toBe("9.00");
  expect(depositedFor([accepted])).toBe(undefined);
});

test("a leg ends as the rail tells of its own part, and is left where it tells of others", () => {
  const accepted = batchLeg({ order: 1, status: "executing", acceptedAtMs: 5 });
  const reported = (...legs: { order: number; outcome: "cleared" | "failed"; reason?: string }[]) =>
    afterStatus(accepted, { kind: "settled", legs }, 7);
  expect(reported({ order: 0, outcome: "failed" }, { order: 1, outcome: "cleared" })).toMatchObject({
    status: "cleared",
  });
  expect(reported({ order: 1, outcome: "cleared" })).not.toHaveProperty("reason");
  const end = { status: "failed", ended: { atMs: 7, by: "rail" } };
  expect(reported({ order: 1, outcome: "failed", reason: "account closed" })).toMatchObject({
    ...end,
    reason: "account closed",
  });
  expect(reported({ order: 1, outcome: "failed" })).toMatchObject({ ...end, reason: "failed" });
  expect(reported({ order: 0, outcome: "failed" })).toBe(undefined);
  expect(afterStatus(accepted, { kind: "pending" }, 7)).toBe(undefined);
  expect(afterStatus(accepted, { kind: "cancelled", reason: "called off" }, 7)).toMatchObject({
    ...end,
    reason: "called off",
  });
});
