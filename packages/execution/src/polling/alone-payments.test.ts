import { distanceMs } from "@intents/domain/polling/points.ts";
import { expect, test } from "vitest";
import type { Run } from "../run.ts";
import { alonePauseMs } from "./alone-payments.ts";

const settings = { pollIntervalMs: 30_000, recoveryAfterMs: 1_800_000 } as Run["settings"];
const watch = { executionId: "e", seed: "i", startedMs: 0, isCheckout: false, isHolding: false };

test.each([
  ["that is only concluded to be at fault", 0, 0],
  ["that failed once", 1, 1],
  ["that failed twice", 2, 2],
  ["that failed three times", 3, 4],
  ["that failed four times", 4, 8],
  ["that failed for ever", 50, 8],
])("a payment %s is left alone for so many of its own intervals", (_, failures, intervals) => {
  for (const nowMs of [0, 3_600_000]) {
    const pauseMs = alonePauseMs({ settings } as Run, watch, failures, nowMs);
    expect(pauseMs / distanceMs(watch, nowMs, settings)).toBe(intervals);
  }
});
