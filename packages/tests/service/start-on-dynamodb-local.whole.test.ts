import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBundles } from "@intents/infra/bundle.ts";
import { findDynamoDbLocal } from "@intents/local/stores/dynamodb-local.ts";
import { expect, test } from "vitest";
import { launchService } from "./service.ts";

// Node, and what it loads, still knows its platform: only the name by which the store is looked up is another.
const otherPlatform = "data:text/javascript,Object.defineProperty(process,'arch',{value:'riscv64'})";

test("a machine for which there is no embedded DynamoDB runs DynamoDB Local, ends it, and keeps what is stored", async ({
  skip,
}) => {
  // The compiler does not run on another platform than its own.
  const [found] = await Promise.all([findDynamoDbLocal(), ensureBundles()]);
  if ("missing" in found) return skip(found.missing);
  const folder = mkdtempSync(join(tmpdir(), "local-"));
  const kept = { NODE_OPTIONS: `--import=${otherPlatform}`, DATA_DIR: folder };
  const key = { "X-API-Key": "demo:demo-secret", "Content-Type": "application/json" };
  const body = JSON.stringify({ name: "Harbour", countryCode: "GB", currencyCode: "GBP" });

  const first = await launchService(kept);
  expect(first.output()).toContain("DynamoDB Local (Java)");
  const answer = await fetch(`${first.url}/v2/payees`, { method: "POST", headers: key, body });
  const { data } = (await answer.json()) as { data: { id: number } };
  expect(await first.kill("SIGTERM")).toBe(0);
  expect(spawnSync("ps", ["-o", "pid=", "--ppid", String(first.pid)], { encoding: "utf8" }).stdout).toBe("");

  const second = await launchService(kept);
  expect((await fetch(`${second.url}/v2/payees/${data.id}`, { headers: key })).status).toBe(200);
  await second.stop();
  rmSync(folder, { recursive: true });
});
