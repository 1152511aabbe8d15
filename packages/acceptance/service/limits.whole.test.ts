import type { Route } from "@intents/contract/route.ts";
import { routes } from "@intents/contract/routes.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BASIC, type Client, type Data, type Intent, openClient, type Reply } from "./client.ts";
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
  expectEnvelope(reply, 429);
  expectCounted(reply, limit, secondsMax);
}

function expectCounted(reply: Reply<unknown>, limit: number, secondsMax: number): void {
  expect(numberIn(reply, "x-ratelimit-limit")).toBe(limit);
  expect(numberIn(reply, "x-ratelimit-remaining")).toBe(0);
  expect(reply.headers.get("x-ratelimit-reset")).toMatch(/^\d{10}$/);
  expect(numberIn(reply, "retry-after")).toBeGreaterThanOrEqual(1);
  expect(numberIn(reply, "retry-after")).toBeLessThanOrEqual(secondsMax);
}

/** Asks twice as often as it may in one second. */
async function exhaust(from: Client): Promise<Reply<unknown>[]> {
  await nextWindow();
  return Promise.all(Array.from({ length: 2 * LIMIT }, () => me(from)));
}

describe("every answer to a key tells its limit", () => {
  const tooLarge = JSON.stringify({ firstName: "x".repeat(256 * 1024) });
  const split = { payouts: [5001, 5010].map((payeeId) => ({ payeeId, amount: 10 })), countryCode: "BR" };
  const asked: [number, string, string, object?][] = [
    [200, "GET", "/v2/users/me"],
    [200, "GET", "/v2/lookup/countries"],
    [200, "GET", "/v2/payment-intents"],
    [201, "POST", "/v2/payers", { body: { payerType: "individual", email: "a@example.com" } }],
    [400, "POST", "/v2/students", { body: {} }],
    [400, "GET", "/v2/students?limit=x"],
    [403, "POST", "/v2/quotes", { body: { ...split, paymentType: "provider" } }],
    [404, "GET", "/v2/payment-intents/none"],
    [413, "POST", "/v2/students", { raw: tooLarge }],
    [415, "POST", "/v2/documents", { body: {} }],
    [501, "POST", "/chat", { body: {} }],
  ];
  test.each(asked)("%d to %s %s", async (status, method, path, options) => {
    const limit = path === "/chat" ? 10 : LIMIT;
    const reply = await other.call(method, path, options);
    expect(reply.status).toBe(status);
    const nowS = (await nowMs()) / 1000;
    expect(numberIn(reply, "x-ratelimit-limit")).toBe(limit);
    expect(numberIn(reply, "x-ratelimit-remaining")).toBeLessThan(limit);
    expect(numberIn(reply, "x-ratelimit-reset")).toBeLessThanOrEqual(nowS + 60);
    expect(numberIn(reply, "x-ratelimit-reset")).toBeGreaterThan(nowS);
  });
});

