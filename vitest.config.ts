import { defineConfig } from "vitest/config";
import { closingLine } from "./packages/local/test/closing-line.ts";

export default defineConfig({
  test: {
    reporters: ["default", closingLine()],
    projects: [
      {
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", "functions/**/*.test.ts", "infra/**/*.test.ts", "*.test.ts"],
          exclude: ["**/node_modules/**"],
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: "service",
          include: ["packages/local/test/*.test.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // After the unit tests. Each file starts a service of its own, and mostly waits for it.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: "browser",
          include: ["packages/local/test/payer-page/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: "deployed",
          include: ["packages/local/test/deployed/*.test.ts"],
          testTimeout: 90_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
