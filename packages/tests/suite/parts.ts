/**
 * A part of a suite: a command whose tests end with `N passed, N failed`, or a check that ends by its exit code alone. A
 * part that takes twice its `minutes`, which it has on two quiet cores, hangs and is ended.
 */
export type Part = Readonly<{
  name: string;
  minutes: number;
  command: readonly string[];
  env?: Readonly<Record<string, string>>;
}>;

const whole = (...given: readonly string[]): readonly string[] => ["vitest", "run", "--mode", "whole", ...given];

/** The steps of `pnpm test`, and of `pnpm test:whole`, which tries what the first leaves out. A step's parts run at once. */
export const suites = {
  test: [
    [{ name: "client and bundles", minutes: 2, command: ["node", "infra/bundle.ts"] }],
    [
      { name: "types", minutes: 4, command: ["tsc", "--noEmit", "--singleThreaded"] },
      { name: "lint", minutes: 4, command: ["biome", "check", "--error-on-warnings"] },
      { name: "unused code", minutes: 4, command: ["knip"] },
    ],
    [
      { name: "tests", minutes: 20, command: ["vitest", "run", "--project", "!infra"] },
      { name: "tests of templates", minutes: 4, command: ["vitest", "run", "--project", "infra"] },
    ],
  ],
  "test:whole": [
    { name: "every call failed in every way", minutes: 13, command: whole("--project", "unit", "--project", "infra") },
    {
      name: "the service tier again, which notes its grants and answers",
      minutes: 6,
      command: ["vitest", "run", "--project", "service"],
    },
    { name: "broad sweeps over HTTP", minutes: 12, command: whole("--project", "service") },
    { name: "every declared answer is given", minutes: 2, command: ["node", "packages/tests/answers/judge.ts"] },
    { name: "every view in every language", minutes: 12, command: whole("--project", "browser") },
    { name: "the contract, by other people's tools", minutes: 6, command: whole("--project", "contract") },
    { name: "every store test on DynamoDB Local", minutes: 3, command: whole("--project", "dynamodb") },
    { name: "an upgrade and the way back, deployed", minutes: 6, command: whole("--project", "deployed") },
    {
      name: "simulated lives",
      minutes: 4,
      command: ["node", "packages/tests/simulation/main.ts", "--seed", "1", "--operations", "3200"],
    },
    {
      name: "planted mistakes in the books",
      minutes: 10,
      command: ["node", "packages/tests/mutants/main.ts", "--sample"],
    },
    { name: "generated files", minutes: 1, command: ["node", "packages/tests/generated/main.ts"] },
    {
      name: "one round of the benchmarks",
      minutes: 4,
      command: ["node", "packages/tests/bench/bench.ts", "--rounds", "1", "--records", "10000"],
    },
    { name: "every grant is used", minutes: 2, command: ["node", "packages/tests/grants/judge.ts"] },
  ].map((part) => [part]),
} as const satisfies Record<string, readonly (readonly Part[])[]>;
