import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchService, type RunningService } from "./service.ts";

const OPERATOR = fileURLToPath(new URL("../../operator/src/main.ts", import.meta.url));
const textOf = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const guides = {
  readme: textOf("README.md"),
  integrate: textOf("docs/integrate.md"),
  operate: textOf("docs/operate.md"),
  http: textOf("docs/guides/http.md"),
};

/** The shell lines of a section, block by block. */
function blocksOf(guide: keyof typeof guides, heading: string): string[] {
  const [section = ""] = new RegExp(`^## ${heading}$[\\s\\S]*?(?=^## |(?![\\s\\S]))`, "m").exec(guides[guide]) ?? [];
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
}

const [firstPayment = ""] = blocksOf("readme", "First payment");
const [definitions = ""] = firstPayment.split("\n\n");
/** Shells as people have them open, which take comments, quotes and patterns otherwise than in a script. */
const shells = [
  ["bash", ["--norc", "-i"]],
  ["dash", ["-i"]],
  ["zsh", ["-f", "-i"]],
] as const;

describe("the README and its guides", () => {
  let service: RunningService;
  const folder = mkdtempSync(join(tmpdir(), "readme-"));
  beforeAll(async () => {
    service = await launchService();
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  test("opens with the two commands", () => {
    const [first = ""] = /```sh\n[\s\S]*?```/.exec(guides.readme) ?? [];
    expect(first).toBe("```sh\nnpx -y pnpm@12 start\nnpx -y pnpm@12 test\n```");
  });

  // zsh takes what stands behind a # at its prompt for arguments: the tests would be narrowed by those words.
  test.each(Object.entries(guides))("has no comments behind its commands: %s", (_, text) => {
    const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
    expect(blocks.filter((block) => /\s#\s/.test(block))).toEqual([]);
  });

  /** Runs lines of a guide as they are, against the service of this test, and gives their output. */
  async function run(script: string): Promise<string> {
    const operator = `'${process.execPath}' '${OPERATOR}' --port ${new URL(service.url).port}`;
    const here = script
      .replace("http://127.0.0.1:3000", service.url)
      .replace("npx -y pnpm@12 --silent operator", operator);
    const shell = spawn("bash", ["--norc", "-eu", "-o", "pipefail", "-c", here], { cwd: folder });
    let output = "";
    for (const stream of [shell.stdout, shell.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    const [code] = (await once(shell, "close")) as [number];
    expect(code, output).toBe(0);
    return output.trim();
  }

  /** Pastes lines into a shell that is open, and gives what it prints; `url` is where they look for the service. */
  async function paste(shell: string, options: readonly string[], lines: string, url = service.url) {
    const open = spawn(shell, options, { cwd: folder, env: { ...process.env, HISTFILE: "" } });
    const printed = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      open[name].setEncoding("utf8").on("data", (text: string) => {
        printed[name] += text;
      });
    }
    open.stdin.end(lines.replaceAll("http://127.0.0.1:3000", url));
    await once(open, "close");
    return printed;
  }

  for (const [shell, options] of shells) {
    const isHere = spawnSync(shell, ["-c", "exit"]).status === 0;
    const claim = `has lines for ${shell} that pay, twice within a minute, and tell plainly when they cannot`;
    if (!isHere) test(claim, ({ skip }) => skip(`no ${shell}`));
    else
      test(claim, async () => {
        const { stdout, stderr } = await paste(shell, options, firstPayment.repeat(2));
        expect(stdout.match(/completed/g), stdout + stderr).toHaveLength(2);
        expect(stderr).not.toContain("Failed: ");

        const alone = await paste(shell, options, firstPayment, "http://127.0.0.1:9");
        expect(alone.stderr).toContain("Failed: no answer: is the service running?");
        const refused = await paste(shell, options, firstPayment.replace("demo-secret", "wrong"));
        expect(refused.stderr).toContain("Failed: [GEN9001] A valid X-API-Key is required");
        expect(alone.stderr + refused.stderr).not.toMatch(/Error|\bat .*:\d+/);
      });
  }

  test("has lines that ask what a payment needs, and list what was paid", async () => {
    const output = await run([definitions, ...blocksOf("integrate", "A payment, step by step")].join("\n"));
    expect(JSON.parse(output)).toMatchObject({ data: { rule: { status: expect.any(String) } } });
    const listed = await run([firstPayment, ...blocksOf("integrate", "Lists")].join("\n"));
    expect(JSON.parse(listed.split("\n").at(-1) ?? "")).toMatchObject({
      data: { paymentIntents: expect.arrayContaining([expect.objectContaining({ status: "completed" })]) },
      explain: { order: "index" },
    });
  });

  test("has curl lines that publish a link, whose page opens", async () => {
    const address = await run([definitions, ...blocksOf("integrate", "The payer page")].join("\n"));
    expect(address).toMatch(/\/pay\/plink_[\w-]{22,}$/);
    expect(await (await fetch(address)).text()).toContain("Semester 1, 2027");
  });

  test("has lines that list the scenarios of the sandbox, and have a completed payment come back", async () => {
    const output = await run([firstPayment, ...blocksOf("integrate", "The sandbox")].join("\n"));
    expect(output.split("\n").slice(-3)).toEqual([
      ...["completed", "The payment fails: no recipient gets anything", "returned by the beneficiary bank"],
    ]);
  });

  test("leads a new customer from its key and a first payment to its commissions, paid with proof", async () => {
    const [newCustomer = "", ...earnings] = blocksOf("operate", "A new customer");
    const paid = firstPayment.replace(/^KEY=.*\n/m, "");
    const output = await run([newCustomer, paid, ...earnings].join("\n"));
    expect(output).toContain('"status":"paid"');
    expect(output).toMatch(/"what":"commission earned".*"what":"commission requested".*"what":"commission paid"/);
    expect(JSON.parse(output.split("\n").at(-1) ?? "")).toMatchObject({ intents: 1, problems: 0 });
  });
});
