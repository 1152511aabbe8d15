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

test.each([
  ["1 passed, 0 failed", 0, `test("one", () => {});`],
  [
    "1 passed, 1 failed, 1 skipped",
    1,
    `test("one", () => {}); test("two", () => { throw 1; }); test.runIf(false)("three", () => {});`,
  ],
  ["0 passed, 1 failed, 1 skipped", 1, `beforeAll(() => { throw 1; }); test("one", () => {});`],
  ["0 passed, 1 failed", 1, `throw new Error("does not load");`],
  ["1 passed, 1 failed", 1, `test("one", () => { void Promise.reject(new Error("nobody waits")); });`],
])("a run ends in `%s`", (line, status, source) => {
  writeFileSync(join(folder, "it.test.ts"), `import { beforeAll, test } from "vitest";\n${source}`);
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const run = spawnSync(process.execPath, [vitest, "run"], { cwd: folder, encoding: "utf8" });
  expect(run.stdout.trimEnd().split("\n").at(-1)).toBe(line);
  expect(run.status).toBe(status);
});

test("a test that is skipped for a reason, and what failed, are named before the last line", () => {
  writeFileSync(
    join(folder, "it.test.ts"),
    `import { describe, test } from "vitest";
    test("one", () => { throw 1; });
    describe("all", () => test("two", ({ skip }) => skip("no Java")));`,
  );
  writeFileSync(join(folder, "other.test.ts"), `throw new Error("does not load");`);
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const { stdout } = spawnSync(process.execPath, [vitest, "run"], { cwd: folder, encoding: "utf8" });
  const [skipped, ...rest] = stdout.trimEnd().split("\n").slice(-4);
  const failed = rest.slice(0, -1);
  expect([skipped, ...failed.toSorted(), rest.at(-1)]).toEqual([
    "skipped: all > two (no Java)",
    "failed: it.test.ts > one",
    "failed: other.test.ts",
    "0 passed, 2 failed, 1 skipped",
  ]);
});
