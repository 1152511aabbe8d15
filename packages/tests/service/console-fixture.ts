import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

const MAIN = fileURLToPath(new URL("../../operator/src/main.ts", import.meta.url));

export type RunningConsole = Readonly<{
  /** The address that is good for one visit. */
  address: string;
  /** All that it has written. */
  output: () => string;
  stop: () => void;
}>;

/** Runs `operator console` about the service at `url`, until it tells its address. */
export function startConsole(url: string, ...args: readonly string[]): Promise<RunningConsole> {
  const command = [MAIN, "--port", new URL(url).port, "console", ...args];
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const stop = () => {
    child.kill("SIGINT");
  };
  return new Promise((resolve, reject) => {
    const hear = (text: string) => {
      output += text;
      const [address] = /http:\/\/\S+/.exec(output) ?? [];
      if (address !== undefined) resolve({ address, output: () => output, stop });
    };
    child.stdout.setEncoding("utf8").on("data", hear);
    child.stderr.setEncoding("utf8").on("data", hear);
    child.once("close", () => reject(new Error(`The console did not start: ${output}`)));
  });
}

/** Enters a console, as a browser does, and gives the text of its pages. */
export async function enterConsole({ address }: RunningConsole): Promise<(page: string) => Promise<string>> {
  const { headers } = await fetch(address, { redirect: "manual" });
  const folder = new URL(headers.get("location") ?? "", address);
  const [cookie = ""] = headers.getSetCookie()[0]?.split(";") ?? [];
  return async (page) => {
    const shown = await fetch(new URL(page, folder), { headers: { cookie } });
    if (shown.status !== 200) throw new Error(`${page} was answered with ${shown.status}`);
    return shown.text();
  };
}

/** For a test file: a console that runs for as long as its tests do. */
export async function openConsole(url: string): Promise<RunningConsole> {
  const running = await startConsole(url);
  afterAll(running.stop);
  return running;
}