describe("past its limit a key", () => {
  test("is refused, is told when to come back, and others are not", async () => {
    const [replies, ofOther] = await Promise.all([exhaust(client), Promise.all([me(other), me(other), me(other)])]);
    const refused = replies.filter(({ status }) => status === 429);
    for (const reply of refused) expectLimited(reply, LIMIT, 1);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
    expect(refused).toHaveLength(LIMIT);
    expect(ofOther.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test("is let in again when its window has been reset", async () => {
    const refused = (await exhaust(client)).filter(({ status }) => status === 429);
    const reset = Math.max(...refused.map((reply) => numberIn(reply, "x-ratelimit-reset")));
    await service.moveClock(reset * 1000 - (await nowMs()));
    expect((await me(client)).status).toBe(200);
  });

  test("may submit later under the same Idempotency-Key, and pays once", async () => {
    const { id } = await newDraft(client);
    const key = newKey();
    await exhaust(client);
    expectLimited(await client.submit(id, key), LIMIT, 1);
    await nextWindow();
    const later = await client.submit<Data<Intent>>(id, key);
    expect(later.status).toBe(200);
    expect(later.headers.has("idempotent-replayed")).toBe(false);
    expect(later.body.data.status).toBe("executing");
    expect(await railPayments(client, id)).toHaveLength(1);
  });
});

describe("a path with a limit of its own", () => {
  beforeAll(() => nextWindow(60_000));
  beforeEach(() => nextWindow());

  test.each([
    ["POST", "/auth/login", 10],
    ["POST", "/auth/signup", 5],
    ["POST", "/chat", 10],
    ["GET", "/chat/c-1", 30],
  ])(
    "%s %s takes %i a minute from a key, and then no more; others are not refused for it",
    async (method, path, limit) => {
      for (let asked = 0; asked < limit; asked++) expectEnvelope(await client.call(method, path), 501, "[GEN9501]");
      expectLimited(await client.call(method, path), limit, 60);
      expectEnvelope(await other.call(method, path), 501, "[GEN9501]");
    },
  );

  test("takes as many from a source that has no key, or a wrong one, whatever it says of itself", async () => {
    const ask = (key: string | null, headers = {}) => client.call("POST", "/auth/signup", { key, headers });
    expectEnvelope(await ask(null), 501, "[GEN9501]");
    expectEnvelope(await ask("demo:guess"), 501, "[GEN9501]");
    expectEnvelope(await ask("nobody:x"), 501, "[GEN9501]");
    expectEnvelope(await ask(null, { "X-Forwarded-For": "203.0.113.9" }), 501, "[GEN9501]");
    expectEnvelope(await ask("demo:guess2", { Forwarded: "for=203.0.113.9" }), 501, "[GEN9501]");
    for (const key of [null, "demo:guess", "another:x"]) expectLimited(await ask(key), 5, 60);
    expectEnvelope(await openClient(service.url, BASIC).call("POST", "/auth/signup"), 501, "[GEN9501]");
  });

  test("takes as many from each viewer whom CloudFront vouches for", async () => {
    const ask = (viewer: string, secret: string) => {
      const headers = { "CloudFront-Viewer-Address": `${viewer}:4711`, "X-Origin-Secret": secret };
      return client.call("POST", "/auth/login", { key: null, headers });
    };
    for (let asked = 0; asked < 10; asked++) await ask("198.51.100.1", EDGE_SECRET);
    expectLimited(await ask("198.51.100.1", EDGE_SECRET), 10, 60);
    expectEnvelope(await ask("2001:db8::1", EDGE_SECRET), 501, "[GEN9501]");
    // A stated address without CloudFront's secret is ignored: the request's own source address is counted.
    for (let asked = 0; asked < 10; asked++) await ask(`198.51.100.${100 + asked}`, "guess");
    expectLimited(await ask("198.51.100.200", "guess"), 10, 60);
  });

  test.each(["GET /auth/login", "PUT /auth/signup", "GET /chat", "POST /chat/c-1"])("is 405 on %s", async (on) => {
    const [method = "", path = ""] = on.split(" ");
    const reply = await client.call(method, path);
    expectEnvelope(reply, 405, "[GEN9005]");
    expect(reply.headers.get("allow")).toBe(path === "/chat/c-1" ? "GET, HEAD" : "POST");
  });
});

test("a checkout takes 120 requests a minute for one token from one source", async () => {
  await nextWindow(60_000);
  const ask = (token: string) => client.call("GET", `/sandbox/checkout/${token}`, { key: null });
  const replies: Reply<unknown>[] = [];
  while (replies.length < 150) replies.push(...(await Promise.all(Array.from({ length: 10 }, () => ask("token-1")))));
  const accepted = replies.filter(({ status }) => status === 404);
  expect(accepted).toHaveLength(120);
  for (const reply of replies.filter(({ status }) => status !== 404)) {
    expectNotice(reply, 429, "Too many requests");
    expectCounted(reply, 120, 60);
  }
  expectNotice(await ask("token-2"), 404, "We cannot find this page");
});

describe("a key that asks for five times its limit, second after second", () => {
  test("gets its limit in each of them, never more, and another key does not notice", async () => {
    const paths = ["/v2/users/me", "/v2/students?limit=1"];
    for (let second = 0; second < 10; second++) {
      await nextWindow();
      const replies: Reply<unknown>[] = [];
      for (let burst = 0; burst < 5; burst++) {
        const asked = Array.from({ length: LIMIT }, (_, index) => client.call("GET", paths[index % 2] ?? ""));
        const [ofOther, ...ofKey] = await Promise.all([me(other), ...asked]);
        expect(ofOther.status).toBe(200);
        replies.push(...ofKey);
      }
      const accepted = replies.filter(({ status }) => status === 200).length;
      expect(accepted).toBeLessThanOrEqual(LIMIT);
      expect(accepted).toBeGreaterThanOrEqual(0.98 * LIMIT);
    }
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
