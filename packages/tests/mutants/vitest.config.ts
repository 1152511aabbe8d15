import { defineConfig } from "vitest/config";

/** @public The tests that judge mutants: a package's units. Its stores fail by no chance here, so that only a mutant fails a test. */
export default defineConfig({
  root: `${import.meta.dirname}/../../..`,
  test: {
    pool: "threads",
    isolate: false,
    include: [`packages/${process.env["MUTANTS"]}/src/**/*.test.ts`],
    exclude: ["**/*.whole.test.ts", "**/node_modules/**"],
    setupFiles: ["packages/tests/suite/one-rail-setup.ts"],
    env: { STORE_FAULTS: "off" },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
