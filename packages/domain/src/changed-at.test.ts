import { expect, test } from "vitest";
import { changedAt } from "./changed-at.ts";

test.each([
  ["a later clock", 1, "2026-11-22T10:00:00.001Z"],
  ["the same moment", 0, "2026-11-22T10:00:00.000Z"],
  ["a clock that is a little late", -1, "2026-11-22T10:00:00.001Z"],
  ["a clock that is hours late", -9_000_000, "2026-11-22T10:00:00.001Z"],
])("by %s, a change is never dated before the last one", (_, aheadMs, expected) => {
  const last = "2026-11-22T10:00:00.000Z";
  expect(changedAt(last, Date.parse(last) + aheadMs)).toBe(expected);
});
