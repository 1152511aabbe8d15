import { intentStatuses } from "@intents/domain/intents/statuses.ts";
import type { Rail } from "@intents/domain/rails/rail.ts";
import { listLedger } from "@intents/storage/intents/ledger.ts";
import { afterAll, describe, expect, test } from "vitest";
import { LEASE_MS, RECOVERY_AFTER_MS, SETTLE_MS, startWorld } from "../../test/execution-fixture.ts";
import { callsToFail, failAt, faultNames, faults, overtaken } from "../../test/fault-fixture.ts";
import type { Run } from "../run.ts";
import { submitIntent } from "../submit/submit.ts";
import type { Resolution } from "./operation.ts";
import { cancelIntent, loseTrackOfIntent, resolveIntent } from "./payment.ts";

const world = await startWorld();
afterAll(world.stop);

const REASON = "the bank said so on the phone";
const by = (intentId: string) => ({ tenantId: "1001", intentId, operator: "olga", reason: REASON });
const cancel = (id: string, as: Run = world.run) => cancelIntent(as, by(id));
const resolve = (id: string, resolution: Resolution) => resolveIntent(world.run, by(id), resolution);
const bookedOf = async (id: string) =>
  (await listLedger(world.table, { tenantId: "1001", id })).map((entry) => entry.id.split("#").slice(1).join(" "));

async function executing(payeeIds?: readonly number[]): Promise<string> {
  const { id } = await world.newDraft(payeeIds === undefined ? {} : { payeeIds });
  await world.submit(id, "key");
  return id;
}

async function lost(payeeIds?: readonly number[]): Promise<string> {
  const id = await executing(payeeIds);
  expect(await loseTrackOfIntent(world.run, by(id))).toMatchObject({ ok: true });
  return id;
}

/** Submits to a rail that never says how the payment stands, until the intent is shown as lost. */
async function neverConfirmed(execute: Rail["execute"]): Promise<string> {
  const { id } = await world.newDraft();
  const silent = world.withRail({ execute });
  await submitIntent(silent, { caller: world.caller, intentId: id, keyHash: "key" });
  while ((await world.get(id)).status === "draft") await world.tick(id, silent);
  return id;
}
const unknown = async () => ({ kind: "unknown", reason: "silence" }) as const;

