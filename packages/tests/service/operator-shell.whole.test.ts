import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import manifest from "../../operator/package.json" with { type: "json" };
import { pdf } from "./client.ts";
import { earn, mustRequest } from "./commissions.ts";
import { openTenants } from "./commissions-fixture.ts";
import { openOperatedService } from "./service-fixture.ts";

const { service, operator } = await openOperatedService();
const tenants = openTenants(service.url);
const { port } = new URL(service.url);
const BIN = fileURLToPath(new URL("../../operator/bin", import.meta.url));
const MAIN = fileURLToPath(new URL("../../operator/src/main.ts", import.meta.url));

type Env = Readonly<Record<string, string | undefined>>;

async function run(command: string, args: readonly string[], env: Env = {}) {
  const colours = { NO_COLOR: undefined, FORCE_COLOR: undefined, CI: undefined, TERM: "xterm-256color" };
  const child = spawn(command, args, { env: { ...process.env, PORT: port, ...colours, ...env }, stdio: "pipe" });
  child.stdin.end();
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data) => {
      output += String(data);
    });
  }
  const [code] = (await once(child, "close")) as [number];
  return { code, output };
}

/** Runs a command line of bash, in which `operator` is the command. */
const bash = (line: string, env?: Env) => run("bash", ["-c", `PATH="${BIN}:$PATH"\n${line}`], env);

/** A terminal of so many columns, whose user types the keys when asked something. */
const TERMINAL = `
import fcntl, os, pty, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0: os.execvp(sys.argv[3], sys.argv[3:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
keys, shown = sys.argv[2].encode(), b""
while True:
    try: read = os.read(terminal, 65536)
    except OSError: break
    if not read: break
    shown += read
    if keys and b"[y/N]" in shown: os.write(terminal, keys); keys = b""
os.write(1, shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;
const onTerminal = (line: readonly string[], { columns = 100, keys = "", env = {} as Env } = {}) =>
  run("python3", ["-c", TERMINAL, String(columns), keys, process.execPath, MAIN, ...line], env);

// Every command is a process of its own.
describe.concurrent("in a shell", () => {
  test("the port is that of PORT, and the version is told", async () => {
    expect(await bash("operator tenants show 1001 --json")).toMatchObject({
      code: 0,
      output: expect.stringContaining('"tenantId":"1001"'),
    });
    expect(await bash("operator tenants show 1001", { PORT: "1" })).toMatchObject({ code: 3 });
    expect(await bash("operator tenants show 1001", { PORT: "http" })).toMatchObject({ code: 2 });
    expect(await bash("operator --version")).toEqual({ code: 0, output: `${manifest.version}\n` });
  });

  test("a prefix without a stage is a wrong command line, and a list goes to whoever reads its first lines alone", async () => {
    expect(await bash("operator todo --prefix acme")).toEqual({ code: 2, output: "--prefix needs --stage\n" });
    expect(await bash("set -o pipefail; operator --help | true")).toEqual({ code: 0, output: "" });
  });

  test("commands, options and their values are completed", async () => {
    const completed = async (words: string) =>
      (await bash(`operator complete -- ${words}`)).output.split("\n").map((line) => line.split("\t")[0]);
    expect(await completed("intents ''")).toEqual(expect.arrayContaining(["list", "show", "resolve"]));
    expect(await completed("intents list --st")).toContain("--status");
    expect(await completed("intents list --status ''")).toContain("requires_recovery");
    for (const shell of ["bash", "zsh", "fish"])
      expect(await bash(`operator completion ${shell}`)).toMatchObject({
        code: 0,
        output: expect.stringContaining("operator complete --"),
      });
    // The script is one that bash understands.
    expect(await bash("source <(operator completion bash) && complete -p operator")).toMatchObject({ code: 0 });
  });
});

describe.concurrent("on a terminal", () => {
  const lines = (output: string) => output.split("\r\n");

  test("a table is as wide as the terminal at most, and coloured unless NO_COLOR says otherwise", async () => {
    await operator.change("seed", "--tenant", "1001", "--intents", "3");
    const list = ["intents", "list", "--tenant", "1001"];
    for (const columns of [60, 100, 160]) {
      const { code, output } = await onTerminal(list, { columns, env: { NO_COLOR: "1" } });
      expect(code).toBe(0);
      expect(output).not.toContain("\u001b");
      expect(Math.max(...lines(output).map(({ length }) => length))).toBeLessThanOrEqual(columns);
    }
    expect((await onTerminal(list)).output).toContain("\u001b[1m");
    expect((await operator.run(...list)).stdout).not.toContain("\u001b");
  });

  const create = ["tenants", "create", "2301", "--name", "Asked", "--country", "AU"];
  test.each([
    ["Ctrl-C ends it quietly", "\u0003", 130, /\[y\/N\] \S*\s*$/],
    ["Ctrl-D changes nothing", "\u0004", 4, /Nothing was changed/],
    ["n changes nothing", "n\r", 4, /Nothing was changed/],
  ])("a question is asked, and %s", async (_what, keys, expected, shown) => {
    const { code, output } = await onTerminal(create, { keys });
    expect(output).toMatch(shown);
    expect(output).not.toMatch(/^\s+at /m);
    expect(code).toBe(expected);
    expect(await operator.run("tenants", "show", "2301")).toMatchObject({ code: 4 });
  });

  test("a question that is answered with y is carried out", async () => {
    const asked = ["tenants", "create", "2302", "--name", "Asked", "--country", "AU"];
    expect(await onTerminal(asked, { keys: "y\r" })).toMatchObject({ code: 0 });
    expect(await operator.run("tenants", "show", "2302")).toMatchObject({ code: 0 });
  });

  test("whoever is to pay a suspended tenant its commissions is told so first", async ({ onTestFinished }) => {
    const client = await tenants.newTenant();
    const { tenantId } = client;
    const { requestId } = await mustRequest(client, [await earn(client)]);
    await operator.change("tenants", "suspend", tenantId);
    const folder = mkdtempSync(join(tmpdir(), "proof-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const proof = join(folder, "proof.pdf");
    writeFileSync(proof, pdf());
    const pay = ["commission-requests", "pay", requestId, "--tenant", tenantId, "--proof", proof, "--reason", "May"];
    const { code, output } = await onTerminal(pay, { keys: "n\r" });
    expect(output).toMatch(/Mark request \S+ of tenant \d+, suspended since \S+Z,.* as paid\? \[y\/N\]/);
    expect(code).toBe(4);
  });
});
