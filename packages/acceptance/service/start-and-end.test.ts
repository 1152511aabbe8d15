import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBundles } from "@intents/infra/bundle.ts";
import { findDynamoDbLocal } from "@intents/local/stores/dynamodb-local.ts";
import { describe, expect, test } from "vitest";
import { launchService, runToEnd } from "./service.ts";

/** The processes that a service has started, which must end with it. */
const childrenOf = (pid: number): string =>
  spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" }).stdout.trim();

describe("a service that is told to end", () => {
  test.each(["SIGINT", "SIGTERM"] as const)(
    "by %s exits with 0, prints nothing, and no longer answers",
    async (signal) => {
      const service = await launchService();
      expect(childrenOf(service.pid)).not.toBe("");
      const banner = service.output();
      expect(await service.kill(signal)).toBe(0);
      expect(service.output()).toBe(banner);
      expect(childrenOf(service.pid)).toBe("");
      await expect(fetch(service.url)).rejects.toThrow();
    },
  );
});

describe("a machine for which there is no embedded DynamoDB", () => {
  // Node, and what it loads, still knows its platform: only the name by which the store is looked up is another.
  const otherPlatform = "data:text/javascript,Object.defineProperty(process,'arch',{value:'riscv64'})";
  const env = { NODE_OPTIONS: `--import=${otherPlatform}` };

  test("is told in one line what to do, when it has no Java either, and nothing is left running", async () => {
    const { exitCode, stdout, stderr } = await runToEnd({ ...env, PATH: "" });
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^No embedded DynamoDB for linux-riscv64,[^\n]*\(no Java\)[^\n]*DYNAMODB_LOCAL[^\n]*DYNAMODB_ENDPOINT[^\n]*\n$/,
    );
  });

  test("is told when the folder of DynamoDB Local is another one", async () => {
    const { stderr } = await runToEnd({ ...env, DYNAMODB_LOCAL: import.meta.dirname });
    expect(stderr).toMatch(/^[^\n]*\((no Java|no DynamoDBLocal\.jar in DYNAMODB_LOCAL|Java \d+, not .*)\)[^\n]*\n$/);
  });

  test("runs DynamoDB Local, ends it, and keeps what is stored", async ({ skip }) => {
    // The compiler does not run on another platform than its own.
    const [found] = await Promise.all([findDynamoDbLocal(), ensureBundles()]);
    if ("missing" in found) return skip(found.missing);
    const folder = mkdtempSync(join(tmpdir(), "local-"));
    const kept = { ...env, DATA_DIR: folder };
    const key = { "X-API-Key": "demo:demo-secret", "Content-Type": "application/json" };
    const body = JSON.stringify({ name: "Harbour", countryCode: "GB", currencyCode: "GBP" });

    const first = await launchService(kept);
    expect(first.output()).toContain("DynamoDB Local (Java)");
    const answer = await fetch(`${first.url}/v2/payees`, { method: "POST", headers: key, body });
    const { data } = (await answer.json()) as { data: { id: number } };
    expect(await first.kill("SIGTERM")).toBe(0);
    expect(childrenOf(first.pid)).toBe("");

    const second = await launchService(kept);
    expect((await fetch(`${second.url}/v2/payees/${data.id}`, { headers: key })).status).toBe(200);
    await second.stop();
    rmSync(folder, { recursive: true });
  });
});
