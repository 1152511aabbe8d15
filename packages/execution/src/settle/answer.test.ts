import type { StatusAnswer } from "@intents/domain/rails/rail.ts";
import { listLedger } from "@intents/storage/intents/ledger.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { readPartition } from "@intents/storage/test/table-fixture.ts";
import { afterAll, describe, expect, test } from "vitest";
import { RECOVERY_AFTER_MS, SETTLE_MS, startWorld, type World } from "../../test/execution-fixture.ts";
import { countCalls } from "../../test/fault-fixture.ts";
import { applyAnswer, noteReceipt } from "./answer.ts";

const world = await startWorld();
afterAll(world.stop);

async function executing(changes: Parameters<World["newDraft"]>[0] = {}): Promise<string> {
  const { id } = await world.newDraft(changes);
  expect(await world.submit(id)).toMatchObject({ ok: true });
  return id;
}
const answering = (answer: StatusAnswer) => world.withRail({ status: async () => answer });
const statusOf = async (id: string) => (await world.get(id)).status;

describe("a poll", () => {
  test("that finds every leg cleared completes the intent, which then waits for nothing", async () => {
    const id = await executing({ payeeIds: [5001, 5002] });
    const startMs = world.clock.ms;
    while ((await world.timerOf(id)) !== undefined) await world.tick(id);
    expect(world.clock.ms - startMs).toBeLessThanOrEqual(SETTLE_MS + 1_000);
    expect(await world.get(id)).toMatchObject({
      status: "completed",
      executions: [
        { status: "completed", endedAt: expect.any(String), legs: [{ status: "cleared" }, { status: "cleared" }] },
      ],
    });
    expect(await world.timerOf(id)).toBeUndefined();
  });

  test("that finds every leg failed fails the intent, and the execution says why", async () => {
    const id = await executing({ reference: "SANDBOX-FAIL" });
    while ((await world.timerOf(id)) !== undefined) await world.tick(id);
    expect(await world.get(id)).toMatchObject({
      status: "failed",
      executions: [{ status: "failed", cause: "rejected by the beneficiary bank", legs: [{ status: "failed" }] }],
    });
  });

  test("that finds some of each says partially_completed, and which leg is which", async () => {
    const id = await executing({ payeeIds: [5001, 5002], reference: "SANDBOX-PARTIAL" });
    while ((await world.timerOf(id)) !== undefined) await world.tick(id);
    expect(await world.get(id)).toMatchObject({
      status: "partially_completed",
      executions: [
        {
          legs: [
            { order: 0, status: "failed" },
            { order: 1, status: "cleared" },
          ],
          cause: expect.any(String),
        },
      ],
    });
  });

  test("that hears of one leg only waits for the other, and not for ever", async () => {
    const id = await executing({ payeeIds: [5001, 5002] });
    const half = answering({ kind: "settled", legs: [{ order: 0, outcome: "cleared" }] });
    await world.tick(id, half);
    expect(await statusOf(id)).toBe("executing");
    expect(await world.timerOf(id)).toMatchObject({ kind: "poll" });
    world.clock.ms = ((await world.get(id)).expectedSettlementMs ?? 0) + RECOVERY_AFTER_MS + 1;
    expect(await world.tick(id, half)).toBe("lost_track");
    expect(await statusOf(id)).toBe("requires_recovery");
  });

  test("without news writes nothing, and makes one read", async () => {
    const id = await executing();
    const before = await readPartition(world.table, keysOf("1001").intent(id).PK);
    // The calls are for the state of the rail, and the question.
    expect(await countCalls(world.run, (as) => world.tick(id, as))).toBe(2);
    expect(await readPartition(world.table, keysOf("1001").intent(id).PK)).toEqual(before);
    expect((await world.timerOf(id))?.dueAtMs).toBeGreaterThan(world.clock.ms);
  });

  test("of an intent whose execution is another by now changes nothing", async () => {
    const id = await executing();
    const before = await world.get(id);
    const settled = { kind: "settled", legs: [{ order: 0, outcome: "cleared" }] } as const;
    expect(await applyAnswer(world.run, { tenantId: "1001", id, executionId: "another" }, settled)).toBe("applied");
    expect(await applyAnswer(world.run, { tenantId: "1001", id: "gone", executionId: "e" }, settled)).toBe("applied");
    expect(await world.get(id)).toEqual(before);
  });

  test("leaves in the audit what the rail said: the end, of which execution, of which legs and why", async () => {
    const id = await executing({ payeeIds: [5001, 5002], reference: "SANDBOX-PARTIAL" });
    while ((await world.timerOf(id)) !== undefined) await world.tick(id);
    const [execution] = (await world.get(id)).executions;
    const ended = (await world.eventsOf(id)).at(-1);
    expect(ended).toMatchObject({
      event: "paymentIntent.partially_completed",
      actor: "rail",
      data: { executionId: execution?.executionId, cause: execution?.cause, legs: execution?.legs },
    });
    expect(execution).toMatchObject({
      status: "partially_completed",
      cause: "beneficiary account closed",
      endedAt: new Date(world.clock.ms).toISOString(),
    });
  });

  test("that hears that the payer's money came in books it once, without an event, beside all former executions", async () => {
    const id = await executing();
    const events = await world.eventsOf(id);
    const read = await world.get(id);
    const [execution] = read.executions;
    if (execution === undefined) throw new Error("Nothing was executed");
    const former = { ...execution, executionId: "former", status: "failed" } as const;
    await noteReceipt(world.run, { ...read, executions: [former, execution] }, execution);
    const noted = await world.get(id);
    const receivedAt = new Date(world.clock.ms).toISOString();
    expect(noted).toMatchObject({ status: "executing", executions: [former, { ...execution, receivedAt }] });
    const booked = await listLedger(world.table, { tenantId: "1001", id });
    expect(booked.filter(({ event }) => event === "received").map(({ debit, at }) => [debit, at])).toEqual([
      ["received", receivedAt],
      ["received", receivedAt],
    ]);
    await world.tick(id, answering({ kind: "received" }));
    expect([await world.get(id), await world.eventsOf(id)]).toEqual([noted, events]);
  });

  test("that hears of a cancellation cancels", async () => {
    const id = await executing();
    await world.tick(id, answering({ kind: "cancelled", reason: "never paid" }));
    expect(await world.get(id)).toMatchObject({
      status: "cancelled",
      executions: [{ status: "cancelled", cause: "never paid" }],
    });
  });
});

