import { expect, test } from "vitest";
import { pollDelayMs, shownOf } from "./payment-status.ts";

test.each([
  ["executing", false, false],
  ["draft", false, false],
  ["requires_recovery", false, false],
  ["completed", true, false],
  // A part was paid, so that paying all of it again would pay that part twice.
  ["partially_completed", true, false],
  ["failed", true, true],
  ["cancelled", true, true],
])("%s: final %s, a new payment may begin %s", (status, final, again) => {
  expect(shownOf(status, true)).toMatchObject({ final, again });
});

test("pauses between polls grow up to 30 seconds and a fifth, and differ between payers", () => {
  const delays = Array.from({ length: 20 }, (_, asked) => pollDelayMs(asked, 0.5));
  expect(delays.toSorted((one, other) => one - other)).toEqual(delays);
  expect(delays[0]).toBe(1_500);
  expect(pollDelayMs(1_000, 0.999)).toBeLessThanOrEqual(36_000);
  expect(pollDelayMs(0, 0)).toBe(1_200);
});
