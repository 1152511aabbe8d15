import type { ExecuteAnswer } from "@intents/domain/rails/rail.ts";
import { afterAll, describe, expect, test } from "vitest";
import { LEASE_MS, startWorld } from "../../test/execution-fixture.ts";
import { contended } from "../../test/fault-fixture.ts";

const world = await startWorld();
afterAll(world.stop);

const unknown: ExecuteAnswer = { kind: "unknown", reason: "no answer" };

describe("an answer that was lost", () => {
  test("is asked for again by a replay with the same key, at once, and makes no second payment", async () => {
    const { id } = await world.newDraft({ reference: "SANDBOX-TIMEOUT" });
    expect(await world.submit(id, "key")).toEqual({ ok: false, failure: { kind: "outcome_unknown" } });
    expect((await world.get(id)).status).toBe("draft");
    expect(await world.submit(id, "another")).toMatchObject({ ok: false, failure: { kind: "in_flight" } });
    expect(await world.submit(id, "key")).toMatchObject({ ok: true, value: { replayed: false } });
    expect(await world.paymentsOf(id)).toHaveLength(1);
  });

  test("is found by the timer alone", async () => {
    const { id } = await world.newDraft({ reference: "SANDBOX-TIMEOUT" });
    await world.submit(id, "key");
    expect(await world.tick(id)).toBe("recovered");
    expect((await world.get(id)).status).toBe("executing");
    expect(await world.submit(id, "key")).toMatchObject({ ok: true, value: { replayed: true } });
    expect(await world.paymentsOf(id)).toHaveLength(1);
  });

  test("is asked for later and later; after five times the intent shows it, and may still end well", async () => {
    const { id } = await world.newDraft();
    const run = world.telling(...Array.from({ length: 7 }, () => unknown));
    await world.submit(id, "key", run);
    const waits: number[] = [];
    for (let asked = 1; asked < 7; asked++) {
      const timer = await world.timerOf(id);
      waits.push((timer?.dueAtMs ?? 0) - world.clock.ms);
      expect((await world.get(id)).status).toBe(asked < 5 ? "draft" : "requires_recovery");
      await world.tick(id, run);
    }
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 64_000]);
    await world.tick(id, run);
    const intent = await world.get(id);
    const steps = [
      "draft",
      "ready_for_quote",
      "quoted",
      "ready_for_execution",
      "executing",
      "requires_recovery",
      "executing",
    ];
    expect(intent.statusHistory.map(({ status }) => status)).toEqual(steps);
    expect(intent.executions).toHaveLength(1);
    expect(await world.paymentsOf(id)).toHaveLength(1);
    expect(await world.documentOf(intent)).toMatchObject({ consumedBy: id });
  });

  test("that shows as lost is asked for again by its own key, and others are told that it is looked into", async () => {
    const { id } = await world.newDraft();
    const run = world.telling(...Array.from({ length: 5 }, () => unknown));
    await world.submit(id, "key", run);
    while ((await world.get(id)).status === "draft") await world.tick(id, run);
    const inRecovery = { ok: false, failure: { kind: "in_recovery", status: "requires_recovery" } };
    expect([await world.submit(id, "another"), await world.submit(id)]).toEqual([inRecovery, inRecovery]);
    expect(await world.submit(id, "key")).toMatchObject({ ok: true, value: { replayed: false } });
    expect(await world.paymentsOf(id)).toHaveLength(1);
  });

  test("leaves in the audit who took over, how often the rail was asked, and how it ended", async () => {
    const { id } = await world.newDraft();
    const run = world.telling(unknown, { kind: "duplicate" });
    await world.submit(id, "key", run);
    const { executionId } = (await world.get(id)).submission ?? {};
    await world.tick(id, run);
    const events = await world.eventsOf(id);
    expect(events.slice(-4).map(({ event, actor, data }) => [event, actor, data])).toEqual([
      ["paymentIntent.submission_claimed", "demo-user", { executionId }],
      ["paymentIntent.outcome_unknown", "service", { executionId, attempt: 1, asked: 0, cause: "no answer" }],
      [
        "paymentIntent.submission_taken_over",
        "service",
        { executionId, attempt: 1, asked: 1, cause: "the lease had ended" },
      ],
      ["paymentIntent.submission_released", "demo-user", { executionId, refusal: "duplicate_transaction" }],
    ]);
  });

  test("that turns out to be a refusal frees claim and document, and the key may be used again", async () => {
    const { id } = await world.newDraft();
    const run = world.telling(unknown, { kind: "duplicate" });
    await world.submit(id, "key", run);
    await world.tick(id, run);
    const intent = await world.get(id);
    expect([intent.status, intent.submission]).toEqual(["draft", undefined]);
    expect(await world.documentOf(intent)).not.toHaveProperty("executionId");
    expect(await world.submit(id, "key")).toMatchObject({ ok: true, value: { replayed: false } });
    expect(await world.paymentsOf(id)).toHaveLength(1);
  });

  test("that turns out to be a refusal once it was shown as lost cancels the intent", async () => {
    const { id } = await world.newDraft();
    const run = world.telling(...Array.from({ length: 5 }, () => unknown), {
      kind: "refused",
      reason: "no such account",
    });
    await world.submit(id, "key", run);
    for (let asked = 1; asked < 5; asked++) await world.tick(id, run);
    expect(await world.tick(id, run)).toBe("recovered");
    const intent = await world.get(id);
    expect(intent.status).toBe("cancelled");
    expect(await world.documentOf(intent)).not.toHaveProperty("executionId");
    expect(await world.timerOf(id)).toBeUndefined();
  });
});

describe("a store that stays contended", () => {
  test("after the rail was asked leaves the outcome unknown, and the payment to the next request", async () => {
    const { id } = await world.newDraft();
    const outcome = { ok: false, failure: { kind: "outcome_unknown" } };
    const afterTheClaim = contended(world.run, (transaction) => !transaction.includes("submission_claimed"));
    expect(await world.submit(id, "key", afterTheClaim)).toEqual(outcome);
    expect(await world.paymentsOf(id)).toHaveLength(1);
    world.clock.ms += LEASE_MS;
    expect(
      await world.submit(
        id,
        "key",
        contended(world.run, () => true),
      ),
    ).toEqual(outcome);
    expect(await world.submit(id, "key")).toMatchObject({ ok: true, value: { replayed: false } });
    expect(await world.paymentsOf(id)).toHaveLength(1);
  });
});
