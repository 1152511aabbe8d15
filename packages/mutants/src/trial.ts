import type { Bench } from "./bench.ts";
import type { Planted } from "./mutants.ts";
import type { Fate, Outcome } from "./report.ts";

/** The mutants to be judged, and the files of tests that judge the mutants of a source. */
export type Trial = Readonly<{ chosen: readonly Planted[]; testsOf: (file: string) => readonly string[] }>;

/** The fates of all mutants, and the files of tests that fail without any mutant: those cannot judge. */
export type Tried = Readonly<{ outcomes: readonly Outcome[]; unable: readonly string[] }>;

/** Hears of each file of tests that fails by itself, and of each mutant once it is judged. */
export type Hearer = Readonly<{
  heardUnable: (test: string, words: string) => void;
  heardOutcome: (outcome: Outcome, number: number) => void;
}>;

/**
 * The longest time for a file of tests without any mutant, in milliseconds; with a mutant, it is a multiple of its own
 * time.
 */
const FIRST_RUN_MS = 600_000;
const PATIENCE_MS = 20_000;

type Runs = Map<string, Readonly<{ ms: number; reached: ReadonlySet<number> }>>;

/** Runs all tests with every mutant asleep, then wakes each mutant in turn for the tests that reach it. */
export async function tryAll(benches: readonly Bench[], { chosen, testsOf }: Trial, hearer: Hearer): Promise<Tried> {
  const tests = [...new Set(chosen.flatMap(({ mutant }) => testsOf(mutant.file)))];
  const runs: Runs = new Map();
  const failed = await runAsleep(benches, tests, runs);
  // On a busy machine a test may fail by its limit of time: without a neighbour it gets a second chance.
  const unable = await runAsleep(benches.slice(0, 1), [...failed.keys()], runs);
  for (const [test, words] of unable) hearer.heardUnable(test, words);
  const outcomes: Outcome[] = [];
  await share(benches, chosen, async (bench, { id, mutant }) => {
    const outcome = { mutant, fate: await judge(bench, id, testsOf(mutant.file), runs) };
    hearer.heardOutcome(outcome, outcomes.push(outcome));
  });
  return { outcomes, unable: [...unable.keys()] };
}

/** Notes the time and the reach of each file of tests that passes; answers with the others and why they failed. */
async function runAsleep(benches: readonly Bench[], tests: readonly string[], runs: Runs) {
  const failed = new Map<string, string>();
  await share(benches, tests, async (bench, test) => {
    const answer = await bench.ask({ mutant: -1, test }, FIRST_RUN_MS);
    if (answer?.passed === true) runs.set(test, { ms: Math.ceil(answer.ms), reached: new Set(answer.reached) });
    else failed.set(test, answer?.words ?? `It takes longer than ${FIRST_RUN_MS / 1000} s`);
  });
  return failed;
}

async function judge(bench: Bench, id: number, own: readonly string[], runs: Runs): Promise<Fate> {
  const reaching = own.flatMap((test) => {
    const run = runs.get(test);
    return run?.reached.has(id) ? { test, ms: run.ms } : [];
  });
  // The quickest tests come first, because most mutants die at once.
  for (const { test, ms } of reaching.toSorted((a, b) => a.ms - b.ms)) {
    const answer = await bench.ask({ mutant: id, test }, PATIENCE_MS + ms * 5);
    if (answer === undefined) return "timed out";
    if (!answer.passed) return "killed";
  }
  // Nobody knows how far a file of tests would have come that fails by itself.
  if (own.some((test) => !runs.has(test))) return "not judged";
  return reaching.length === 0 ? "not reached" : "survived";
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
