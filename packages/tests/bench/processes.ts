import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runningFile } from "@intents/deployment/running-file.ts";
import { localDefaults } from "@intents/local/local-settings.ts";
import manifest from "../../../package.json" with { type: "json" };
import type { Plan } from "./plan.ts";

export type Server = Readonly<{ url: string; urls: readonly string[]; pid: number; stop: () => Promise<void> }>;
type Environment = Readonly<Record<string, string | undefined>>;

const [command = ""] = manifest.scripts.start.split(" packages/");
/** The flags that the script `start` gives to Node. */
const flags = command.split(" ").slice(1);

/** Runs a script of this package, and waits for the line with the address or addresses that it listens on. */
export async function startServer(script: string, env: Environment): Promise<Server> {
  const child = spawn(process.execPath, [...flags, join(import.meta.dirname, script)], {
    env: { ...process.env, NODE_ENV: undefined, BASE_URL: undefined, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = () => child.kill();
  process.once("exit", kill);
  const ended = once(child, "close");
  const line = once(child.stdout.setEncoding("utf8"), "data").then(([text]) => String(text));
  const urls = (await Promise.race([line, ended.then(() => "")])).trim().split(" ");
  const [url = ""] = urls;
  if (url === "" || child.pid === undefined) throw new Error(`${script} did not start`);
  const stop = async () => {
    process.off("exit", kill);
    child.kill("SIGTERM");
    await ended;
  };
  return { url, urls, pid: child.pid, stop };
}

/** Starts the service on the bundles in `dist` and any free port, in memory, with limits that no load run meets. */
export const startService = (dist: string, env: Environment = {}): Promise<Server> =>
  startServer("service.ts", { DIST: dist, PORT: "0", DATA_DIR: "memory", RATE_LIMIT_PER_SECOND: "1000000", ...env });

export const startBareServer = ({ dist, tapes }: Plan): Promise<Server> =>
  startServer("bare.ts", { DIST: dist, TAPES: tapes });

/** The environment by which a process uses the stores of a running service. */
export const environmentOf = ({ url }: Server): Environment => ({
  ...localDefaults,
  ...(JSON.parse(readFileSync(runningFile(new URL(url).port), "utf8")) as Environment),
});

/** Resident memory of a server and all that it started, in MB. */
export function residentMegabytes({ pid }: Server): number {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,rss="], { encoding: "utf8" }).trim().split("\n");
  const processes = lines.map((line) => line.trim().split(/\s+/).map(Number));
  const kilobytesOf = (root: number): number =>
    processes.reduce((sum, [id = 0, parent, kilobytes = 0]) => {
      if (id === root) return sum + kilobytes;
      return parent === root ? sum + kilobytesOf(id) : sum;
    }, 0);
  return kilobytesOf(pid) / 1_024;
}
