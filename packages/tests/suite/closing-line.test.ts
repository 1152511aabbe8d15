import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const reporter = join(import.meta.dirname, "closing-line.ts");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "closing-line-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(
    join(folder, "vitest.config.ts"),
    `import { closingLine } from ${JSON.stringify(reporter)};
    export default { test: { reporters: ["default", closingLine()] } };`,
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs test files, by their names. */
function run(files: Readonly<Record<string, string>>) {
  for (const [name, source] of Object.entries(files))
    writeFileSync(join(folder, `${name}.test.ts`), `import { beforeAll, describe, test } from "vitest";\n${source}`);
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const { status, stdout } = spawnSync(process.execPath, [vitest, "run"], { cwd: folder, encoding: "utf8" });
  return { status, lines: stdout.trimEnd().split("\n") };
}

test("a run of which all tests pass ends in `1 passed, 0 failed`", () => {
  const { status, lines } = run({ fine: `test("one", () => {});` });
  expect([status, lines.at(-1)]).toEqual([0, "1 passed, 0 failed"]);
});

test("a run names what failed with its reason, and what was skipped for a reason, and counts each in its last line", () => {
  const { status, lines } = run({
    tests: `test("one", () => {}); test("two", () => { throw new Error("not two\\nbut three"); }); test.runIf(false)("three", () => {});`,
    hook: `beforeAll(() => { throw new Error("no store"); }); test("one", () => {});`,
    load: `throw new Error("does not load");`,
    outside: `test("one", () => { void Promise.reject(new Error("nobody waits")); });`,
    reason: `describe("all", () => test("two", ({ skip }) => skip("no Java")));`,
  });
  const [skipped, ...failed] = lines.slice(-6, -1);
  expect([status, skipped, failed.toSorted(), lines.at(-1)]).toEqual([
    1,
    "skipped: all > two (no Java)",
    [
      "failed: hook.test.ts: no store",
      "failed: load.test.ts: does not load",
      "failed: outside every test: nobody waits",
      "failed: tests.test.ts > two: not two",
    ],
    "2 passed, 4 failed, 3 skipped",
  ]);
});
