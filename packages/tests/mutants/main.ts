import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findTool, homeOf } from "../deployed/installation.ts";
import { type AreaName, areas, sample } from "./areas.ts";

// `pnpm mutants [path…]`: Stryker plants mistakes in the areas, or below paths of them, one at a time, and runs the tests
// that reach each. `--sample` takes the part that `test:whole` runs. It changes a copy of the sources.

const root = join(import.meta.dirname, "../../..");
const scratch = join(root, ".scratch/mutants");
const copy = join(scratch, "tree");
const LOCKED = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml"];

/** Stryker of this folder's lockfile, which the workspace does not install. */
async function findStryker() {
  const hash = createHash("sha256");
  for (const name of LOCKED) hash.update(readFileSync(join(import.meta.dirname, name)));
  const home = homeOf(`mutants-${hash.digest("hex").slice(0, 12)}`);
  return findTool({
    ...{ name: "Stryker", home, isInstalled: async () => existsSync(home), lacks: async () => undefined },
    fill: async (fresh, run) => {
      for (const name of LOCKED) await copyFile(join(import.meta.dirname, name), join(fresh, name));
      await run("npx", ["-y", "pnpm@12", "install", "--frozen-lockfile"]);
    },
  });
}

/** Copies the sources. Links between packages lead within the copy, and all others to what is installed. */
function copySources(): void {
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  for (const name of ["packages", "functions", "infra", "docs", "package.json", "tsconfig.json"])
    cpSync(join(root, name), join(copy, name), { recursive: true, verbatimSymlinks: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
}

/** Runs Stryker on files of an area; false where more mutants survive than the score allows. */
function mutate(home: string, name: AreaName, mutated: readonly string[], scoreMin: number): boolean {
  const config = join(scratch, `${name}.config.json`);
  const options = {
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    mutate: [...mutated, "!**/*.test.ts"],
    vitest: { configFile: "packages/tests/mutants/vitest.config.ts", related: true },
    coverageAnalysis: "perTest",
    ignoreStatic: true,
    inPlace: true,
    concurrency: 2,
    reporters: ["clear-text", "json"],
    clearTextReporter: { logTests: false, reportTests: false, skipFull: true, allowColor: false },
    jsonReporter: { fileName: join(scratch, `${name}.json`) },
    thresholds: { high: 100, low: scoreMin, break: scoreMin },
  };
  writeFileSync(config, JSON.stringify(options));
  const stryker = join(home, "node_modules/@stryker-mutator/core/bin/stryker.js");
  const env = { ...process.env, MUTANTS: name };
  return spawnSync(process.execPath, [stryker, "run", config], { cwd: copy, env, stdio: "inherit" }).status === 0;
}

/** The files of an area below the paths that were asked for; all of them where none was. */
const chosen = (name: AreaName, paths: readonly string[]): readonly string[] =>
  paths.length === 0 ? areas[name].mutate : paths.filter((path) => areaOf(path) === name).map(toPattern);

const areaOf = (path: string): string | undefined => /^packages\/([^/]+)/.exec(path)?.[1];

const toPattern = (path: string): string => (path.endsWith(".ts") ? path : `${path.replace(/\/$/, "")}/**/*.ts`);

const { values, positionals } = parseArgs({ options: { sample: { type: "boolean" } }, allowPositionals: true });
const names = Object.keys(areas) as AreaName[];
for (const path of positionals)
  if (!names.some((name) => name === areaOf(path))) throw new Error(`${path} is in no area: ${names.join(", ")}`);
const found = await findStryker();
if ("missing" in found) {
  process.stdout.write(`Stryker is skipped: ${found.missing}\n0 passed, 0 failed, 1 skipped\n`);
} else {
  copySources();
  const failed = names.filter((name) => {
    const { mutate: files, scoreMin } = values.sample
      ? sample[name]
      : { ...areas[name], mutate: chosen(name, positionals) };
    return files.length > 0 && !mutate(found.home, name, files, positionals.length === 0 ? scoreMin : 0);
  });
  process.exitCode = failed.length > 0 ? 1 : 0;
}
