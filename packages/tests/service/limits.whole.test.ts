import type { Route } from "@intents/contract/route.ts";
import { routes } from "@intents/contract/routes.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Client, type Data, type Intent, openClient, type Reply } from "./client.ts";
import { openOperator } from "./operator-fixture.ts";
import { expectEnvelope, expectNotice } from "./refusals.ts";
import { launchHeldService } from "./service.ts";
import { openHeldService } from "./service-fixture.ts";
import { newDraft, newKey, railPayments } from "./tuition.ts";

const LIMIT = 50;
const EDGE_SECRET = "only-the-edge-knows";
// With this budget every count comes in time (H54) and in the window of its test, however busy the machine is.
const patient = { RATE_LIMIT_BUDGET_MS: "60000" };

const {
  service,
  client,
  basic: other,
} = await openHeldService({ ...patient, RATE_LIMIT_PER_SECOND: String(LIMIT), ORIGIN_SECRET: EDGE_SECRET });

const nowMs = () => service.moveClock(0);
/** Moves the service's clock on to the beginning of its next second, or of its next minute. */
const nextWindow = async (lengthMs = 1_000) => service.moveClock(lengthMs - ((await nowMs()) % lengthMs));
const numberIn = ({ headers }: Reply<unknown>, name: string) => Number(headers.get(name) ?? Number.NaN);
const me = (from: Client) => from.call("GET", "/v2/users/me");

/** Expects a 429 as SPEC has it: without a code, with the time to come back and the three headers. */
function expectLimited(reply: Reply<unknown>, limit: number, secondsMax: number): void {
  if (reply.headers.get("content-type") === "application/json") expectEnvelope(reply, 429);
  else expectNotice(reply, 429, "Too many requests");
  expect(numberIn(reply, "x-ratelimit-limit")).toBe(limit);
  expect(numberIn(reply, "x-ratelimit-remaining")).toBe(0);
  expect(reply.headers.get("x-ratelimit-reset")).toMatch(/^\d{10}$/);
  expect(numberIn(reply, "retry-after")).toBeGreaterThanOrEqual(1);
  expect(numberIn(reply, "retry-after")).toBeLessThanOrEqual(secondsMax);
}

test("a key past its limit is refused until its window is reset, and others are not; what it submits then is paid once", async () => {
  const { id } = await newDraft(client);
  const key = newKey();
  await nextWindow();
  const [replies, ofOther] = await Promise.all([
    Promise.all(Array.from({ length: 2 * LIMIT }, () => me(client))),
    me(other),
  ]);
  const [passed, refused] = [200, 429].map((code) => replies.filter(({ status }) => status === code));
  expect([passed?.length, refused?.length, ofOther.status]).toEqual([LIMIT, LIMIT, 200]);
  for (const reply of refused ?? []) expectLimited(reply, LIMIT, 1);
  for (const reply of passed ?? []) expect(numberIn(reply, "x-ratelimit-remaining")).toBeLessThan(LIMIT);
  const early = await client.submit(id, key);
  expectLimited(early, LIMIT, 1);
  await service.moveClock(numberIn(early, "x-ratelimit-reset") * 1000 - (await nowMs()));
  const later = await client.submit<Data<Intent>>(id, key);
  expect([later.status, later.body.data.status]).toEqual([200, "executing"]);
  expect(later.headers.has("idempotent-replayed")).toBe(false);
  expect(await railPayments(client, id)).toHaveLength(1);
});

