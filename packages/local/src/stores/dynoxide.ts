import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { promisify } from "node:util";

/** The version of every build, here and in the npm registry; the workspace's catalog names the same one. */
export const DYNOXIDE_VERSION = "1.2.1";
const PACKAGE = `dynoxide@${DYNOXIDE_VERSION}`;
const FETCH_MS_MAX = 120_000;

const run = promisify(execFile);

/** The platform of this machine, as packages of builds are named. */
export const platform = (): string => `${process.platform}-${process.arch}`;

/** The file of a name in the workspace's build. Throws where the workspace has no build for this platform. */
export const fileOfDynoxide = (name: string): string =>
  createRequire(import.meta.url).resolve(`@dynoxide/${platform()}/${name}`);

/** The command of the workspace's build, if it has one for this platform. */
export function findDynoxide(): readonly string[] | undefined {
  try {
    return [fileOfDynoxide("dynoxide")];
  } catch {
    return undefined;
  }
}

/**
 * The command by which npx runs the build that the makers publish for this platform, once npx has shown that it can run
 * it; or why it cannot. npx fetches the package the first time and keeps it.
 */
export async function findDynoxideByNpx(): Promise<
  Readonly<{ command: readonly string[] }> | Readonly<{ missing: string }>
> {
  // npx asks the registry about a version that it has, unless it is told not to. Without a network, one try is enough.
  const command = [
    "/usr/bin/env",
    "npm_config_prefer_offline=true",
    "npm_config_fetch_retries=0",
    "npx",
    "-y",
    PACKAGE,
  ];
  const [program = "", ...options] = command;
  try {
    await run(program, [...options, "--version"], { timeout: FETCH_MS_MAX, killSignal: "SIGKILL" });
    return { command };
  } catch (error) {
    return { missing: whyNotRun(error) };
  }
}

/** The exit code by which `env` says that there is no such command. */
const NO_SUCH_COMMAND = 127;
const NO_NETWORK = /\b(EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT)\b/;

function whyNotRun(error: unknown): string {
  const { code, killed, stderr = "" } = error as { code?: unknown; killed?: boolean; stderr?: string };
  if (killed === true) return `not fetched within ${FETCH_MS_MAX / 1000} s`;
  if (code === NO_SUCH_COMMAND) return "no npx";
  if (NO_NETWORK.test(stderr)) return "no network";
  if (/\bE404\b/.test(stderr)) return `the npm registry has no ${PACKAGE}`;
  const lines = stderr.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("npm warn"));
  return `npx ended with ${String(code)}: ${lines[0] ?? "no message"}`;
}
