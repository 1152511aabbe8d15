import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { closingLine } from "./packages/tests/suite/closing-line.ts";

// Every service and operator's command is a process of its own: what one has compiled, the next one reads.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/compiled");

const DYNAMODB_LOCAL = "packages/local/src/stores/dynamodb-local.test.ts";

/** Settings of all tiers. The limits end hanging tests, and measure nothing: docs/testing.md. */
const shared = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
  // Files of a worker share what they import, and the service that they test.
  isolate: false,
  // More of them than cores, since each waits for its service; with five, half as much again was spent on switching.
  maxWorkers: 3,
};

/** Limits for tests that install a tool, deploy, or try all of something. */
const patient = { ...shared, testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 540_000 } } };

/** Templates are synthesized once for all files of the tier, in the one process that loads the CDK. */
const single = { maxWorkers: 1, sequence: { groupOrder: 1 } };

/** A row that somebody adds for a real rail breaks no unit test. */
const oneRail = "packages/tests/suite/one-rail-setup.ts";

/** The functions' grants, by which a tier's calls are judged or noted. */
const PERMISSIONS = "packages/tests/service/permissions-setup.ts";

/** Work that tests do in the name of a function is judged by what the function is granted. */
const judged = { globalSetup: PERMISSIONS, setupFiles: [oneRail, "packages/tests/service/judged-setup.ts"] };

/** The files of a tier in the suite, and in `test:whole`: those that it alone runs, and those that are samples before. */
type Files = Readonly<{ suite: readonly string[]; sampled: readonly string[] }>;

const unit: Files = {
  suite: [
    "packages/*/src/**/*.test.ts",
    "packages/tests/{simulation,crash,house,model,answers,suite,costs,bench}/*.test.ts",
    "functions/**/*.test.ts",
  ],
  sampled: [
    "packages/tests/crash/*.test.ts",
    "packages/execution/src/**/{advance,ledger,create-request,requests,commissions,payment,single-use-link}.test.ts",
    "packages/storage/src/lists/{changes,lag,laws,plan}.test.ts",
    "packages/{domain,http}/src/lists/{filter,json,sort}.test.ts",
    "packages/domain/src/links/payment-view-law.test.ts",
    "packages/payer-app/src/flow/amount.test.ts",
    // They are no samples: there their work is judged by what the functions are granted that do it.
    "packages/execution/src/{polling,unattended,documents}/*.test.ts",
    "packages/execution/src/submit/{recovery,release,review,stored-answer}.test.ts",
    "packages/execution/src/rails/match.test.ts",
  ],
};
const ALARMS = "packages/tests/house/alarms.test.ts";
const infra: Files = {
  suite: ["infra/**/*.test.ts", "packages/tests/{generated,grants}/*.test.ts", ALARMS],
  sampled: [],
};
const ofTier = (name: string, sampled: readonly string[]): Files => ({
  suite: [`packages/tests/${name}/*.test.ts`],
  sampled: sampled.map((file) => `packages/tests/${name}/${file}.test.ts`),
});

export default defineConfig(({ mode }) => {
  const isWhole = mode === "whole";
  const filesOf = ({ suite, sampled }: Files, ...others: readonly string[]) =>
    isWhole
      ? {
          include: [...suite.map((pattern) => pattern.replace(/\.test\.ts$/, ".whole.test.ts")), ...sampled],
          exclude: [],
        }
      : { include: [...suite], exclude: ["**/node_modules/**", "**/*.whole.test.ts", DYNAMODB_LOCAL, ...others] };
  const env: Readonly<Record<string, string>> = isWhole ? { WHOLE: "1" } : {};
  const limited = isWhole ? patient : shared;
  return {
    test: {
      reporters: ["default", closingLine()],
      projects: [
        {
          test: {
            ...limited,
            name: "unit",
            ...filesOf(unit, ALARMS),
            env,
            setupFiles: [oneRail],
            ...(isWhole && judged),
          },
        },
        { test: { ...limited, ...single, name: "infra", ...filesOf(infra), env, setupFiles: [oneRail] } },
        // It imports tests of other files anew, with a store of its own.
        { test: { ...shared, isolate: true, name: "dynamodb", include: [DYNAMODB_LOCAL], env } },
        {
          test: {
            ...limited,
            name: "service",
            ...filesOf(ofTier("service", ["hostile"])),
            env,
            // Every function of its services may do what it is deployed with, and nothing else.
            globalSetup: PERMISSIONS,
          },
        },
        {
          test: {
            ...limited,
            name: "browser",
            ...filesOf(ofTier("browser", [])),
            env,
            globalSetup: "packages/tests/browser/chromium-setup.ts",
          },
        },
        // Its files install the same tools.
        { test: { ...patient, ...(isWhole && single), name: "contract", ...filesOf(ofTier("contract", [])), env } },
        { test: { ...patient, name: "deployed", ...filesOf(ofTier("deployed", [])) } },
      ],
    },
  };
});