describe("a path with a limit of its own", () => {
  beforeAll(() => nextWindow(60_000));
  beforeEach(() => nextWindow());

  test.each([
    ["POST", "/auth/login", 10],
    ["POST", "/auth/signup", 5],
    ["POST", "/chat", 10],
    ["GET", "/chat/c-1", 30],
  ])("%s %s takes %i a minute from a key, and no more; others are not refused for it", async (method, path, limit) => {
    for (let asked = 0; asked < limit; asked++) expectEnvelope(await client.call(method, path), 501, "[GEN9501]");
    expectLimited(await client.call(method, path), limit, 60);
    expectEnvelope(await other.call(method, path), 501, "[GEN9501]");
  });

  test("takes as many from each viewer whom CloudFront vouches for, and from a source that only names one", async () => {
    const ask = (viewer: string, secret: string) => {
      const headers = { "CloudFront-Viewer-Address": `${viewer}:4711`, "X-Origin-Secret": secret };
      return client.call("POST", "/auth/signup", { key: "demo:guess", headers });
    };
    for (let asked = 0; asked < 5; asked++) await ask("198.51.100.1", EDGE_SECRET);
    expectLimited(await ask("198.51.100.1", EDGE_SECRET), 5, 60);
    expectEnvelope(await ask("2001:db8::1", EDGE_SECRET), 501, "[GEN9501]");
    for (let asked = 0; asked < 5; asked++) await ask(`198.51.100.${100 + asked}`, "guess");
    expectLimited(await ask("198.51.100.200", "guess"), 5, 60);
  });

  test("takes 120 a minute for one token from one source, and answers a browser with a page", async () => {
    const ask = (token: string) => client.call("GET", `/sandbox/checkout/${token}`, { key: null });
    for (let asked = 0; asked < 120; asked += 10)
      await Promise.all(Array.from({ length: 10 }, async () => expect((await ask("token-1")).status).toBe(404)));
    expectLimited(await ask("token-1"), 120, 60);
    expectNotice(await ask("token-2"), 404, "We cannot find this page");
  });
});

/** Pages that are the same for everybody and touch no store stay readable, and probes are told. */
const readable = new Set(["home", "docs"]);
const [paused = [], open = []] = [false, true].map((stays) =>
  Object.values(routes).filter(
    ({ group, inMaintenance }: Route) => (readable.has(group) || inMaintenance === true) === stays,
  ),
);

describe("maintenance", () => {
  /** A call of the routes without what the route needs: maintenance is checked before that is. */
  const asks = paused.map(({ on, auth, answers }) => {
    const [method = "", path = ""] = on.split(" ");
    const options = auth === "key" ? {} : { key: null };
    return { method, path: path.replaceAll(/\{\w+\}/g, "7"), options, isPage: "page" in answers };
  });
  const askAll = (from: Client) =>
    Promise.all(
      asks.map(async ({ method, path, options, isPage }) => ({
        isPage,
        reply: await from.call(method, path, options),
      })),
    );

  test("turns callers away everywhere within ten seconds, while payments go on, and ends without a restart", async () => {
    const paying = await launchHeldService();
    const operator = openOperator(paying.url);
    try {
      const caller = openClient(paying.url);
      const { id } = await newDraft(caller);
      await caller.submit(id);
      const statusOf = async () => {
        const found = await findIntent(operator.table, "1001", id);
        return found.ok ? found.value.status : undefined;
      };

      const health = async () => (await caller.call("GET", "/health", { key: null })).body;
      expect(await health()).toEqual({ data: { status: "ok" } });
      await operator.change("maintenance", "on", "--retry-after", "77", "--until", "2027-01-31T22:00Z");
      expect(await statusOf()).toBe("executing");
      await paying.moveClock(10_000);
      for (const { isPage, reply } of await askAll(caller)) {
        if (isPage) expectNotice(reply, 503, "The payment service is paused");
        else expectEnvelope(reply, 503);
        expect(reply.headers.get("retry-after")).toBe("77");
      }
      for (const { on } of open)
        expect(
          (await caller.call("GET", on.slice("GET ".length).replace("{page}", "errors"), { key: null })).status,
        ).toBe(200);
      const until = "2027-01-31T22:00:00.000Z";
      expect(await health()).toEqual({ data: { status: "maintenance", until } });
      const german = { key: null, headers: { "Accept-Language": "de-AT" } };
      const page = await caller.call<string>("GET", "/pay/plink_x", german);
      expect(page.body).toMatch(/Der Zahlungsdienst macht eine Pause.*versuchen Sie es in 2 Minuten wieder/s);
      await expect.poll(statusOf).toBe("completed");
      expectEnvelope(await me(caller), 503);

      await operator.change("maintenance", "off");
      await paying.moveClock(10_000);
      expect(await health()).toEqual({ data: { status: "ok" } });
      for (const { reply } of await askAll(caller)) expect(reply.status).not.toBe(503);
      expect((await caller.getIntent(id)).status).toBe("completed");
      const audit = await operator.auditOf("SERVICE");
      expect(audit).toMatchObject([
        { action: "maintenance.on", operator: "olga", reason: "ticket 7", data: { retryAfterSeconds: 77, until } },
        { action: "maintenance.off", operator: "olga", reason: "ticket 7" },
      ]);
    } finally {
      operator.close();
      await paying.stop();
    }
  });
});
