import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A process of npx, npm or pnpm, and the shells that these start, as `ps` prints their command lines. */
const MANAGER = /^(\S*\/)?(node \S*\/)?(npm|npx|pnpm)\b/;
const SHELL = /^(\S*\/)?sh -c\b/;
const DEPTH_MAX = 12;
const CHECK_MS = 1_000;

/**
 * Resolves when npx or pnpm, by which this process was started, has ended: they do not pass every signal on, and the
 * service would stay behind. A shell that started it in the background may end. Where there is no `ps`, nothing is
 * watched, and it never resolves.
 */
export async function whenLaunchersEnd(): Promise<void> {
  const watched = await launchersOf(process.ppid);
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      if (watched.every(isAlive)) return;
      clearInterval(timer);
      resolve();
    }, CHECK_MS);
  });
}

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
