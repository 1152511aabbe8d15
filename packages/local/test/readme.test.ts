import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchService, type RunningService } from "./service.ts";

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

  test("has curl lines that take a payment from a quote to completed", async () => {
    const [, script = ""] = /## Try it[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme) ?? [];
    const shell = spawn("bash", ["-eu", "-c", script.replace("http://127.0.0.1:3000", service.url)], { cwd: folder });
    let output = "";
    for (const stream of [shell.stdout, shell.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    const [code] = (await once(shell, "close")) as [number];
    expect(code, output).toBe(0);
    expect(output.trim()).toMatch(/completed$/);
  });
});
