import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "./command.ts";

/** Ends what hangs, on a machine however busy. */
const INSTALL_MS_MAX = 540_000;
const root = join(import.meta.dirname, "../../..");

/** A tool that no package of the workspace brings along: it is installed by the first run that asks for it. */
export type Tool = Readonly<{
  name: string;
  /** The folder of this version's installation; outside git, and kept for the next run. */
  home: string;
  isInstalled: () => Promise<boolean>;
  /** Names the machine's missing prerequisite; undefined if it has all. */
  lacks: () => Promise<string | undefined>;
  /** Fills a new folder, in which its commands run. */
  fill: (folder: string, run: (file: string, args: readonly string[]) => Promise<string>) => Promise<unknown>;
}>;

export const homeOf = (nameAndVersion: string): string => join(root, "node_modules/.cache", nameAndVersion);

export const works = (file: string, ...args: readonly string[]): Promise<boolean> =>
  runCommand(file, args, { timeoutMs: 20_000 }).then(
    () => true,
    () => false,
  );

/** The home of a tool, installed first if needed, or why this machine has none. */
export async function findTool(tool: Tool): Promise<Readonly<{ home: string } | { missing: string }>> {
  if (await tool.isInstalled()) return { home: tool.home };
  const lacking = await tool.lacks();
  return lacking === undefined ? install(tool) : { missing: lacking };
}

/** Installs into another folder and moves it when it is complete, so that an interrupted install is never used. */
async function install({ name, home, isInstalled, fill }: Tool) {
  const fresh = `${home}.${process.pid}`;
  try {
    await mkdir(fresh, { recursive: true });
    await fill(fresh, (file, args) => runCommand(file, args, { cwd: fresh, timeoutMs: INSTALL_MS_MAX }));
    await rm(home, { recursive: true, force: true });
    await rename(fresh, home);
  } catch (error) {
    // Another run may have installed it meanwhile.
    if (!(await isInstalled())) return { missing: `${name} cannot be installed: ${reasonIn(error)}` };
  } finally {
    // An interrupted command may still be writing.
    if (existsSync(fresh)) await rm(fresh, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
  }
  return { home };
}

/** The first complaint of an installer: npm, pnpm and pip go on with advice. */
export function reasonIn(error: unknown): string {
  const [command = "", ...output] = String(error).trimEnd().split("\n");
  return output.find((line) => /error/i.test(line)) ?? output.at(-1) ?? command;
}

export const pythonIn = (folder: string): string => join(folder, "bin/python");

/** Why no environment of Python 3.`minor` or newer can be made here; undefined where it can. */
export const lacksPython = async (minor: number): Promise<string | undefined> =>
  (await works("python3", "-c", `import sys, venv, ensurepip; sys.exit(sys.version_info < (3, ${minor}))`))
    ? undefined
    : `no python3 of 3.${minor} or newer with venv and pip`;

/** Makes a Python environment of its own with what pip is told to install. */
export const installPython =
  (...wanted: readonly string[]): Tool["fill"] =>
  async (folder, run) => {
    await run("python3", ["-m", "venv", folder]);
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...wanted];
    await run(pythonIn(folder), pip);
  };
