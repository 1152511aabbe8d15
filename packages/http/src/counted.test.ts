import { defineRoutes, lazily } from "@intents/contract/route.ts";
import { ok } from "@intents/domain/result.ts";
import type { Context } from "aws-lambda";
import { expect, test, vi } from "vitest";
import * as z from "zod";
import { eventFor } from "./event-fixture.ts";
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
  payThing: { on: "POST /v2/things/{id}/pay", idempotency: "by_key", ...common },
});

test("what changes nothing runs while it is counted, whatever its method", async () => {
  const count = Promise.withResolvers<Passage>();
  const judge = vi.fn(async () => ok({ id: "7" }));
  const handle = serve({ judgeThing }, { judgeThing: judge }, { gate: () => count.promise });
  const answering = handle(eventFor(judgeThing.on, { pathParameters: { id: "7" } }), {} as Context);
  await expect.poll(() => judge).toHaveResolved();
  count.resolve({ headers: {} });
  expect((await answering).statusCode).toBe(200);
});

test("a request with a key begins to read while it is counted, and goes on once it may", async () => {
  const count = Promise.withResolvers<Passage>();
  const pay = vi.fn(async () => ok({ body: "{}", intentId: "7", replayed: false }));
  const idempotency: Idempotency = async (_request, run) => {
    const outcome = await run("hash");
    return { statusCode: outcome.ok ? 200 : 400, body: "{}" };
  };
  const readAhead = vi.fn(async () => ({}));
  const extras = { gate: () => count.promise, idempotency, readAhead };
  const handle = serve({ payThing }, { payThing: pay }, extras);
  const changes = { headers: { "Idempotency-Key": "k" }, pathParameters: { id: "7" } };
  const answering = handle(eventFor(payThing.on, changes), {} as Context);
  await expect.poll(() => readAhead).toHaveResolved();
  const asked = expect.objectContaining({ params: { id: "7" } });
  expect(readAhead).toHaveBeenCalledWith(asked, expect.stringMatching(/^[\da-f]{64}$/));
  expect(pay).not.toHaveBeenCalled();
  count.resolve({ headers: {} });
  expect(await answering).toMatchObject({ statusCode: 200 });
  expect(pay).toHaveBeenCalledWith(expect.objectContaining({ ahead: readAhead.mock.results[0]?.value }));
});
