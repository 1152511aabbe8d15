import { afterAll, afterEach, expect, test } from "vitest";
import { RECOVERY_AFTER_MS, SETTLE_MS, startWorld } from "../test/execution-fixture.ts";

const world = await startWorld();
afterAll(world.stop);
afterEach(() => {
  world.noted.length = 0;
});

async function end(id: string): Promise<void> {
  while ((await world.timerOf(id)) !== undefined) await world.tick(id);
}
const by = { rail: "sandbox", currency: "BRL" };

test("a payment is noted once when its rail has accepted it, and once when it has settled, with its age", async () => {
  const { id } = await world.newDraft();
  expect(world.noted).toEqual([]);
  await world.submit(id, "key");
  expect(await world.submit(id, "key")).toMatchObject({ value: { replayed: true } });
  expect(world.noted).toEqual([{ kind: "submitted", ...by }]);
  await end(id);
  const { startedAt = "", endedAt = "" } = (await world.get(id)).executions[0] ?? {};
  const afterMs = Date.parse(endedAt) - Date.parse(startedAt);
  expect(afterMs).toBeGreaterThanOrEqual(SETTLE_MS);
  expect(world.noted.slice(1)).toEqual([{ kind: "ended", ...by, outcome: "completed", afterMs }]);
});

test("a payment that fails, or that its rail refuses, is none that has settled", async () => {
  const { id } = await world.newDraft({ reference: "SANDBOX-FAIL" });
  await world.submit(id);
  await end(id);
  expect(world.noted).toMatchObject([{ kind: "submitted" }, { kind: "ended", outcome: "failed" }]);
  const refused = await world.newDraft({ reference: "SANDBOX-REFUSE" });
  await world.submit(refused.id, undefined, world.telling({ kind: "refused", reason: "no" }));
  expect(world.noted).toHaveLength(2);
});

test("a batch is noted as the one payment that it is, whatever its recipients", async () => {
  const { id } = await world.newBatch(3);
  await world.submit(id);
  await end(id);
  const noted = world.noted.map(({ kind, currency }) => [kind, currency]);
  expect(noted).toEqual([
    ["submitted", "AUD"],
    ["ended", "AUD"],
  ]);
});

test("a payment that is lost track of has not ended, and has once it is found", async () => {
  const { id } = await world.newDraft({ reference: "SANDBOX-OVERDUE" });
  await world.submit(id);
  const startMs = world.clock.ms;
  while ((await world.get(id)).status === "executing") await world.tick(id);
  expect(world.clock.ms - startMs).toBeGreaterThan(RECOVERY_AFTER_MS);
  expect(world.noted).toMatchObject([{ kind: "submitted" }]);
  await end(id);
  expect(world.noted).toMatchObject([{ kind: "submitted" }, { kind: "ended", outcome: "completed" }]);
});
