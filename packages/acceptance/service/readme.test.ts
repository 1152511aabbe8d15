import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchService, type RunningService } from "./service.ts";

const OPERATOR = fileURLToPath(new URL("../../operator/src/main.ts", import.meta.url));
const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");

describe("the README", () => {
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
    const [first = ""] = /```sh\n[\s\S]*?```/.exec(readme) ?? [];
    expect(first).toContain("npx pnpm@12 start");
    expect(first).toContain("npx pnpm@12 test");
  });

  /** The shell lines of a section, block by block. */
  function blocksOf(heading: string): string[] {
    const [section = ""] = new RegExp(`^## ${heading}$[\\s\\S]*?(?=^## )`, "m").exec(readme) ?? [];
    return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  }

  /** Runs lines of the README as they are, against the service of this test, and gives their output. */
  async function run(script: string): Promise<string> {
    const operator = `'${process.execPath}' '${OPERATOR}' --port ${new URL(service.url).port}`;
    const here = script
      .replace("http://127.0.0.1:3000", service.url)
      .replace("npx pnpm@12 --silent operator", operator);
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

  test("has curl lines that take a payment from a quote to completed, and list it", async () => {
    const output = await run(blocksOf("Try it").join("\n"));
    expect(output).toMatch(/completed$/m);
    expect(JSON.parse(output.split("\n").at(-1) ?? "")).toMatchObject({
      ...{ data: { paymentIntents: [{ status: "completed" }] }, total: 1, hasMore: false },
      explain: { order: "index" },
    });
  });

  test("has curl lines that publish a link, whose page opens", async () => {
    const [definitions = ""] = blocksOf("Try it").join("\n").split("\n\n");
    const address = await run(`${definitions}\n${blocksOf("The payer page").join("\n")}`);
    expect(address).toMatch(/\/pay\/plink_[\w-]{22,}$/);
    expect(await (await fetch(address)).text()).toContain("Semester 1, 2027");
  });

  test("leads a new customer from its key and a first payment to its commissions, paid with proof", async () => {
    const [newCustomer = "", earnings = ""] = blocksOf("Operate it");
    const firstPayment = blocksOf("Try it")
      .join("\n")
      .replace(/^KEY=.*\n/m, "");
    const output = await run(`${newCustomer}\n${firstPayment}\n${earnings}`);
    expect(output).toContain('"status":"paid"');
    expect(output).toMatch(/"what":"commission earned".*"what":"commission requested".*"what":"commission paid"/);
    expect(JSON.parse(output.split("\n").at(-1) ?? "")).toMatchObject({ intents: 1, problems: 0 });
  });
});
