import { join } from "node:path";
import { loadConfigFromFile } from "vite";
import type { TestUserConfig } from "vitest/config";

/** The longest times for a test, a hook and a poll. */
export type Limits = Pick<TestUserConfig, "testTimeout" | "hookTimeout" | "expect">;

/** The limits of the suite's unit tests. A judge with stricter ones fails tests that the suite passes. */
export async function readSuiteLimits(root: string): Promise<Limits> {
  const env = { command: "serve", mode: "test" } as const;
  const loaded = await loadConfigFromFile(env, join(root, "vitest.config.ts"), root, "silent", undefined, "native");
  const projects = (loaded?.config as { test?: TestUserConfig } | undefined)?.test?.projects ?? [];
  for (const project of projects) {
    if (typeof project !== "object" || !("test" in project) || project.test?.name !== "unit") continue;
    const { testTimeout, hookTimeout, expect } = project.test;
    if (testTimeout !== undefined && hookTimeout !== undefined && expect !== undefined)
      return { testTimeout, hookTimeout, expect };
  }
  throw new Error("vitest.config.ts has no limits for unit tests");
}
