import { timingSafeEqual } from "node:crypto";
import type { ApiKey } from "@intents/domain/parties/caller.ts";
import { addApiKey } from "@intents/storage/parties/tenants.ts";
import { startTable } from "@intents/storage/test/table-fixture.ts";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";

vi.mock(import("node:crypto"), async (importOriginal) => {
  const crypto = await importOriginal();
  return { ...crypto, timingSafeEqual: vi.fn(crypto.timingSafeEqual) };
});
// Another file of this worker may have loaded the module with the true comparison.
vi.resetModules();
const { hashSecret, verifyApiKey } = await import("./authorize.ts");
const compares = vi.mocked(timingSafeEqual);

const NOW_MS = Date.UTC(2026, 10, 21);

const key = (clientId: string, secrets: readonly string[], changes: Partial<ApiKey> = {}): ApiKey => ({
  clientId,
  tenantId: "1001",
  userId: "user",
  userName: "User",
  permissions: ["AllowSplitPayment"],
  secretHashes: secrets.map(hashSecret),
  gatewayKey: "0".repeat(40),
  createdAt: "2026-01-01T00:00:00.000Z",
  ...changes,
});
const keys = {
  one: key("one", ["secret"]),
  two: key("two", ["old", "new:with:colons"]),
  none: key("none", []),
  revoked: key("revoked", ["secret"], { revokedAt: "2026-01-02T00:00:00.000Z" }),
  expired: key("expired", ["secret"], { expiresAt: new Date(NOW_MS).toISOString() }),
  ending: key("ending", ["secret"], { expiresAt: new Date(NOW_MS + 1).toISOString() }),
};

const { table, stop } = await startTable();
afterAll(stop);
for (const each of Object.values(keys)) await addApiKey(table, each);
beforeEach(() => {
  compares.mockClear();
});

describe("a key", () => {
  test.each([
    ["its secret", "one:secret", keys.one],
    ["the older of two secrets", "two:old", keys.two],
    ["the newer of two secrets, colons and all", "two:new:with:colons", keys.two],
    ["its secret until it expires", "ending:secret", keys.ending],
  ])("is proven by %s", async (_what, header, expected) => {
    expect(await verifyApiKey(table, [header], NOW_MS)).toEqual(expected);
  });

  test.each([
    ["another secret", "one:Secret"],
    ["an empty secret", "one:"],
    ["both of its secrets", "two:old,new:with:colons"],
    ["the secret's hash", `one:${hashSecret("secret")}`],
    ["another key's secret", "two:secret"],
    ["any secret when it has none", `none:${"0".repeat(64)}`],
    ["its secret once it is revoked", "revoked:secret"],
    ["its secret once it has expired", "expired:secret"],
    ["its secret under another case of its id", "ONE:secret"],
    ["white space around it", " one:secret "],
  ])("is not proven by %s", async (_what, header) => {
    expect(await verifyApiKey(table, [header], NOW_MS)).toBeUndefined();
  });

  test.each([
    ["no header"],
    ["no colon", "one"],
    ["no client id", ":secret"],
    ["two headers", "one:secret", "one:secret"],
    ["513 characters", `one:${"x".repeat(509)}`],
  ])("is not looked for with %s", async (_what, ...headers) => {
    expect(await verifyApiKey(table, headers, NOW_MS)).toBeUndefined();
    expect(compares).not.toHaveBeenCalled();
  });
});

describe("secrets are compared in constant time", () => {
  test.each([
    ["one that is right", "one:secret", 1],
    ["one that is wrong", "one:guess", 1],
    ["one of an unknown client id, with a hash that nothing has", "unknown:secret", 1],
    ["one of a key without secrets", "none:secret", 1],
    ["one of a revoked key", "revoked:secret", 1],
    ["one of an expired key", "expired:secret", 1],
    ["both of a key, the first being right", "two:old", 2],
  ])("%s", async (_what, header, times) => {
    await verifyApiKey(table, [header], NOW_MS);
    expect(compares).toHaveBeenCalledTimes(times);
  });
});

test("whatever a header says, it proves nothing that it should not, and breaks nothing", async () => {
  const header = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string().map((secret) => `one:${secret}`),
  );
  await fc.assert(
    fc.asyncProperty(header, async (sent) => {
      fc.pre(sent !== "one:secret");
      expect(await verifyApiKey(table, [sent], NOW_MS)).toBeUndefined();
    }),
    { numRuns: 100 },
  );
});
