import { describe, expect, test } from "vitest";
import { NOW_MS, storedIntent } from "../../test/intent-fixture.ts";
import { watchFor } from "../polling/watch.ts";
import type { Execution, PaymentIntent } from "./payment-intent.ts";
import { intentStatuses, isTerminal } from "./statuses.ts";
import type { Submission } from "./submission.ts";
import { timerFor } from "./timer.ts";

const settings = { draftTtlMs: 14 * 86_400_000 };

/** An intent that the rail accepted just now. */
const executing = (changes: Partial<PaymentIntent> = {}): PaymentIntent =>
  storedIntent({
    status: "executing",
    executions: [{ startedAt: new Date(NOW_MS).toISOString() } as Execution],
    ...changes,
  });

describe("the timer of an intent", () => {
  test.each(intentStatuses)(
    "in %s is decided by its state alone, and there only where a worker has to act",
    (status) => {
      const timer = timerFor(executing({ status }), settings, NOW_MS);
      if (status === "draft") expect(timer).toEqual({ kind: "expire_draft", dueAtMs: NOW_MS + settings.draftTtlMs });
      else expect(timer).toBeUndefined();
    },
  );

  test.each(["executing", "requires_recovery"] as const)(
    "in %s leaves a payment to its watch, but not a batch",
    (status) => {
      expect(watchFor(executing({ status }))).toBeDefined();
      const batch = executing({ status, bulkProgress: { total: 2, completed: 0, failed: 0 } });
      expect([timerFor(batch, settings, NOW_MS), watchFor(batch)]).toEqual([
        { kind: "advance_batch", dueAtMs: NOW_MS },
        undefined,
      ]);
    },
  );

  test("of a batch ends with it", () => {
    const bulkProgress = { total: 2, completed: 2, failed: 0 };
    for (const status of intentStatuses.filter(isTerminal)) {
      expect(timerFor(executing({ status, bulkProgress }), settings, NOW_MS)).toBeUndefined();
    }
  });

  test.each(intentStatuses)("waits in %s for the lease of a live submission before anything else", (status) => {
    const submission = { leaseUntilMs: NOW_MS + 7 } as Submission;
    const timer = timerFor(executing({ status, submission }), settings, NOW_MS);
    expect(timer).toEqual({ kind: "recover_submission", dueAtMs: NOW_MS + 7 });
  });

  test("of a draft stays the same when the draft is written again", () => {
    const later = timerFor(storedIntent(), settings, NOW_MS + 5 * 86_400_000);
    expect(later?.dueAtMs).toBe(NOW_MS + settings.draftTtlMs);
  });
});
