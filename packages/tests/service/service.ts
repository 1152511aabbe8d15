import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

export type RunningService = Readonly<{
  url: string;
  pid: number;
  /** The whole output of the service so far. */
  output: () => string;
  /** Sends a signal and resolves with the exit code once it has ended; null when the signal ended it. */
  kill: (signal: NodeJS.Signals) => Promise<number | null>;
  /** Ends the service in good order. */
  stop: () => Promise<void>;
}>;

export type Ended = Readonly<{ exitCode: number | null; stdout: string; stderr: string }>;

type Environment = Readonly<Record<string, string>>;

const START = fileURLToPath(new URL("../../local/src/start.ts", import.meta.url));
const HELD_CLOCK = new URL("held-clock-fixture.ts", import.meta.url).href;
const PERMISSIONS = new URL("permissions-fixture.ts", import.meta.url).href;
const START_MS_MAX = 120_000;

/** Runs the service as `start` does, on any free port and in memory unless `env` says otherwise, until it listens. */
export const launchService = (env: Environment = {}): Promise<RunningService> => untilItListens(spawnService(env));

/** The same with a clock that stands still and that only the test moves, by milliseconds; resolves with its new time. */
export async function launchHeldService(env: Environment = {}) {
  const spawned = spawnService(env, ["--import", HELD_CLOCK]);
  const service = await untilItListens(spawned);
  const moveClock = async (ms: number): Promise<number> => {
    spawned.child.send(ms);
    const [nowMs] = await once(spawned.child, "message");
    return nowMs as number;
  };
  return { ...service, moveClock };
}

async function untilItListens(service: ReturnType<typeof spawnService>): Promise<RunningService> {
  const { child, ended, written } = service;
  const tooLate = setTimeout(() => child.kill("SIGKILL"), START_MS_MAX);
  const url = await Promise.race([service.listening, ended.then(() => undefined)]);
  clearTimeout(tooLate);
  if (url === undefined || child.pid === undefined) throw new Error(`The service did not start: ${written.stderr}`);
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return (await ended).exitCode;
  };
  return {
    url,
    pid: child.pid,
    output: () => written.stdout + written.stderr,
    kill,
    stop: async () => {
      await kill("SIGTERM");
    },
  };
}

/** Runs a service that is expected to end by itself: this version, or that of another program `start`. */
export const runToEnd = (env: Environment, start = START): Promise<Ended> => spawnService(env, [], start).ended;

function spawnService(env: Environment, options: readonly string[] = [], start = START) {
  const judged = process.env["FUNCTION_POLICIES"] === undefined ? [] : ["--import", PERMISSIONS];
  const child = spawn(process.execPath, [...options, ...judged, start], {
    // Vitest has a BASE_URL of its own.
    env: { ...process.env, BASE_URL: undefined, PORT: "0", DATA_DIR: "memory", ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  // Ends the service should this process die before it: the system then closes the guard's input.
  const guard = spawn("/bin/sh", ["-c", `cat >/dev/null; kill -9 ${child.pid}`], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  const written = { stdout: "", stderr: "" };
  const listening = new Promise<string>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      written.stdout += text;
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(written.stdout) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    written.stderr += text;
  });
  const ended = once(child, "close").then(([exitCode]): Ended => {
    guard.kill("SIGKILL");
    guard.stdin.destroy();
    return { exitCode: exitCode as number | null, ...written };
  });
  return { child, listening, ended, written };
}
