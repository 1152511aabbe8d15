import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, renameSync, rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";

const START = fileURLToPath(new URL("../../local/src/start.mjs", import.meta.url));
const DEV = fileURLToPath(new URL("../../local/src/dev.ts", import.meta.url));
const root = fileURLToPath(new URL("../../..", import.meta.url));
const SOURCE = join(root, "functions/fallback.ts");
const env = { ...process.env, BASE_URL: undefined, PORT: "0", DATA_DIR: "memory" };

const started: ChildProcess[] = [];
afterEach(() => {
  for (const { pid } of started.splice(0)) endGroup(pid);
});

/** Ends all that is left of a command; a terminal that ends hangs up on what runs in it. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Starts a command in a group of its own, and follows what it prints. */
function launch(command: string, ...args: string[]) {
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  started.push(child);
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  const urls = () => printed.match(/(?<=Service {3})http:\S+/g) ?? [];
  return { child, ended: once(child, "exit"), printed: () => printed, urls };
}

const answers = (url = "") =>
  fetch(url).then(
    ({ status }) => status,
    () => "nobody",
  );

test("a service ends with pnpm, by which it was started, even when that is killed", async () => {
  // As `npx -y pnpm@12 start` has it: a package manager, a shell, the service.
  const script = `"${process.execPath}" "${START}"; true`;
  const manager = `require("node:child_process").spawn("sh", ["-c", ${JSON.stringify(script)}], { stdio: "inherit" })`;
  const { child, urls } = launch("bash", "-c", 'exec -a pnpm "$0" -e "$1"', process.execPath, manager);
  await expect.poll(urls).toHaveLength(1);
  expect(await answers(urls()[0])).toBe(200);
  child.kill("SIGKILL");
  await expect.poll(() => answers(urls()[0])).toBe("nobody");
});

test("pnpm dev starts the service anew when a source changes, and ends with it", async () => {
  const { child, ended, printed, urls } = launch(process.execPath, DEV);
  await expect.poll(urls).toHaveLength(1);
  // As editors and Git do it: again and again another file is put in its place.
  for (const times of [2, 3]) {
    const copy = join(mkdtempSync(join(root, "node_modules/.replaced-")), "copy");
    cpSync(SOURCE, copy);
    renameSync(copy, SOURCE);
    rmdirSync(dirname(copy));
    await expect.poll(urls).toHaveLength(times);
  }
  expect(printed().match(/functions\/fallback\.ts has changed\.\n/g)).toHaveLength(2);
  expect(await answers(urls()[2])).toBe(200);
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(await Promise.all(urls().map(answers))).toEqual(["nobody", "nobody", "nobody"]);
});

test("a service that nobody can ask any more, because pnpm dev was killed, ends as well", async () => {
  const { child, urls } = launch(process.execPath, DEV);
  await expect.poll(urls).toHaveLength(1);
  child.kill("SIGKILL");
  await expect.poll(() => answers(urls()[0])).toBe("nobody");
});

const terminal = ["-qfec", `"${process.execPath}" "${START}"`, "/dev/null"] as const;
const hasTerminal = spawnSync("script", ["-qfec", "true", "/dev/null"], { stdio: "ignore" }).status === 0;

test.skipIf(!hasTerminal)("on a terminal each request is a line, without its key and its values", async () => {
  const { printed, urls } = launch("script", ...terminal);
  await expect.poll(urls).toHaveLength(1);
  const asked = `${urls()[0]}/v2/students?filter[email]=ana@example.com`;
  const { headers, status } = await fetch(asked, { headers: { "X-API-Key": "demo:demo-secret" } });
  expect(status).toBe(200);
  const line = new RegExp(` 200 +\\d+ ms +GET +/v2/students +${headers.get("x-request-id")}`);
  await expect.poll(printed).toMatch(line);
  expect(printed().split("Ctrl-C")[1]).not.toMatch(/ana@|demo/);
});
