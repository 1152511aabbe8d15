import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { openBench } from "./bench.ts";
import { alsoJudgedBy, core, SAMPLE, SEED, tooLong } from "./core.ts";
import { isAbout } from "./equivalent.ts";
import { equivalents } from "./equivalents.ts";
import { mutantsOf, plant, sample } from "./mutants.ts";
import { describe, isAlive, scores } from "./report.ts";
import { readSuiteLimits } from "./suite-limits.ts";
import { tryAll } from "./trial.ts";

const BENCHES = 2;
const root = join(import.meta.dirname, "../../..");
const say = (text: string): boolean => process.stdout.write(`${text}\n`);

const find = (pattern: string): string[] => globSync(pattern, { cwd: root }).toSorted();
const packageOf = (file: string): string => file.split("/")[1] ?? "";
const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

/** The sources that `paths` name, or those of the core, without files that only tests import. */
function sourcesOf(paths: readonly string[]): string[] {
  const named = Object.entries(core).flatMap(([name, nouns]) =>
    nouns.map((noun) => [`packages/${name}/src/${noun}.ts`]),
  );
  const given = paths.map((path) => relative(root, path)).map((path) => [path, `${path}/**/*.ts`]);
  return (paths.length === 0 ? named : given).flatMap((patterns) => {
    const found = patterns.flatMap(find).filter((file) => /(?<!\.test)\.ts$/.test(file));
    if (found.length === 0) throw new Error(`There is no source ${patterns.join(" or ")}`);
    return found;
  });
}

/** The files of tests that judge the mutants of a source: tests of its package, and of the packages in `alsoJudgedBy`. */
function testsOf(file: string): string[] {
  const left = Object.keys(tooLong).map((end) => `/${end}.test.ts`);
  const judges = [packageOf(file), ...(alsoJudgedBy[packageOf(file)] ?? [])];
  return judges
    .flatMap((name) => find(`packages/${name}/src/**/*.test.ts`))
    .filter((test) => !left.some((end) => test.endsWith(end)));
}

async function main(): Promise<void> {
  const files = [...new Set(sourcesOf(process.argv.slice(2)))];
  const possible = files
    .flatMap((file) => mutantsOf(file, textOf(file)))
    .filter((mutant) => !equivalents.some((each) => isAbout(mutant, each)));
  const chosen = sample(possible, SAMPLE, SEED).map((mutant, id) => ({ id, mutant }));
  const planted = (file: string) => chosen.filter(({ mutant }) => mutant.file === file);
  const sources = Object.fromEntries(files.map((file) => [join(root, file), plant(textOf(file), planted(file))]));
  const ownTests = Object.fromEntries(files.map((file) => [file, testsOf(file)]));
  const tests = [...new Set(Object.values(ownTests).flat())];
  const setup = { root, sources, tests, limits: await readSuiteLimits(root) };
  const benches = Array.from({ length: BENCHES }, () => openBench(setup));
  say(`${chosen.length} of ${possible.length} mutants, judged by ${tests.length} files of tests`);

  const trial = { chosen, testsOf: (file: string) => ownTests[file] ?? [] };
  const { outcomes, unable } = await tryAll(benches, trial, {
    heardUnable: (test, words) => say(`${test} judges nothing, for it fails by itself: ${words}`),
    heardOutcome: (outcome, number) => {
      if (isAlive(outcome)) say(describe(outcome));
      if (number % 50 === 0) say(`${number} of ${chosen.length} judged`);
    },
  });
  for (const bench of benches) bench.stop();
  say(scores(outcomes, unable));
  process.exitCode = unable.length === 0 ? 0 : 1;
}

await main();
