import { createHash } from "node:crypto";
import { openApiRoutes } from "@intents/contract/openapi.ts";
import { payeeRoutes } from "@intents/contract/payees.ts";
import { paymentIntentRoutes } from "@intents/contract/payment-intents.ts";
import { type RateLimitName, rateLimits } from "@intents/contract/rate-limits.ts";
import { reservedRoutes } from "@intents/contract/reserved.ts";
import { type Route, scopeOf } from "@intents/contract/route.ts";
import { routes } from "@intents/contract/routes.ts";
import { sandboxRailRoutes } from "@intents/contract/sandbox-rail.ts";
import { type Maintenance, writeMaintenance } from "@intents/storage/operations/maintenance.ts";
import { addApiKey } from "@intents/storage/parties/tenants.ts";
import { startTable } from "@intents/storage/test/table-fixture.ts";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { anonymous, eventFor } from "../../test/event-fixture.ts";
import { openGate } from "./gate.ts";
import type { RateLimiter, Taken } from "./rate-limiter.ts";
import { type Remembered, remembered } from "./remembered.ts";
import { sourceAddressOf } from "./source-address.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 12) + 200;
const RESET_S = Math.floor(NOW_MS / 1000) + 1;
const me = payeeRoutes.getMe;
const { logIn, chat } = reservedRoutes;
const { showCheckout } = sandboxRailRoutes;

const { table, stop } = await startTable();
afterAll(stop);
beforeAll(async () => {
  await addApiKey(table, {
    clientId: "acme-1",
    tenantId: "1001",
    userId: "user",
    userName: "User",
    permissions: [],
    secretHashes: [createHash("sha256").update("secret").digest("hex")],
    gatewayKey: "0".repeat(40),
    createdAt: new Date(NOW_MS).toISOString(),
  });
});

const turn = (maintenance: Maintenance) =>
  writeMaintenance(table, maintenance, { operator: "o", atMs: NOW_MS, action: "maintenance", reason: "test" });

const noteUse = vi.fn();
beforeEach(() => noteUse.mockReset());

/** A limiter that counts no request and answers `taken`; `asked` holds the questions to it. */
function limiterOf(taken: Partial<Taken> | undefined) {
  const asked: [RateLimitName, string][] = [];
  const limiter: RateLimiter = async (name, subject) => {
    asked.push([name, subject]);
    return taken && { allowed: true, limit: rateLimits[name].limit, remaining: 3, resetS: RESET_S, ...taken };
  };
  return { asked, limiter };
}
/** A gate that knows no suspended tenant and no revoked key, unless it is told of one. */
const gateWith = (
  limiter: RateLimiter,
  isSuspended: Remembered<boolean> = () => false,
  isRevoked: Remembered<boolean> = () => false,
) => openGate({ table, limiter, sourceOf, noteUse, isSuspended, isRevoked });
const gateOf = (taken: Partial<Taken> | undefined) => gateWith(limiterOf(taken).limiter);

const sourceOf = (event: APIGatewayProxyEvent) => sourceAddressOf(event, ["only-the-edge-knows"]);

describe("who is counted", () => {
  const withKey = (apiKey: string) => ({ ...anonymous("203.0.113.7"), multiValueHeaders: { "x-API-key": [apiKey] } });
  const to = (token: string) => ({ ...anonymous("203.0.113.7"), pathParameters: { token } });
  const token = to("abc");
  const edge = { "CloudFront-Viewer-Address": "198.51.100.10:46532", "X-Origin-Secret": "only-the-edge-knows" };
  const upload: Route = { ...showCheckout, limit: "public_upload" };
  test.each<[string, Route, APIGatewayProxyEvent, [RateLimitName, string]]>([
    ["the key that the authorizer found", me, eventFor(me.on), ["global", "key#acme-1"]],
    ["a valid key that is optional", logIn, eventFor(logIn.on, withKey("acme-1:secret")), ["login", "key#acme-1"]],
    [
      "the source of a wrong secret",
      logIn,
      eventFor(logIn.on, withKey("acme-1:guess")),
      ["login", "source#203.0.113.7"],
    ],
    ["the source of an unknown key", chat, eventFor(chat.on, withKey("none:x")), ["chat", "source#203.0.113.7"]],
    ["the source without a key", chat, eventFor(chat.on, anonymous("203.0.113.8")), ["chat", "source#203.0.113.8"]],
    ["a token and its source", showCheckout, eventFor(showCheckout.on, token), ["public_link", "abc#203.0.113.7"]],
    [
      "a page of a link and its source",
      showCheckout,
      eventFor(showCheckout.on, { ...token, pathParameters: { link: "plink_abc" } }),
      ["public_link", "plink_abc#203.0.113.7"],
    ],
    ["an upload apart", upload, eventFor(upload.on, token), ["public_upload", "abc#203.0.113.7"]],
    [
      "the first 128 of an endless token",
      showCheckout,
      eventFor(showCheckout.on, to("x".repeat(5000))),
      ["public_link", `${"x".repeat(128)}#203.0.113.7`],
    ],
    [
      "a token and the viewer that CloudFront vouches for",
      showCheckout,
      eventFor(showCheckout.on, { ...token, headers: edge }),
      ["public_link", "abc#198.51.100.10"],
    ],
    [
      "the viewer that CloudFront vouches for",
      logIn,
      eventFor(logIn.on, { ...anonymous("203.0.113.7"), headers: edge }),
      ["login", "source#198.51.100.10"],
    ],
    [
      "the source of who only names a viewer",
      logIn,
      eventFor(logIn.on, { ...anonymous("203.0.113.7"), headers: { ...edge, "X-Origin-Secret": "guess" } }),
      ["login", "source#203.0.113.7"],
    ],
  ])("%s", async (_who, route, event, expected) => {
    const { asked, limiter } = limiterOf({});
    await gateWith(limiter)(route, event, NOW_MS);
    expect(asked).toEqual([expected]);
  });
});

