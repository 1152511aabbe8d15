import type { Caller } from "@intents/domain/parties/caller.ts";
import { expect, test } from "vitest";
import { eventFor } from "../../test/event-fixture.ts";
import { type CallerContext, callerOf, toCallerContext } from "./caller.ts";

const caller: Caller = { tenantId: "1001", userId: "user", clientId: "acme-1", permissions: ["AllowBulkPayment"] };
const parsed = (context: CallerContext): Caller => {
  const { requestContext } = eventFor("GET /v2/users/me");
  return callerOf(eventFor("GET /v2/users/me", { requestContext: { ...requestContext, authorizer: context } }));
};

test.each<[string, Caller]>([
  ["without limits", caller],
  ["with an end", { ...caller, expiresAt: "2027-01-31T00:00:00.000Z" }],
  ["with all limits", { ...caller, expiresAt: "2027-01-31", sources: ["203.0.113.0/24", "::1"], scopes: ["pay"] }],
])("a caller %s reaches the functions as the authorizer knew it, in strings", (_what, known) => {
  const context = toCallerContext(known);
  expect(Object.values(context).every((value) => typeof value === "string")).toBe(true);
  expect(parsed(context)).toEqual(known);
});

test("a list with nothing in it allows nothing, and an unknown scope is none", () => {
  const { sources, scopes } = parsed(toCallerContext({ ...caller, sources: [], scopes: [] }));
  expect([sources, scopes]).toEqual([[""], []]);
  expect(parsed({ ...toCallerContext(caller), scopes: "everything read" }).scopes).toEqual(["read"]);
});
