import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A process of npx, npm or pnpm, and the shells that these start, as `ps` prints their command lines. */
const MANAGER = /^(\S*\/)?(node \S*\/)?(npm|npx|pnpm)\b/;
const SHELL = /^(\S*\/)?sh -c\b/;
const DEPTH_MAX = 12;
const CHECK_MS = 1_000;

/**
 * The processes of npx or pnpm by which this one was started, while they are there to be found. A shell that started it
 * in the background is none of them, and may end; where there is no `ps`, none is found.
 */
export const findLaunchers = (): Promise<readonly number[]> => launchersOf(process.ppid);

/** Resolves when one of them has ended: they do not pass every signal on, and the service would stay behind. */
export const whenOneEnds = (launchers: readonly number[]): Promise<void> =>
  new Promise((resolve) => {
    const timer = setInterval(() => {
      if (launchers.every(isAlive)) return;
      clearInterval(timer);
      resolve();
    }, CHECK_MS);
  });

/** The processes from `pid` upwards that belong to npx or pnpm; none where the topmost is only a shell. */
async function launchersOf(pid: number): Promise<readonly number[]> {
  const chain: number[] = [];
  let managed = 0;
  for (let next = pid; chain.length < DEPTH_MAX; ) {
    const { parent, line } = await describe(next);
    if (!MANAGER.test(line) && !SHELL.test(line)) break;
    chain.push(next);
    if (MANAGER.test(line)) managed = chain.length;
    next = parent;
  }
  return chain.slice(0, managed);
}

async function describe(pid: number): Promise<Readonly<{ parent: number; line: string }>> {
  const printed = await run("ps", ["-o", "ppid=,args=", "-p", String(pid)]).catch(() => ({ stdout: "" }));
  const [, parent = "0", line = ""] = /^\s*(\d+)\s+(.*)/.exec(printed.stdout) ?? [];
  return { parent: Number(parent), line };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
