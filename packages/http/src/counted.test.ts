import { defineRoutes, lazily } from "@intents/contract/route.ts";
import type { ApiKey } from "@intents/domain/parties/caller.ts";
import { ok } from "@intents/domain/result.ts";
import type { Context } from "aws-lambda";
import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { eventFor } from "../test/event-fixture.ts";
import type { Idempotency } from "./idempotency/idempotency.ts";
import type { Passage } from "./limits/gate.ts";
import { serve } from "./serve.ts";

const common = {
  group: "parties",
  summary: "",
  description: "",
  auth: "key",
  answers: { status: 200, data: lazily(() => z.looseObject({})) },
} as const;
const { judgeThing, payThing } = defineRoutes({
  judgeThing: { on: "POST /v2/things/{id}/judge", scope: "read", ...common },
  payThing: { on: "POST /v2/things/{id}/pay", scope: "pay", idempotency: "by_key", ...common },
});

const storedKey: ApiKey = {
  ...{ clientId: "acme-1", tenantId: "1001", userId: "user", userName: "Ada", permissions: ["AllowBulkPayment"] },
  ...{ secretHashes: [], gatewayKey: "0".repeat(40), createdAt: "2026-01-01T00:00:00.000Z" },
};

test("what changes nothing runs while it is counted, whatever its method", async () => {
  const count = Promise.withResolvers<Passage>();
  const judge = vi.fn(async () => ok({ id: "7" }));
  const handle = serve({ judgeThing }, { judgeThing: judge }, { gate: () => count.promise });
  const answering = handle(eventFor(judgeThing.on, { pathParameters: { id: "7" } }), {} as Context);
  await expect.poll(() => judge).toHaveResolved();
  count.resolve({ headers: {} });
  expect((await answering).statusCode).toBe(200);
});

test("a request for money begins to read while it is counted, and goes on once it may", async () => {
  const count = Promise.withResolvers<Passage>();
  const pay = vi.fn(async () => ok({ body: "{}", intentId: "7", replayed: false }));
  const idempotency: Idempotency = async (_request, run) => {
    const outcome = await run("hash");
    return { statusCode: outcome.ok ? 200 : 400, body: "{}" };
  };
  const preload = vi.fn(async () => ({ apiKey: storedKey }));
  const extras = { gate: () => count.promise, idempotency, preload, sourceOf: () => "192.0.2.1" };
  const handle = serve({ payThing }, { payThing: pay }, extras);
  const changes = { headers: { "Idempotency-Key": "k" }, pathParameters: { id: "7" } };
  const answering = handle(eventFor(payThing.on, changes), {} as Context);
  await expect.poll(() => preload).toHaveResolved();
  const asked = expect.objectContaining({ params: { id: "7" } });
  expect(preload).toHaveBeenCalledWith(asked, expect.stringMatching(/^[\da-f]{64}$/));
  expect(pay).not.toHaveBeenCalled();
  count.resolve({ headers: {} });
  expect(await answering).toMatchObject({ statusCode: 200 });
  const caller = expect.objectContaining({ permissions: storedKey.permissions });
  expect(pay).toHaveBeenCalledWith(expect.objectContaining({ preloaded: preload.mock.results[0]?.value, caller }));
});

describe("a request for money", () => {
  const answers = { idempotency: vi.fn<Idempotency>(), pay: vi.fn(async () => ok({ id: "7" })) };
  const askTaken = defineRoutes({ askThing: { on: "POST /v2/things/{id}/ask", scope: "pay", ...common } });
  const extras = { gate: async () => ({ headers: {} }), sourceOf: () => "192.0.2.1" };

  test.each<[string, Partial<ApiKey>, number]>([
    ["revoked", { revokedAt: "2026-01-02T00:00:00.000Z" }, 401],
    ["given an end", { expiresAt: "2026-01-02T00:00:00.000Z" }, 401],
    ["bound to other addresses", { sources: ["198.51.100.0/24"] }, 403],
    ["bound to another scope", { scopes: ["read", "write"] }, 403],
  ])("by a key that was %s since it was accepted is refused, and neither run nor kept", async (_what, now, status) => {
    const { idempotency, pay } = answers;
    const preload = async () => ({ apiKey: { ...storedKey, ...now } });
    const keyed = serve({ payThing }, { payThing: vi.fn() }, { ...extras, idempotency, preload });
    const plain = serve(askTaken, { askThing: pay }, { ...extras, preload });
    const changes = { pathParameters: { id: "7" } };
    expect((await keyed(eventFor(payThing.on, changes), {} as Context)).statusCode).toBe(status);
    expect((await plain(eventFor(askTaken.askThing.on, changes), {} as Context)).statusCode).toBe(status);
    expect([idempotency, pay].map(({ mock }) => mock.calls)).toEqual([[], []]);
  });

  test("by a key whose tenant was suspended since it was accepted is refused, and neither run nor kept", async () => {
    const { idempotency, pay } = answers;
    const suspension = { at: "2026-01-02T00:00:00.000Z", by: "olga", reason: "ticket 7" };
    const preload = async () => ({ apiKey: storedKey, suspension });
    const keyed = serve({ payThing }, { payThing: vi.fn() }, { ...extras, idempotency, preload });
    const plain = serve(askTaken, { askThing: pay }, { ...extras, preload });
    const changes = { pathParameters: { id: "7" } };
    for (const [run, { on }] of [[keyed, payThing] as const, [plain, askTaken.askThing] as const]) {
      const refused = await run(eventFor(on, changes), {} as Context);
      expect([refused.statusCode, refused.body]).toEqual([403, expect.stringContaining("[GEN9006]")]);
    }
    expect([idempotency, pay].map(({ mock }) => mock.calls)).toEqual([[], []]);
  });

  test("belongs to no group that cannot read keys", () => {
    const { gate, sourceOf } = extras;
    const build = (means: object) => () => serve(askTaken, { askThing: answers.pay }, { gate, ...means });
    for (const means of [{}, { sourceOf }, { preload: async () => ({}) }])
      expect(build(means)).toThrow("POST /v2/things/{id}/ask needs preload and sourceOf");
  });
});
