import { spawn } from "node:child_process";
import { once } from "node:events";
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

const START = fileURLToPath(new URL("../src/start.ts", import.meta.url));
const START_MS_MAX = 30_000;

/** Runs the service as `start` does, on any free port and in memory unless `env` says otherwise, until it listens. */
export async function launchService(env: Environment = {}): Promise<RunningService> {
  const service = spawnService(env);
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

/** Runs a service that is expected to end by itself. */
export const runToEnd = (env: Environment): Promise<Ended> => spawnService(env).ended;

function spawnService(env: Environment) {
  const child = spawn(process.execPath, [START], {
    // BASE_URL is unset, because Vitest sets one of its own.
    env: { ...process.env, BASE_URL: undefined, PORT: "0", DATA_DIR: "memory", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // The guard ends the service if this process dies first: the system then closes the guard's input.
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
