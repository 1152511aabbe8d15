import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type Bench, openBench } from "./bench.ts";
import { core, SAMPLE, SEED, tooLong } from "./core.ts";
import { type Equivalent, equivalents } from "./equivalents.ts";
import { type Mutant, mutantsOf, plant, sample } from "./mutants.ts";
import { describe, type Fate, isAlive, type Outcome, scores } from "./report.ts";

const BENCHES = 2;
/**
 * The longest time for a file of tests without any mutant, in milliseconds; with a mutant, it is a multiple of its own
 * time.
 */
const FIRST_RUN_MS = 600_000;
const PATIENCE_MS = 20_000;
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
    const found = patterns.flatMap(find).filter((file) => /(?<!\.test|-fixture)\.ts$/.test(file));
    if (found.length === 0) throw new Error(`There is no source ${patterns.join(" or ")}`);
    return found;
  });
}

/** The tests that judge the mutants of a package: only its own, so that each layer is tested by itself. */
function testsOf(name: string): string[] {
  return find(`packages/${name}/src/**/*.test.ts`).filter(
    (test) => !Object.keys(tooLong).some((end) => test.endsWith(`/${end}.test.ts`)),
  );
}

const isAbout = (mutant: Mutant, { file, code, original, replacement }: Equivalent): boolean =>
  [mutant.file, mutant.code, mutant.original, mutant.replacement].join("\n") ===
  [file, code, original, replacement].join("\n");

function checkEquivalents(): void {
  const stale = equivalents.filter(
    (each) => !mutantsOf(each.file, textOf(each.file)).some((mutant) => isAbout(mutant, each)),
  );
  for (const { file, code } of stale) say(`equivalents.ts: ${file} has no such mutant any more: ${code}`);
  if (stale.length > 0) process.exit(1);
}

/** Runs the jobs on the benches: each bench takes one job at a time. */
async function share<Job>(
  benches: readonly Bench[],
  jobs: Iterable<Job>,
  work: (bench: Bench, job: Job) => Promise<void>,
) {
  const queue = Iterator.from(jobs);
  await Promise.all(
    benches.map(async (bench) => {
      for (let next = queue.next(); next.done !== true; next = queue.next()) await work(bench, next.value);
    }),
  );
}

async function main(): Promise<void> {
  checkEquivalents();
  const files = [...new Set(sourcesOf(process.argv.slice(2)))];
  const possible = files
    .flatMap((file) => mutantsOf(file, textOf(file)))
    .filter((mutant) => !equivalents.some((each) => isAbout(mutant, each)));
  const chosen = sample(possible, SAMPLE, SEED).map((mutant, id) => ({ id, mutant }));
  const planted = (file: string) => chosen.filter(({ mutant }) => mutant.file === file);
  const sources = Object.fromEntries(files.map((file) => [join(root, file), plant(textOf(file), planted(file))]));
  const tests = [...new Set(files.flatMap((file) => testsOf(packageOf(file))))];
  const benches = Array.from({ length: BENCHES }, () => openBench({ root, sources, tests }));
  say(`${chosen.length} of ${possible.length} mutants, judged by ${tests.length} files of tests`);

  const runs = new Map<string, { ms: number; reached: ReadonlySet<number> }>();
  await share(benches, tests, async (bench, test) => {
    const answer = await bench.ask({ mutant: -1, test }, FIRST_RUN_MS);
    // On a busy machine a test may exceed its own time limit.
    if (answer?.passed !== true) return void say(`${test} judges nothing, for it fails by itself: ${answer?.words}`);
    runs.set(test, { ms: Math.ceil(answer.ms), reached: new Set(answer.reached) });
  });

  async function judge(bench: Bench, id: number, own: readonly string[]): Promise<Fate> {
    const reaching = own.flatMap((test) =>
      runs.get(test)?.reached.has(id) ? { test, ms: runs.get(test)?.ms ?? 0 } : [],
    );
    // The quickest tests come first, because most mutants die at once.
    for (const { test, ms } of reaching.toSorted((a, b) => a.ms - b.ms)) {
      const answer = await bench.ask({ mutant: id, test }, PATIENCE_MS + ms * 5);
      if (answer === undefined) return "timed out";
      if (!answer.passed) return "killed";
    }
    return reaching.length === 0 ? "not reached" : "survived";
  }
  const outcomes: Outcome[] = [];
  await share(benches, chosen, async (bench, { id, mutant }) => {
    const outcome = { mutant, fate: await judge(bench, id, testsOf(packageOf(mutant.file))) };
    if (isAlive(outcome)) say(describe(outcome));
    if (outcomes.push(outcome) % 50 === 0) say(`${outcomes.length} of ${chosen.length} judged`);
  });
  for (const bench of benches) bench.stop();
  say(scores(outcomes));
}

await main();
