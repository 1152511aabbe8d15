import { describe, expect, test } from "vitest";
import { type KeyLimits, refuseUse, scopes } from "./key-limits.ts";

const EXPIRES_MS = Date.UTC(2027, 0, 31);
const use = { scope: "write", source: "203.0.113.7", nowMs: EXPIRES_MS - 1 } as const;
const expiresAt = new Date(EXPIRES_MS).toISOString();
const forbidden = (lacks: string) => ({ kind: "permission", legacyConstraint: lacks, failedRequirements: [lacks] });

describe("a key", () => {
  test("without limits may do everything, from everywhere, for ever", () => {
    for (const scope of scopes) expect(refuseUse({}, { scope, source: "nowhere", nowMs: 1e15 })).toBeUndefined();
  });

  test.each<[string, KeyLimits, boolean]>([
    ["the millisecond before it expires", { expiresAt }, true],
    ["an address of one of its sources", { sources: ["2001:db8::/32", "203.0.113.0/24"] }, true],
    ["one of its scopes", { scopes: ["read", "write"] }, true],
    ["all of them", { expiresAt, sources: ["203.0.113.7"], scopes: ["write"] }, true],
    ["no source at all", { sources: [] }, false],
    ["no scope at all", { scopes: [] }, false],
  ])("may be used within its limits: %s", (_what, limits, allowed) => {
    expect(refuseUse(limits, use) === undefined).toBe(allowed);
  });

  test.each<[string, KeyLimits, object]>([
    ["from the moment it expires", { expiresAt: new Date(use.nowMs).toISOString() }, { kind: "unauthorized" }],
    ["with an expiry that is no time", { expiresAt: "soon" }, { kind: "unauthorized" }],
    ["from another source", { sources: ["203.0.113.8", "2001:db8::/32"] }, forbidden("source")],
    ["for another scope", { scopes: ["read", "pay"] }, forbidden("scope:write")],
    ["as expired before all else", { expiresAt: "2020-01-01", sources: [], scopes: [] }, { kind: "unauthorized" }],
  ])("is refused %s", (_when, limits, refusal) => {
    expect(refuseUse(limits, use)).toMatchObject(refusal);
  });
});
