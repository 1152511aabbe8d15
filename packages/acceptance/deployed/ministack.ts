import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runCommand } from "./command.ts";

const VERSION = "1.5.33";
/** Ends what hangs, on a machine however busy. */
const INSTALL_MS_MAX = 540_000;
const root = join(import.meta.dirname, "../../..");
/** The folder of MiniStack: outside git, and kept for the next run. */
const home = join(root, `node_modules/.cache/ministack-${VERSION}`);
const pythonIn = (folder: string): string => join(folder, "bin/python");

/** The Python that has MiniStack, or why this machine has none. */
export type Ministack = Readonly<{ python: string } | { missing: string }>;

/** Finds MiniStack, an emulator of AWS in Python, and installs it first if needed. */
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

/** Whether MiniStack is installed; false also if the Python of its installation has gone. */
const isInstalled = (): Promise<boolean> =>
  works(
    pythonIn(home),
    "-c",
    `import ministack, importlib.metadata as m; assert m.version("ministack") == "${VERSION}"`,
  );

/** Installs into another folder and moves it when it is complete, so that an interrupted install is never used. */
async function install(): Promise<Ministack> {
  const fresh = `${home}.${process.pid}`;
  try {
    await mkdir(dirname(home), { recursive: true });
    await runCommand("python3", ["-m", "venv", fresh], { timeoutMs: INSTALL_MS_MAX });
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", `ministack==${VERSION}`];
    await runCommand(pythonIn(fresh), pip, { timeoutMs: INSTALL_MS_MAX });
    await rm(home, { recursive: true, force: true });
    await rename(fresh, home);
  } catch (error) {
    // Another run may have installed it meanwhile.
    if (!(await isInstalled())) return { missing: `MiniStack ${VERSION} cannot be installed: ${lastLine(error)}` };
  } finally {
    // What was cut short may still be writing.
    if (existsSync(fresh)) await rm(fresh, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
  }
  return { python: pythonIn(home) };
}

const lastLine = (error: unknown): string => String(error).trimEnd().split("\n").at(-1) ?? "";
