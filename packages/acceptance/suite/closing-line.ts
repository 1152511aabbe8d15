import type { Reporter, TestModule } from "vitest/node";

/**
 * Ends a run with `N passed, N failed`, and `, N skipped` where there are any; before that, it names what was skipped for
 * a stated reason, and tells how long each tier's files took. A file that does not load, a hook that fails and an error
 * outside every test count as one failure each.
 */
export const closingLine = (): Reporter => ({
  onTestRunEnd: (modules, errors) => {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const results = tests.map((test) => ({ name: test.fullName, ...test.result() }));
    const states = results.map(({ state }) => state);
    const named = results
      .filter((result) => result.state === "skipped")
      .map(({ name, note }) => (note === undefined ? "" : `skipped: ${name} (${note})\n`));
    const count = (state: string) => states.filter((one) => one === state).length;
    const broken = modules.filter((module) => !module.ok() && [...module.children.allTests("failed")].length === 0);
    const failed = count("failed") + broken.length + errors.length;
    const skipped = states.length - count("passed") - count("failed");
    const line = `${count("passed")} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`;
    // The line is written when the process ends, so that nothing follows it.
    process.once("exit", () => process.stdout.write(timesOf(modules) + named.join("") + line));
  },
});

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