describe("cancelling", () => {
  test("a draft ends it, with who and why in its audit", async () => {
    const { id } = await world.newDraft();
    expect(await cancel(id)).toMatchObject({ ok: true, value: { status: "cancelled" } });
    expect((await world.get(id)).statusHistory.at(-1)).toMatchObject({ status: "cancelled", by: "operator" });
    expect((await world.auditOf(id)).at(-1)?.doc).toContain(REASON);
    expect(await world.timerOf(id)).toBeUndefined();
    expect(await world.submit(id, "key")).toMatchObject({ ok: false, failure: { kind: "wrong_status" } });
  });

  test("an executing payment takes effect once the rail has confirmed it, and reverses what was booked", async () => {
    const id = await executing();
    expect(await cancel(id)).toMatchObject({ ok: true, value: { status: "cancelled" } });
    const { executions } = await world.get(id);
    expect(executions).toMatchObject([{ status: "cancelled", cause: "called off before any money arrived" }]);
    expect((await bookedOf(id)).toSorted()).toEqual(["0 accepted", "0 reversed", "fee accepted", "fee reversed"]);
  });

  test("a payment of whose cancellation somebody else hears first has succeeded", async () => {
    const id = await executing();
    const hear = async () =>
      world.tick(id, world.withRail({ status: async () => ({ kind: "cancelled", reason: "called off" }) }));
    expect(await cancel(id, overtaken(world.run, hear))).toMatchObject({ ok: true, value: { status: "cancelled" } });
  });

  test("a payment that the rail has finished completes it instead, and says so", async () => {
    const id = await executing();
    world.clock.ms += SETTLE_MS;
    expect(await cancel(id)).toEqual({ ok: false, failure: { kind: "ended_before", status: "completed" } });
    expect((await world.get(id)).status).toBe("completed");
  });

  test.each(["pending", "not_found"] as const)("changes nothing while the rail says %s", async (kind) => {
    const id = await executing();
    const before = await world.get(id);
    expect(await cancel(id, world.withRail({ cancel: async () => ({ kind }) }))).toEqual({
      ok: false,
      failure: { kind: "not_called_off", answer: kind },
    });
    expect(await world.get(id)).toEqual(before);
  });

  test("a link, an ended intent, one being submitted and an unknown one is refused", async () => {
    const link = await world.newLink();
    await world.submit(link.id, "key");
    const { id } = await world.newDraft();
    await cancel(id);
    const ended = await cancel(id);
    const refusals = [await cancel(link.id), ended, await cancel("nobody's")];
    expect(refusals).toEqual(
      [
        { kind: "not_cancellable", status: "pending_link_payment" },
        { kind: "not_cancellable", status: "cancelled" },
        { kind: "no_intent" },
      ].map((failure) => ({ ok: false, failure })),
    );
    const claimed = await world.newDraft();
    await submitIntent(world.withRail({ execute: unknown }), { caller: world.caller, intentId: claimed.id });
    expect(await cancel(claimed.id)).toMatchObject({ ok: false, failure: { kind: "submitting" } });
  });

  test.each(faultNames)("that %s, at any call, leaves what the next poll makes right", async (fault) => {
    const work = (id: string) => (as: Run) => cancel(id, as);
    for (const k of await callsToFail(world.run, fault, work(await executing()))) {
      const id = await executing();
      const { letGo } = await failAt(world.run, k, faults[fault], work(id));
      while ((await world.timerOf(id)) !== undefined) await world.tick(id);
      const intent = await world.get(id);
      expect(["cancelled", "completed"]).toContain(intent.status);
      await letGo();
      expect(await world.get(id)).toEqual(intent);
      const end = intent.status === "completed" ? "settled" : "reversed";
      expect((await bookedOf(id)).toSorted()).toEqual(["0 accepted", `0 ${end}`, "fee accepted", `fee ${end}`]);
    }
  });
});

describe("resolving what was lost track of", () => {
  const outcomes = [
    {
      resolution: { as: "settled", cleared: "all" },
      status: "completed",
      booked: ["0 settled", "1 settled", "fee settled"],
    },
    {
      resolution: { as: "settled", cleared: [] },
      status: "failed",
      booked: ["0 reversed", "1 reversed", "fee reversed"],
    },
    {
      resolution: { as: "settled", cleared: [1] },
      status: "partially_completed",
      booked: ["0 reversed", "1 settled", "fee settled"],
    },
    { resolution: { as: "cancelled" }, status: "cancelled", booked: ["0 reversed", "1 reversed", "fee reversed"] },
  ] as const;

  test.each(outcomes)("as $resolution ends it $status, booked accordingly", async ({ resolution, status, booked }) => {
    const id = await lost([5001, 5002]);
    expect(await resolve(id, resolution)).toMatchObject({ ok: true, value: { status } });
    const ends = (await bookedOf(id)).filter((entry) => !entry.endsWith("accepted"));
    expect(ends.toSorted()).toEqual(booked);
    expect((await world.auditOf(id)).at(-1)?.doc).toContain(REASON);
    expect(await world.timerOf(id)).toBeUndefined();
  });

  test("as executing asks the rail again, and waits as long for its word as the first time", async () => {
    const id = await lost();
    world.clock.ms += 10 * RECOVERY_AFTER_MS;
    expect(await resolve(id, { as: "executing" })).toMatchObject({ ok: true, value: { status: "executing" } });
    const pending = world.withRail({ status: async () => ({ kind: "pending" }) });
    await world.tick(id, pending);
    expect((await world.get(id)).status).toBe("executing");
    await world.tick(id);
    expect((await world.get(id)).status).toBe("completed");
  });

  test("gives way to another change at the same moment, and says so", async () => {
    const other = async (id: string) => {
      await resolve(id, { as: "executing" });
    };
    const changed = { ok: false, failure: { kind: "changed" } };
    const first = await lost();
    expect(
      await resolveIntent(
        overtaken(world.run, () => other(first)),
        by(first),
        { as: "cancelled" },
      ),
    ).toEqual(changed);
    const second = await executing();
    const lose = (as: Run) => loseTrackOfIntent(as, by(second));
    expect(await lose(overtaken(world.run, () => lose(world.run)))).toEqual(changed);
    expect([(await world.get(first)).status, (await world.get(second)).status]).toEqual([
      "executing",
      "requires_recovery",
    ]);
  });

  test("a recipient that the intent does not have, and an id that nothing asks for, is refused", async () => {
    const id = await lost();
    expect(await resolve(id, { as: "settled", cleared: [7] })).toMatchObject({ ok: false });
    for (const [resolution, failure] of [
      [{ as: "settled", cleared: "all", railPaymentIds: new Map([[0, "a"]]) }, { kind: "ids_without_batch" }],
      [{ as: "executing", railPaymentId: "a" }, { kind: "id_not_needed" }],
    ] as const) {
      expect(await resolve(id, resolution)).toEqual({ ok: false, failure });
    }
    expect((await world.get(id)).status).toBe("requires_recovery");
  });

  test("is refused in every other status", async () => {
    const { id } = await world.newDraft();
    for (const work of [resolveIntent, undefined]) {
      const refused =
        work === undefined ? await loseTrackOfIntent(world.run, by(id)) : await resolve(id, { as: "cancelled" });
      expect(refused).toMatchObject({ ok: false, failure: { status: "draft" } });
    }
    expect(intentStatuses).toContain((await world.get(id)).status);
  });
});

