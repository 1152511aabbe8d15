import type { ExecuteAnswer } from "@intents/domain/rails/rail.ts";
import { bindKey, KEY_LIFETIME_MS } from "@intents/storage/intents/submissions.ts";
import { afterAll, describe, expect, test } from "vitest";
import { startWorld } from "../../test/execution-fixture.ts";

const world = await startWorld();
afterAll(world.stop);

/** Binds a key to a request, or tells which request it is bound to. */
async function bind(keyHash: string, payloadHash: string): Promise<string | undefined> {
  const binding = { payloadHash, firstSeenMs: world.clock.ms, holder: crypto.randomUUID(), busyUntilMs: 0 };
  return (await bindKey(world.table, { tenantId: "1001", keyHash }, undefined, binding))?.payloadHash;
}

const answering = (answer: ExecuteAnswer, meanwhile = async () => undefined as unknown) =>
  world.withRail({
    execute: async () => {
      await meanwhile();
      return answer;
    },
  });

describe("an Idempotency-Key", () => {
  const reason = "not today";
  test.each([
    ["is free again once the rail knows a duplicate", { kind: "duplicate" }, "duplicate_transaction", "another"],
    ["stays with a request that the rail refused", { kind: "refused", reason }, "rail_refused", "first"],
    ["stays with a request that no rail got", { kind: "unreachable", reason }, "rail_unavailable", "first"],
  ] as const)("%s", async (_, answer, kind, owner) => {
    const { id } = await world.newDraft();
    const key = `key of ${id}`;
    await bind(key, "first");
    expect(await world.submit(id, key, answering(answer))).toMatchObject({ ok: false, failure: { kind } });
    expect(await world.get(id)).not.toHaveProperty("submission");
    expect(await bind(key, "another")).toBe(owner);
  });

  test("that belongs to a later request by then stays with that one, and the claim is given up all the same", async () => {
    const { id } = await world.newDraft();
    const key = `key of ${id}`;
    await bind(key, "first");
    const late = answering({ kind: "duplicate" }, async () => {
      world.clock.ms += KEY_LIFETIME_MS;
      expect(await bind(key, "later")).toBe("later");
    });
    expect(await world.submit(id, key, late)).toMatchObject({ failure: { kind: "duplicate_transaction" } });
    const intent = await world.get(id);
    expect(intent).not.toHaveProperty("submission");
    expect(await world.documentOf(intent)).not.toHaveProperty("executionId");
    expect(await bind(key, "another")).toBe("later");
  });

  test("stays with a duplicate whose claim somebody else has taken over", async () => {
    const { id } = await world.newDraft();
    const key = `key of ${id}`;
    await bind(key, "first");
    const late = answering({ kind: "duplicate" }, async () => {
      world.clock.ms += world.run.settings.leaseMs;
      await world.submit(id, key, answering({ kind: "unknown", reason }));
    });
    expect(await world.submit(id, key, late)).toEqual({ ok: false, failure: { kind: "outcome_unknown" } });
    expect(await world.get(id)).toMatchObject({ submission: { attempt: 2 } });
    expect(await bind(key, "another")).toBe("first");
  });
});
