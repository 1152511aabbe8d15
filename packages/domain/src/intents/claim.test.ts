import { expect, test } from "vitest";
import { isLeased, leaseSeconds, takeClaim } from "./claim.ts";

const NOW_MS = 1_000_000;

test("a claim that is taken gets a new attempt and lease, and keeps the time since which the rail may know of it", () => {
  const first = takeClaim({ executionId: "e1", attempt: 0, leaseUntilMs: 0 }, NOW_MS, 60_000);
  expect(first).toEqual({ executionId: "e1", attempt: 1, leaseUntilMs: NOW_MS + 60_000, claimedAtMs: NOW_MS });
  expect(takeClaim(first, NOW_MS + 70_000, 60_000)).toEqual({
    ...{ executionId: "e1", attempt: 2, leaseUntilMs: NOW_MS + 130_000, claimedAtMs: NOW_MS },
  });
});

test.each([
  ["ends in a minute", 60_000, true, 60],
  ["ends within a started second", 1_001, true, 2],
  ["ends in a moment", 1, true, 1],
  ["ends now", 0, false, 1],
  ["ended long ago", -5_000, false, 1],
])("a lease that %s lets others wait so many whole seconds", (_, leftMs, isHeld, seconds) => {
  const claim = { leaseUntilMs: NOW_MS + leftMs };
  expect([isLeased(claim, NOW_MS), leaseSeconds(claim, NOW_MS)]).toEqual([isHeld, seconds]);
});
