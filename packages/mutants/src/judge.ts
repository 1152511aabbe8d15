import { createVitest, type TestSpecification } from "vitest/node";
import type { Limits } from "./suite-limits.ts";

/** The setup of a judge: the sources with their mutants, by path, and the tests that it may be asked to run. */
export type Setup = Readonly<{
  root: string;
  sources: Readonly<Record<string, string>>;
  tests: readonly string[];
  limits: Limits;
}>;

/** A run of one file of tests with one mutant awake (-1 for none). */
export type Question = Readonly<{ mutant: number; test: string }>;

/** Whether all tests of the file passed, their time in milliseconds, and the mutants that they reached. */
export type Judgement = Readonly<{ passed: boolean; ms: number; reached: readonly number[]; words: string }>;

/** A process that keeps the sources transformed, and runs one file of tests after the other. */
async function judge({ root, sources, tests, limits }: Setup): Promise<void> {
  const inOrder = class {
    shard = (files: TestSpecification[]) => files;
    sort = (files: TestSpecification[]) => files;
  };
  const vitest = await createVitest(
    {
      ...{ root, config: false, watch: false, include: [...tests], reporters: [], bail: 1, fsModuleCache: false },
      ...{ pool: "threads", maxWorkers: 1, ...limits, sequence: { sequencer: inOrder } },
      setupFiles: [`${import.meta.dirname}/inside-tests.ts`],
    },
    { plugins: [{ name: "mutants", enforce: "pre", load: (id) => sources[id] }] },
  );
  await vitest.standalone();
  const specifications = new Map((await vitest.globTestSpecifications()).map((each) => [each.moduleId, each]));
  process.on("message", async ({ mutant, test }: Question) => {
    const startMs = performance.now();
    const specification = specifications.get(`${root}/${test}`);
    if (specification === undefined) throw new Error(`There are no tests in ${test}`);
    specification.project.provide("mutant" as never, mutant as never);
    const { testModules: all, unhandledErrors } = await vitest.runTestSpecifications([specification]);
    // Vitest also lists the modules of earlier runs.
    const testModules = all.filter(({ moduleId }) => moduleId === specification.moduleId);
    const passed =
      unhandledErrors.length === 0 && testModules.length === 1 && testModules.every((module) => module.ok());
    const reached = testModules.flatMap((module) =>
      Object.keys((module.meta() as { reached?: object }).reached ?? {}).map(Number),
    );
    const errors = testModules.flatMap((module) => [
      ...module.errors(),
      ...[...module.children.allTests("failed")].flatMap((each) => [
        { message: each.fullName },
        ...(each.result().errors ?? []),
      ]),
    ]);
    const words = [...errors, ...unhandledErrors].map((error) => String((error as Error).message)).join("\n");
    process.send?.({ passed, ms: performance.now() - startMs, reached, words } satisfies Judgement);
  });
  process.send?.("ready");
}

process.once("disconnect", () => process.exit());
process.once("message", (setup: Setup) => void judge(setup));
