import { expect, test } from "vitest";
import { isRefused } from "./copies.ts";

test.each([
  ["EntityTooLarge", true],
  ["InvalidArgument", true],
  ["KeyTooLongError", true],
  ["SlowDown", false],
  ["AccessDenied", false],
])("after %s a copy is refused for good: %s", (name, refused) => {
  expect(isRefused(Object.assign(new Error("The bucket says no"), { name }))).toBe(refused);
});