describe("a request that is counted", () => {
  test("passes, and its key is told the limit, what is left and when the window resets", async () => {
    expect(await gateOf({})(me, eventFor(me.on), NOW_MS)).toEqual({
      headers: { "X-RateLimit-Limit": "200", "X-RateLimit-Remaining": "3", "X-RateLimit-Reset": String(RESET_S) },
    });
  });

  test("by its source alone passes without headers", async () => {
    expect(await gateOf({})(chat, eventFor(chat.on, anonymous("203.0.113.8")), NOW_MS)).toEqual({ headers: {} });
  });

  test("past its limit is refused until the window resets, at least a second, whoever it is", async () => {
    for (const [resetS, retryAfterSeconds] of [
      [RESET_S, 1],
      [RESET_S + 41, 42],
    ] as const) {
      const gate = gateOf({ allowed: false, remaining: 0, resetS });
      const passage = await gate(chat, eventFor(chat.on, anonymous("203.0.113.8")), NOW_MS);
      expect(passage).toEqual({
        refused: { kind: "rate_limited", retryAfterSeconds },
        headers: { "X-RateLimit-Limit": "10", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": String(resetS) },
      });
    }
  });
});

describe("a key with limits", () => {
  const { submitPaymentIntent: submit, dryRunPaymentIntent: dryRun } = paymentIntentRoutes;
  const edge = { "CloudFront-Viewer-Address": "198.51.100.10:46532", "X-Origin-Secret": "only-the-edge-knows" };
  const forged = { ...edge, "X-Origin-Secret": "guess", "X-Forwarded-For": "198.51.100.10" };
  const end = (ms: number) => ({ expiresAt: new Date(ms).toISOString() });
  /** The request of a key with these limits, as the authorizer tells them. */
  const limited = (route: Route, limits: Record<string, string>, headers: Record<string, string> = {}) => {
    const { requestContext } = eventFor(route.on);
    const authorizer = { ...requestContext.authorizer, ...limits };
    return eventFor(route.on, { headers, requestContext: { ...requestContext, authorizer } });
  };
  const forbidden = (lacks: string) => ({ kind: "permission", failedRequirements: [lacks] });

  test.each<[string, Route, Record<string, string>, Record<string, string>?]>([
    ["before it ends", me, end(NOW_MS + 1)],
    ["from where it may be used", me, { sources: "192.0.2.0/24 203.0.113.0/24" }],
    ["from a viewer that CloudFront vouches for", me, { sources: "198.51.100.0/24" }, edge],
    ["to ask with a body", dryRun, { scopes: "read" }],
    ["to pay", submit, { scopes: "pay" }],
  ])("passes %s, and is counted and noted", async (_when, route, limits, headers) => {
    const { asked, limiter } = limiterOf({});
    const passage = await gateWith(limiter)(route, limited(route, limits, headers), NOW_MS);
    expect(passage.refused).toBeUndefined();
    expect(asked).toHaveLength(1);
    expect(noteUse.mock.calls).toEqual([["acme-1", NOW_MS]]);
  });

  test.each<[string, Route, Record<string, string>, object, Record<string, string>?]>([
    ["from the moment it ends", me, end(NOW_MS), { kind: "unauthorized" }],
    ["from elsewhere", me, { sources: "198.51.100.0/24" }, forbidden("source")],
    ["from where a header only says it is", me, { sources: "198.51.100.0/24" }, forbidden("source"), forged],
    ["behind CloudFront from the edge's address", me, { sources: "203.0.113.7" }, forbidden("source"), edge],
    ["to pay without that scope", submit, { scopes: "read write" }, forbidden("scope:pay")],
    ["to read without that scope", me, { scopes: "pay" }, forbidden("scope:read")],
  ])(
    "is refused %s at once, so that no read begins, and neither counted nor noted",
    (_when, route, limits, refused, headers) => {
      const { asked, limiter } = limiterOf({});
      const passage = gateWith(limiter)(route, limited(route, limits, headers), NOW_MS);
      expect(passage).toMatchObject({ refused, headers: {} });
      expect([asked, noteUse.mock.calls]).toEqual([[], []]);
    },
  );
});

describe("a key that was revoked a moment ago", () => {
  test("changes nothing although the authorizer's answer still allows it, and hears of no suspension", async () => {
    const gate = gateWith(
      limiterOf({}).limiter,
      () => true,
      async (clientId) => clientId === "acme-1",
    );
    const refusedOn = async (route: Route) => (await gate(route, eventFor(route.on), NOW_MS)).refused;
    const { createPayee } = payeeRoutes;
    const refused = { refused: { kind: "unauthorized" }, headers: {} };
    expect(await gate(createPayee, eventFor(createPayee.on), NOW_MS)).toEqual(refused);
    expect(await refusedOn(paymentIntentRoutes.submitPaymentIntent)).toEqual({ kind: "unauthorized" });
    expect(await refusedOn(me)).toBeUndefined();
  });
});

describe("a suspended tenant", () => {
  const behindKeys = Object.values<Route>(routes).filter(({ auth }) => auth === "key");
  const { limiter } = limiterOf({});
  const ask = (route: Route) => gateWith(limiter, (tenantId) => tenantId === "1001")(route, eventFor(route.on), NOW_MS);

  test.each(behindKeys)("reads, and does nothing else: $on", async (route) => {
    const refused = scopeOf(route) === "read" ? undefined : { kind: "tenant_suspended" };
    expect((await ask(route)).refused).toEqual(refused);
  });

  test("is told so when it is past its rate limit, too", async () => {
    const gate = gateWith(limiterOf({ allowed: false }).limiter, async () => true);
    const { on } = paymentIntentRoutes.submitPaymentIntent;
    const { refused } = await gate(paymentIntentRoutes.submitPaymentIntent, eventFor(on), NOW_MS);
    expect(refused).toEqual({ kind: "tenant_suspended" });
  });

  test("is known by one read in ten seconds for each tenant, and forgotten after them", async () => {
    const suspended = new Set(["1001"]);
    const read = vi.fn(async (tenantId: string) => suspended.has(tenantId));
    const isSuspended = remembered(read);
    expect([await isSuspended("1001", NOW_MS), await isSuspended("1002", NOW_MS)]).toEqual([true, false]);
    suspended.clear();
    expect([isSuspended("1001", NOW_MS + 9_999), isSuspended("1002", NOW_MS + 9_999)]).toEqual([true, false]);
    expect(await isSuspended("1001", NOW_MS + 10_000)).toBe(false);
    expect(read.mock.calls).toEqual([["1001"], ["1002"], ["1001"]]);
  });
});

describe("a count that cannot be had", () => {
  const named = Object.values(routes).filter(({ limit, auth }) => limit !== undefined || auth === "key");
  test.each(named)("does on $on what its limit says", async (route) => {
    const name = route.limit ?? "global";
    const { refused } = await gateOf(undefined)(route, eventFor(route.on), NOW_MS);
    const refuses = rateLimits[name].whenUnknown === "refuse";
    expect(refused).toEqual(refuses ? { kind: "busy", retryAfterSeconds: 1 } : undefined);
    expect(refuses).toBe(route.on.includes(" /auth/"));
  });
});

describe("maintenance", () => {
  const refused = { refused: { kind: "maintenance", retryAfterSeconds: 120 }, headers: {} };

  test("turns everybody away within ten seconds, and lets everybody in again within ten seconds", async () => {
    const gate = gateOf({});
    const ask = (atMs: number) => gate(me, eventFor(me.on), atMs);
    expect((await ask(NOW_MS)).refused).toBeUndefined();
    await turn({ on: true, retryAfterSeconds: 120 });
    expect((await ask(NOW_MS + 9_999)).refused).toBeUndefined();
    expect(await ask(NOW_MS + 10_000)).toEqual(refused);
    await turn({ on: false, retryAfterSeconds: 0 });
    expect(await ask(NOW_MS + 19_999)).toEqual(refused);
    expect((await ask(NOW_MS + 20_000)).refused).toBeUndefined();
  });

  test("comes before limits, on routes of every kind", async () => {
    await turn({ on: true, retryAfterSeconds: 120 });
    for (const route of [me, logIn, showCheckout] satisfies Route[]) {
      expect(await gateOf({ allowed: false })(route, eventFor(route.on), NOW_MS)).toEqual(refused);
    }
    await turn({ on: false, retryAfterSeconds: 0 });
  });

  test("is not asked about for the route that tells of it", async () => {
    const reads = vi.spyOn(table.db, "send");
    await turn({ on: true, retryAfterSeconds: 120 });
    reads.mockClear();
    const { getHealth } = openApiRoutes;
    expect(await gateOf({})(getHealth, eventFor(getHealth.on), NOW_MS)).toEqual({ headers: {} });
    expect(reads).not.toHaveBeenCalled();
    reads.mockRestore();
    await turn({ on: false, retryAfterSeconds: 0 });
  });

  test("is read once in ten seconds, however many ask", async () => {
    const reads = vi.spyOn(table.db, "send");
    const gate = gateOf({});
    for (let second = 0; second < 10; second++) await gate(me, eventFor(me.on), NOW_MS + second * 1000);
    expect(reads).toHaveBeenCalledTimes(1);
    reads.mockRestore();
  });
});
