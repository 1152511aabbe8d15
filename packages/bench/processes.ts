import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runningFile } from "@intents/deployment/running-file.ts";
import { projectFolders } from "@intents/infra/bundle.ts";
import { localDefaults } from "@intents/local/local-settings.ts";

export type Server = Readonly<{ urls: readonly string[]; url: string; pid: number; stop: () => Promise<void> }>;
export type Environment = Readonly<Record<string, string | undefined>>;

/** Runs `script` in a process of its own, and waits for the line with the address or addresses that it listens on. */
export async function startServer(script: string, env: Environment, flags: readonly string[] = []): Promise<Server> {
  const child = spawn(process.execPath, [...flags, script], {
    env: { ...process.env, NODE_ENV: undefined, BASE_URL: undefined, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = () => child.kill();
  process.once("exit", kill);
  const ended = once(child, "close");
  const told = new Promise<string>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => resolve(text));
  });
  const urls = (await Promise.race([told, ended.then(() => "")])).trim().split(" ");
  const [url = ""] = urls;
  if (url === "" || child.pid === undefined) throw new Error(`${script} did not start`);
  const stop = async () => {
    process.off("exit", kill);
    child.kill("SIGTERM");
    await ended;
  };
  return { urls, url, pid: child.pid, stop };
}

/** Starts the service on the bundles in `dist` and any free port, in memory, with limits that no load run meets. */
export function startService(dist: string, env: Environment = {}): Promise<Server> {
  const inMemory = { DIST: dist, PORT: "0", DATA_DIR: "memory", RATE_LIMIT_PER_SECOND: "1000000" };
  return startServer(join(import.meta.dirname, "service.ts"), { ...inMemory, ...env }, startFlags());
}

/** The flags that the script `start` gives to Node. */
function startFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(projectFolders.root, "package.json"), "utf8")) as {
    scripts: Readonly<{ start: string }>;
  };
  return scripts.start.match(/--\S+/g) ?? [];
}

/** The environment by which a process uses the stores of a running service. */
export const environmentOf = ({ url }: Server): Environment => ({
  ...localDefaults,
  RATE_LIMIT_PER_SECOND: "1000000",
  ...(JSON.parse(readFileSync(runningFile(new URL(url).port), "utf8")) as Environment),
});

/** Resident memory of a process and all that it started, in MB. */
export function residentMegabytes(pid: number): number {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,rss="], { encoding: "utf8" }).trim().split("\n");
  const processes = lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number, number]);
  const sumOf = (root: number): number =>
    processes
      .filter(([id, parent]) => id === root || parent === root)
      .reduce((sum, [id, , kilobytes]) => sum + (id === root ? kilobytes : sumOf(id)), 0);
  return sumOf(pid) / 1_024;
}
