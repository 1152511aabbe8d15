import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { closingLine } from "./packages/acceptance/service/closing-line.ts";

// Every test file, service and operator's command is a process of its own: what one has compiled, the next one reads.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/compiled");

const DYNAMODB_LOCAL = "packages/local/src/stores/dynamodb-local.test.ts";

/** What the tiers share. The limits end what hangs, and measure nothing: docs/testing.md. */
const shared = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
  // Files of a worker share what they import: a third of the time went into importing the same again.
  isolate: false,
  // Tests in a browser, of a service and of a deployment mostly wait: unit tests run meanwhile.
  maxWorkers: 4,
};

/** What installs a tool first, or deploys, takes longer. */
const patient = { ...shared, testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 540_000 } } };

export default defineConfig(({ mode }) => ({
  test: {
    reporters: ["default", closingLine()],
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: [
            "packages/*/src/**/*.test.ts",
            "packages/acceptance/{simulation,crash,day,house,model}/*.test.ts",
            "functions/**/*.test.ts",
            "infra/**/*.test.ts",
          ],
          // `pnpm crashes` fails every call; the suite every third.
          env: mode === "whole" ? { CRASHES: "all" } : {},
          exclude: ["**/node_modules/**", DYNAMODB_LOCAL],
        },
      },
      // It imports tests of other files anew, with a store of its own.
      { test: { ...shared, name: "dynamodb", isolate: true, include: [DYNAMODB_LOCAL] } },
      {
        test: {
          ...shared,
          name: "service",
          include: ["packages/acceptance/service/*.test.ts"],
          // `pnpm hostile` sends many more requests, and other ones every time.
          env: mode === "whole" ? { HOSTILE: "all" } : {},
          // Every function of its services may do what it is deployed with, and nothing else.
          globalSetup: "packages/acceptance/service/permissions-setup.ts",
        },
      },
      {
        test: {
          ...(mode === "whole" ? patient : shared),
          name: "browser",
          include: ["packages/acceptance/browser/*.test.ts"],
          // `pnpm browser --all` looks at every view in all languages, and at the console over 100,000 payments.
          env: mode === "whole" ? { LANGUAGES: "all", CONSOLE_PAYMENTS: "100000" } : {},
          globalSetup: "packages/acceptance/browser/chromium-setup.ts",
        },
      },
      // It runs the whole service in its own process, with the settings of a deployment.
      { test: { ...shared, isolate: true, name: "costs", include: ["packages/acceptance/costs/*.test.ts"] } },
      { test: { ...patient, name: "contract", include: ["packages/acceptance/contract/*.test.ts"] } },
      { test: { ...patient, name: "deployed", include: ["packages/acceptance/deployed/*.test.ts"] } },
    ],
  },
}));
