import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runCommand } from "./command.ts";

const VERSION = "1.5.33";
const root = join(import.meta.dirname, "../../../..");
/** Outside git, and kept for the next run. */
const home = join(root, `node_modules/.cache/ministack-${VERSION}`);
const pythonIn = (folder: string): string => join(folder, "bin/python");

/** The Python that has MiniStack, or why there is none here. */
export type Ministack = Readonly<{ python: string } | { missing: string }>;

/** Finds MiniStack, an emulator of AWS in Python, and installs it first where that was not yet done. */
export async function findMinistack(): Promise<Ministack> {
  if (process.platform !== "linux") return { missing: "not on Linux" };
  if (!(await works("openssl", "version"))) return { missing: "no openssl" };
  if (await isInstalled()) return { python: pythonIn(home) };
  const hasPython = await works("python3", "-c", "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))");
  if (!hasPython) return { missing: "no python3 of 3.10 or newer with venv and pip" };
  return install();
}

const works = (file: string, ...args: readonly string[]): Promise<boolean> =>
  runCommand(file, args, { timeoutMs: 20_000 }).then(
    () => true,
    () => false,
  );

/** False as well where the Python is gone that it was installed with. */
const isInstalled = (): Promise<boolean> =>
  works(
    pythonIn(home),
    "-c",
    `import ministack, importlib.metadata as m; assert m.version("ministack") == "${VERSION}"`,
  );

/** Whole or not at all: an install that was cut short stays out of sight, and is thrown away. */
async function install(): Promise<Ministack> {
  const fresh = `${home}.${process.pid}`;
  try {
    await mkdir(dirname(home), { recursive: true });
    await runCommand("python3", ["-m", "venv", fresh], { timeoutMs: 60_000 });
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", `ministack==${VERSION}`];
    await runCommand(pythonIn(fresh), pip, { timeoutMs: 180_000 });
    await rm(home, { recursive: true, force: true });
    await rename(fresh, home);
  } catch (error) {
    // Unless another run was faster.
    if (!(await isInstalled())) return { missing: `MiniStack ${VERSION} cannot be installed: ${lastLine(error)}` };
  } finally {
    if (existsSync(fresh)) await rm(fresh, { recursive: true, force: true });
  }
  return { python: pythonIn(home) };
}

const lastLine = (error: unknown): string => String(error).trimEnd().split("\n").at(-1) ?? "";
