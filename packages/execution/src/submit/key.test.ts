import { bindKey, findAnswer, KEY_LIFETIME_MS } from "@intents/storage/intents/submissions.ts";
import { afterAll, expect, test } from "vitest";
import { startWorld } from "../../test/execution-fixture.ts";

const world = await startWorld();
afterAll(world.stop);

/** Binds a key to a request, or tells what it stands for. */
const bind = (keyHash: string, payloadHash: string) =>
  bindKey(world.table, { tenantId: "1001", keyHash }, undefined, {
    ...{ payloadHash, firstSeenMs: world.clock.ms, holder: crypto.randomUUID(), busyUntilMs: 0 },
  });

test.each([
  ["a payment", () => world.newDraft()],
  ["a batch", () => world.newBatch(2)],
  ["a link", () => world.newLink()],
])("the commit of %s keeps its answer with the key", async (_, create) => {
  const { id } = await create();
  await bind(id, "first");
  expect(await world.submit(id, id)).toMatchObject({ ok: true, value: { replayed: false, isKept: true } });
  expect(await bind(id, "another")).toMatchObject({ payloadHash: "first", kept: JSON.stringify({ intentId: id }) });
});

test("a commit whose key belongs to a later request leaves the key with that one, and is made all the same", async () => {
  const { id } = await world.newDraft();
  await bind(id, "first");
  const { execute } = world.rail.port;
  const late = world.withRail({
    execute: async (order, executionId) => {
      world.clock.ms += KEY_LIFETIME_MS;
      await bind(id, "later");
      return execute(order, executionId);
    },
  });
  expect(await world.submit(id, id, late)).toMatchObject({ ok: true, value: { isKept: false } });
  expect(await bind(id, "another")).toMatchObject({ payloadHash: "later" });
  expect(await bind(id, "another")).not.toHaveProperty("kept");
  expect((await world.get(id)).status).toBe("executing");
  expect(await findAnswer(world.table, "1001", id)).toMatchObject({ keyHash: id });
});
