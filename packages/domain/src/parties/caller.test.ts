import { describe, expect, test } from "vitest";
import { type ApiKey, keyForUse } from "./caller.ts";

const stored: ApiKey = {
  ...{ clientId: "acme", tenantId: "1001", userId: "u", userName: "Ada", permissions: [], secretHashes: [] },
  gatewayKey: "0".repeat(40),
  createdAt: "2026-01-01T00:00:00.000Z",
};
const use = { scope: "pay", source: "203.0.113.7", nowMs: Date.UTC(2026, 5) } as const;

describe("a stored key", () => {
  test("may be used within its limits", () => {
    expect(keyForUse(stored, use)).toEqual({ ok: true, value: stored });
  });

  test.each<[string, ApiKey | undefined, object]>([
    ["gone", undefined, { kind: "unauthorized" }],
    ["revoked, whatever else is true of it", { ...stored, revokedAt: "2027", scopes: [] }, { kind: "unauthorized" }],
    ["limited since", { ...stored, scopes: ["read"] }, { kind: "permission", legacyConstraint: "scope:pay" }],
  ])("may not be used that is %s", (_what, key, failure) => {
    expect(keyForUse(key, use)).toMatchObject({ ok: false, failure });
  });
});
