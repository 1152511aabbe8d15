import { expect, test } from "vitest";
import { reopenDelayMs } from "./reopening.ts";

test.each([
  ["long past, or by a wrong clock", -3_600_000, 10_000],
  ["now", 0, 10_000],
  ["in 10 seconds", 10_000, 15_000],
  ["in days, unless it is freed before", 200_000_000, 20_000],
])("a link that opens %s is looked at again in time, and not by all who wait at once", (_, opensInMs, delayMs) => {
  expect(reopenDelayMs(opensInMs, 0)).toBe(delayMs);
  expect(reopenDelayMs(opensInMs, 0.999)).toBeGreaterThan(delayMs * 1.15);
  expect(reopenDelayMs(opensInMs, 0.999)).toBeLessThanOrEqual(delayMs * 1.2);
});
