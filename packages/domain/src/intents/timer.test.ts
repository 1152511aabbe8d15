import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NOW_MS, storedIntent } from "./intent-fixture.ts";
import type { Execution, PaymentIntent } from "./payment-intent.ts";
import { intentStatuses, isTerminal } from "./statuses.ts";
import type { Submission } from "./submission.ts";
import { nextPollMs, timerFor } from "./timer.ts";

const settings = { draftTtlMs: 14 * 86_400_000, pollIntervalMs: 30_000 };
const MINUTE = 60_000;

/** An intent that the rail accepted `ageMs` ago. Another id gives another jitter. */
const executing = (ageMs: number, changes: Partial<PaymentIntent> = {}): PaymentIntent =>
  storedIntent({
    status: "executing",
    executions: [{ startedAt: new Date(NOW_MS - ageMs).toISOString() } as Execution],
    ...changes,
  });
const waitOf = (intent: PaymentIntent, failures = 0) => nextPollMs(intent, settings, NOW_MS, failures) - NOW_MS;

describe("the timer of an intent", () => {
  test.each(intentStatuses)("in %s is decided by its state alone", (status) => {
    const timer = timerFor(executing(0, { status }), settings, NOW_MS);
    if (status === "draft") expect(timer).toEqual({ kind: "expire_draft", dueAtMs: NOW_MS + settings.draftTtlMs });
    else if (isTerminal(status) || status === "pending_link_payment") expect(timer).toBeUndefined();
    else expect(timer).toMatchObject({ kind: "poll" });
  });

  test.each(intentStatuses)("waits in %s for the lease of a live submission before anything else", (status) => {
    const submission = { leaseUntilMs: NOW_MS + 7 } as Submission;
    const timer = timerFor(executing(0, { status, submission }), settings, NOW_MS);
    expect(timer).toEqual({ kind: "recover_submission", dueAtMs: NOW_MS + 7 });
  });

  test("polls at once for a batch that is yet to be sent, and in time for one that was sent and for a payment", () => {
    const bulkProgress = { total: 2, completed: 0, failed: 0 };
    const dueAt = (changes: Partial<PaymentIntent>) => timerFor(executing(0, changes), settings, NOW_MS)?.dueAtMs;
    const nextMs = nextPollMs(executing(0), settings, NOW_MS, 0);
    expect(nextMs).toBeGreaterThan(NOW_MS);
    expect(dueAt({ bulkProgress })).toBe(NOW_MS);
    expect(dueAt({ bulkProgress, lastConnectorPaymentId: 7 })).toBe(nextMs);
    expect(dueAt({ lastConnectorPaymentId: 7 })).toBe(nextMs);
    expect(dueAt({})).toBe(nextMs);
  });

  test("of a draft stays the same when the draft is written again", () => {
    const later = timerFor(storedIntent(), settings, NOW_MS + 5 * 86_400_000);
    expect(later?.dueAtMs).toBe(NOW_MS + settings.draftTtlMs);
  });
});

describe("the next poll", () => {
  test.each([
    ["the first five minutes", 0, 5 * MINUTE - 1, 30_000, 30_000],
    ["half an hour", 5 * MINUTE, 30 * MINUTE - 1, 60_000, 60_000],
    ["as long as it takes", 30 * MINUTE, 30 * 24 * 60 * MINUTE, 90_000, 15 * MINUTE],
  ])("for %s comes at its interval, give or take 20 %%", (_, fromMs, untilMs, leastMs, mostMs) => {
    fc.assert(
      fc.property(fc.integer({ min: fromMs, max: untilMs }), fc.uuid(), (ageMs, id) => {
        const waitMs = waitOf(executing(ageMs, { id }));
        expect(waitMs).toBeGreaterThanOrEqual(leastMs * 0.8);
        expect(waitMs).toBeLessThanOrEqual(mostMs * 1.2 + 1);
      }),
    );
  });

  test("is spread over the whole of the jitter", () => {
    const waits = Array.from({ length: 500 }, (_, index) => waitOf(executing(0, { id: `intent-${index}` })));
    expect(Math.min(...waits)).toBeLessThan(30_000 * 0.82);
    expect(Math.max(...waits)).toBeGreaterThan(30_000 * 1.18);
  });

  test.each([
    ["intent-a", 30132],
    ["intent-b", 28488],
    ["intent-c", 28428],
    ["", 25764],
  ])("of %j is the same in every run, on every machine", (id, waitMs) => {
    expect(waitOf(executing(0, { id }))).toBe(waitMs);
  });

  test("after failures waits up to 32 times as long", () => {
    const waits = [0, 1, 2, 5, 6, 50].map((failures) => waitOf(executing(0), failures) / waitOf(executing(0)));
    expect(waits.map(Math.round)).toEqual([1, 2, 4, 32, 32, 32]);
  });

  test("is never later than an expected settlement that lies ahead, and one in the past changes nothing", () => {
    expect(waitOf(executing(0, { expectedSettlementMs: NOW_MS + 500 }))).toBe(500);
    expect(waitOf(executing(0, { expectedSettlementMs: NOW_MS - 500 }))).toBe(waitOf(executing(0)));
  });
});