describe("a rail that contradicts itself or stays silent", () => {
  test("past the expected settlement leads to requires_recovery, no sooner than it may, and on", async () => {
    const id = await executing({ reference: "SANDBOX-OVERDUE" });
    const { expectedSettlementMs = 0 } = await world.get(id);
    const pending = answering({ kind: "pending" });
    while ((await statusOf(id)) === "executing") await world.tick(id, pending);
    const overdueMs = world.clock.ms - expectedSettlementMs;
    expect(overdueMs).toBeGreaterThan(RECOVERY_AFTER_MS);
    expect(overdueMs).toBeLessThan(RECOVERY_AFTER_MS + 5_000);
    expect(await statusOf(id)).toBe("requires_recovery");
    while ((await world.timerOf(id)) !== undefined) await world.tick(id);
    expect(await statusOf(id)).toBe("completed");
  });

  test("by not knowing what it accepted leads there at once, and stays there while it does not", async () => {
    const id = await executing();
    expect(await world.tick(id, answering({ kind: "not_found" }))).toBe("lost_track");
    expect(await statusOf(id)).toBe("requires_recovery");
    const lost = (await world.eventsOf(id)).at(-1);
    const data = { cause: "unknown to the rail" };
    expect(lost).toMatchObject({ event: "paymentIntent.requires_recovery", actor: "service", data });
    expect(await world.tick(id, answering({ kind: "not_found" }))).toBe("applied");
    expect(await statusOf(id)).toBe("requires_recovery");
    expect(await world.timerOf(id)).toMatchObject({ kind: "poll" });
  });
});
