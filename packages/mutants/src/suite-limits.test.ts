import { join } from "node:path";
import { expect, test } from "vitest";
import { readSuiteLimits } from "./suite-limits.ts";

test("the limits read from the suite's configuration are those by which this test runs", async ({ task }) => {
  const limits = await readSuiteLimits(join(import.meta.dirname, "../../.."));
  expect(task.timeout).toBe(limits.testTimeout);
  expect(limits).toMatchObject({ hookTimeout: task.timeout, expect: { poll: { timeout: expect.any(Number) } } });
});
