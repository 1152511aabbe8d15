import { describe, expect, test } from "vitest";
import { NOW_MS, storedIntent } from "../../test/intent-fixture.ts";
import type { Execution, PaymentIntent } from "../intents/payment-intent.ts";
import { intentStatuses } from "../intents/statuses.ts";
import type { Submission } from "../intents/submission.ts";
import { nextAskMs } from "./points.ts";
import { lookedIntoFrom, watchFor } from "./watch.ts";

const execution = { executionId: "e1", startedAt: new Date(NOW_MS).toISOString() } as Execution;
const accepted = (changes: Partial<PaymentIntent> = {}): PaymentIntent =>
  storedIntent({ status: "executing", executions: [execution], expectedSettlementMs: NOW_MS + 7, ...changes });
const child = { createdFrom: { paymentIntentId: "link" } } as Partial<PaymentIntent>;
const singleUse = { instructions: { paymentLink: { isSingleUse: true } } } as Partial<PaymentIntent>;

describe("the watch of an intent", () => {
  test.each(intentStatuses)("in %s is there exactly while its rail has the last word", (status) => {
    const isAsked = status === "executing" || status === "requires_recovery";
    expect(watchFor(accepted({ status })) !== undefined).toBe(isAsked);
    expect(watchFor(accepted({ status, submission: {} as Submission }))).toBeUndefined();
    expect(watchFor(accepted({ status, bulkProgress: { total: 2, completed: 0, failed: 0 } }))).toBeUndefined();
    expect(watchFor(accepted({ status, executions: [] }))).toBeUndefined();
  });

  test("knows when the rail began and should be done, and expects nothing any more once silence is on record", () => {
    const { id: seed } = accepted();
    const known = { executionId: "e1", seed, startedMs: NOW_MS, isCheckout: false, isHolding: false };
    expect(watchFor(accepted())).toEqual({ ...known, expectedMs: NOW_MS + 7 });
    expect(watchFor(accepted({ status: "requires_recovery" }))).toEqual(known);
    const { expectedSettlementMs: _none, ...untold } = accepted();
    expect(watchFor(untold)).toEqual({ ...known, expectedMs: 0 });
  });

  test("begins when a claim that was recovered late was accepted, so that no sweep has passed its first points", () => {
    const acceptedMs = NOW_MS + 3_600_000;
    const step = { status: "executing", at: new Date(acceptedMs).toISOString(), by: "schedule" } as const;
    const recovered = accepted({ statusHistory: [step] });
    const settings = { pollIntervalMs: 30_000, recoveryAfterMs: 1_800_000 };
    const watch = watchFor(recovered);
    expect(watch).toMatchObject({ startedMs: acceptedMs });
    expect(watch && nextAskMs(watch, acceptedMs, settings) - acceptedMs).toBeLessThanOrEqual(36_000);
  });

  test("knows a checkout, and a payment that keeps others from its link", () => {
    const checkoutUrl = "https://checkout.example";
    expect(watchFor(accepted({ executions: [{ ...execution, checkoutUrl }] }))).toMatchObject({ isCheckout: true });
    expect(watchFor(accepted({ ...child, ...singleUse }))).toMatchObject({ isHolding: true });
    const { instructions: _none, ...bare } = accepted(child);
    for (const free of [accepted(child), accepted(singleUse), bare])
      expect(watchFor(free)).toMatchObject({ isHolding: false });
  });
});

test("an answer without news is looked into once the rail is late, or a payment has held its link for long", () => {
  const patience = { recoveryAfterMs: 100, holdMs: 50 };
  const watch = { executionId: "e", seed: "s", startedMs: 1_000, isCheckout: false, isHolding: false };
  expect(lookedIntoFrom({ ...watch, expectedMs: 2_000 }, patience)).toBe(2_101);
  expect(lookedIntoFrom({ ...watch, expectedMs: 2_000, isHolding: true }, patience)).toBe(1_050);
  expect(lookedIntoFrom(watch, patience)).toBe(Number.POSITIVE_INFINITY);
});
