import type { Reporter, TestModule } from "vitest/node";

/**
 * Ends a run with `N passed, N failed`, and `, N skipped` where there are any. Before that, it tells how long each tier's
 * files took, and names what was skipped for a stated reason and what failed. A file that does not load, a hook that fails
 * and an error outside every test count as one failure each.
 */
export const closingLine = (): Reporter => ({
  onTestRunEnd: (modules, errors) => {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const results = tests.map((test) => ({ name: test.fullName, ...test.result() }));
    const states = results.map(({ state }) => state);
    const named = results
      .filter((result) => result.state === "skipped")
      .map(({ name, note }) => (note === undefined ? "" : `skipped: ${name} (${note})\n`));
    const failures = [
      ...modules.flatMap(failuresOf),
      ...errors.map((error) => `outside every test${reasonOf([error])}`),
    ];
    const failed = failures.map((failure) => `failed: ${failure}\n`);
    const count = (state: string) => states.filter((one) => one === state).length;
    const skipped = states.length - count("passed") - count("failed");
    const line = `${count("passed")} passed, ${failed.length} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`;
    // The line is written when the process ends, so that nothing follows it.
    process.once("exit", () => process.stdout.write(timesOf(modules) + [...named, ...failed].join("") + line));
  },
});

/** The tests of a file that failed, or the file, where something else in it did. Each with the first line of its reason. */
function failuresOf(module: TestModule): readonly string[] {
  const file = module.relativeModuleId;
  const failed = [...module.children.allTests("failed")].map(
    (test) => `${file} > ${test.fullName}${reasonOf(test.result().errors)}`,
  );
  return failed.length > 0 || module.ok() ? failed : [file + reasonOf(module.errors())];
}

const reasonOf = ([error]: readonly { message: string }[] = []): string =>
  error === undefined ? "" : `: ${error.message.split("\n")[0]}`;

/** A line for each tier: the time of its files together, several of which run side by side, and the longest of them. */
function timesOf(modules: readonly TestModule[]): string {
  const tiers = Map.groupBy(modules, ({ project }) => project.name);
  return [...tiers]
    .map(([name, files]) => {
      const times = files.map((file) => ({ ms: timeOf(file), file: file.relativeModuleId }));
      const [longest] = times.toSorted((one, other) => other.ms - one.ms);
      const sum = inSeconds(times.reduce((all, { ms }) => all + ms, 0));
      return `${sum} in ${files.length} files${name === "" ? "" : ` of ${name}`}, ${inSeconds(longest?.ms ?? 0)} in ${longest?.file}\n`;
    })
    .join("");
}

const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(0)} s`;

function timeOf(module: TestModule): number {
  const { setupDuration, collectDuration, duration } = module.diagnostic();
  return setupDuration + collectDuration + duration;
}
