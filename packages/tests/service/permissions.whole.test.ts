import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openClient } from "./client.ts";
import { readPolicies } from "./granted.ts";
import { launchService, type RunningService } from "./service.ts";

let folder: string;
let service: RunningService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "policies-"));
  const file = join(folder, "policies.json");
  writeFileSync(file, JSON.stringify({ ...readPolicies(), payees: [] }));
  service = await launchService({ FUNCTION_POLICIES: file });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

test("a service of these tests does nothing that its functions have no permission for, and says so", async () => {
  const { call, newStudent } = openClient(service.url);
  expect((await call("GET", "/v2/payees")).status).toBe(500);
  expect(service.output()).toContain('payees is not authorized: {"action":"dynamodb:');
  await newStudent();
});
