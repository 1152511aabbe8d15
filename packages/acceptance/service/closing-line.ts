import type { Reporter } from "vitest/node";

/**
 * Ends a run with `N passed, N failed`, and `, N skipped` where there are any. A file that does not load, a hook that
 * fails and an error outside every test count as one failure each. Tests skipped for a stated reason are named before.
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
    process.once("exit", () => process.stdout.write(named.join("") + line));
  },
});