describe("a payment that the rail never confirmed", () => {
  test("is committed with the rail's own id of it, and goes on as if it had been", async () => {
    const id = await neverConfirmed(async (order, executionId) => {
      await world.rail.port.execute(order, executionId);
      return { kind: "unknown", reason: "lost" };
    });
    expect(await resolve(id, { as: "executing" })).toMatchObject({ ok: false, failure: { kind: "id_needed" } });
    expect(await resolve(id, { as: "settled", cleared: "all" })).toMatchObject({ ok: false });
    const [payment] = await world.paymentsOf(id);
    const railPaymentId = payment?.railPaymentId ?? "";
    expect(await resolve(id, { as: "executing", railPaymentId })).toMatchObject({
      ok: true,
      value: { status: "executing", executions: [{ railPaymentId }] },
    });
    while ((await world.timerOf(id)) !== undefined) await world.tick(id);
    expect([(await world.get(id)).status, (await world.paymentsOf(id)).length]).toEqual(["completed", 1]);
  });

  test("is cancelled with its documents free again", async () => {
    const id = await neverConfirmed(unknown);
    world.clock.ms += LEASE_MS;
    expect(await resolve(id, { as: "cancelled" })).toMatchObject({ ok: true, value: { status: "cancelled" } });
    const intent = await world.get(id);
    expect(intent).not.toHaveProperty("submission");
    expect(await world.documentOf(intent)).toBeDefined();
    expect(await world.documentOf(intent)).not.toHaveProperty("executionId");
  });

  test("is not cancelled by a word of its rail that a later question has made untrue, and goes on", async () => {
    const id = await neverConfirmed(unknown);
    // The rail has told the operator that it knows nothing. Then recovery asks it again, and its answer is lost.
    await world.tick(id, world.losing(0));
    expect(await world.paymentsOf(id)).toHaveLength(1);
    world.clock.ms += LEASE_MS;
    expect(await resolve(id, { as: "cancelled" })).toEqual({
      ok: false,
      failure: { kind: "rail_has_it", status: "executing" },
    });
    while ((await world.timerOf(id)) !== undefined) await world.tick(id);
    expect([(await world.get(id)).status, (await world.paymentsOf(id)).length]).toEqual(["completed", 1]);
  });

  test("is not cancelled while the last request to its rail may still arrive", async () => {
    const late = Promise.withResolvers<void>();
    const id = await neverConfirmed(unknown);
    const arrived = { done: Promise.resolve() };
    const run = world.withRail({
      execute: async (order, executionId) => {
        arrived.done = late.promise.then(async () => void (await world.rail.port.execute(order, executionId)));
        return { kind: "unknown", reason: "timeout" };
      },
    });
    await world.tick(id, run);
    expect(await resolve(id, { as: "cancelled" })).toEqual({
      ok: false,
      failure: { kind: "on_its_way", waitSeconds: LEASE_MS / 1000 },
    });
    late.resolve();
    await arrived.done;
    world.clock.ms += LEASE_MS;
    expect(await resolve(id, { as: "cancelled" })).toMatchObject({ ok: false });
    expect((await world.get(id)).status).toBe("executing");
  });

  test("is not cancelled while its rail does not tell, until nobody asks that any more", async () => {
    const silent = world.withRail({ execute: unknown, status: async () => ({ kind: "unavailable", reason: "down" }) });
    const cancelled = { as: "cancelled" } as const;
    const id = await neverConfirmed(unknown);
    world.clock.ms += LEASE_MS;
    expect(await resolveIntent(silent, by(id), cancelled)).toEqual({
      ok: false,
      failure: { kind: "rail_silent", reason: "down" },
    });
    expect(await world.get(id)).toMatchObject({ status: "requires_recovery", submission: {} });
    world.clock.ms += 30 * 86_400_000;
    expect(await resolveIntent(silent, by(id), cancelled)).toMatchObject({ ok: true, value: { status: "cancelled" } });
  });

  test("tells its operator that it was taken over while its rail was asked", async () => {
    const id = await neverConfirmed(unknown);
    world.clock.ms += LEASE_MS;
    const slow = world.withRail({
      status: async (...asked) => {
        const answer = await world.rail.port.status(...asked);
        world.clock.ms += LEASE_MS + 1;
        await world.tick(id);
        return answer;
      },
    });
    expect(await resolveIntent(slow, by(id), { as: "cancelled" })).toMatchObject({ ok: false });
    expect([(await world.get(id)).status, (await world.paymentsOf(id)).length]).toEqual(["executing", 1]);
  });

  test("of a batch whose deposit nobody confirmed is resolved as cancelled alone", async () => {
    const { id } = await world.newBatch(2);
    const silent = world.withRail({ fund: unknown });
    const submit = (as: Run) => submitIntent(as, { caller: world.caller, intentId: id, keyHash: "key" });
    // The first worker dies while it asks.
    const dying = world.withRail({ fund: () => new Promise(() => undefined) });
    void submit(dying);
    await expect.poll(async () => (await world.get(id)).submission).toBeDefined();
    while ((await world.get(id)).status === "draft") await world.tick(id, silent);
    const railPaymentIds = new Map([[0, "a"]]);
    for (const resolution of [
      { as: "executing" },
      { as: "settled", cleared: "all" },
      { as: "executing", railPaymentIds },
    ] as const) {
      expect(await resolve(id, resolution)).toEqual({ ok: false, failure: { kind: "batch_never_begun" } });
    }
    expect(await resolve(id, { as: "cancelled" })).toMatchObject({ ok: true, value: { status: "cancelled" } });
    expect(await world.paymentsOf(id)).toEqual([]);
  });

  test("is left to a worker that holds it", async () => {
    const id = await neverConfirmed(unknown);
    const { promise, resolve: answer } = Promise.withResolvers<Awaited<ReturnType<Rail["execute"]>>>();
    const asking = world.tick(id, world.withRail({ execute: () => promise }));
    while (((await world.get(id)).submission?.leaseUntilMs ?? 0) <= world.clock.ms) await Promise.resolve();
    expect(await resolve(id, { as: "cancelled" })).toMatchObject({ ok: false, failure: { kind: "submitting" } });
    answer({ kind: "unknown", reason: "silence" });
    await asking;
  });
});
