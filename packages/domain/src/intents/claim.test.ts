import { expect, test } from "vitest";
import { isLeased, takeClaim, waitSeconds } from "./claim.ts";

const NOW_MS = 1_000_000;

test("a claim that is taken gets a new attempt and lease, and keeps the time since which the rail may know of it", () => {
  const first = takeClaim({ executionId: "e1", attempt: 0, leaseUntilMs: 0 }, NOW_MS, 60_000);
  expect(first).toEqual({ executionId: "e1", attempt: 1, leaseUntilMs: NOW_MS + 60_000, claimedAtMs: NOW_MS });
  expect(takeClaim(first, NOW_MS + 70_000, 60_000)).toEqual({
    ...{ executionId: "e1", attempt: 2, leaseUntilMs: NOW_MS + 130_000, claimedAtMs: NOW_MS },
  });
});

test.each([
  ["was taken this moment", 60_000, true, 1],
  ["was taken half a second ago", 59_500, true, 1],
  ["is half over", 30_000, true, 30],
  ["ends within a started second", 1_001, true, 2],
  ["ends in a moment", 1, true, 1],
  ["ends now", 0, false, 1],
  ["ended long ago", -5_000, false, 1],
])("a lease of a minute that %s lets others wait so many whole seconds", (_, leftMs, isHeld, seconds) => {
  const claim = { leaseUntilMs: NOW_MS + leftMs };
  expect([isLeased(claim, NOW_MS), waitSeconds(claim, NOW_MS, 60_000)]).toEqual([isHeld, seconds]);
});
