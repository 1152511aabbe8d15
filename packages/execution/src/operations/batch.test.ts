import type { Rail } from "@intents/domain/rails/rail.ts";
import { listLegs } from "@intents/storage/intents/batch-legs.ts";
import { listLedger } from "@intents/storage/intents/ledger.ts";
import { verifyTable } from "@intents/storage/operations/ledger-scan.ts";
import { afterAll, describe, expect, test } from "vitest";
import { by, LEASE_MS, RECOVERY_AFTER_MS, startWorld } from "../../test/execution-fixture.ts";
import { beforeTransactions } from "../../test/fault-fixture.ts";
import { matchRails } from "../rails/match.ts";
import { holdBatch, resumeBatch } from "./batch.ts";
import type { Resolution } from "./operation.ts";
import { loseTrackOfIntent, resolveIntent } from "./payment.ts";

const world = await startWorld();
afterAll(world.stop);

const resolve = (id: string, resolution: Resolution) => resolveIntent(world.run, by(id), resolution);
/** The world's rail, whose answer about one recipient is lost before the request takes effect. */
function silentAbout(order: number) {
  const { execute } = world.rail.port;
  return world.withRail({
    execute: async (asked, executionId) =>
      asked.legs[0]?.order === order ? { kind: "unknown", reason: "silence" } : execute(asked, executionId),
  });
}
const legsOf = (id: string) => listLegs(world.table, { tenantId: "1001", id });
const bookedOf = async (id: string) =>
  (await listLedger(world.table, { tenantId: "1001", id })).map((entry) => entry.id.split("#").slice(1).join(" "));

describe("a batch that is held", () => {
  /** A batch whose rail has not answered about the first of two recipients. */
  const unanswered = async () => {
    const { id } = await world.newBatch(2);
    await world.submit(id, "key");
    await world.tick(id, silentAbout(0));
    return id;
  };
  const underWay = { ok: false, failure: { kind: "under_way", orders: [0] } };

  test("names a recipient whose last request may still arrive, until it has arrived or is lost", async () => {
    const id = await unanswered();
    expect(await holdBatch(world.run, by(id))).toEqual(underWay);
    world.clock.ms += LEASE_MS - 1;
    expect(await holdBatch(world.run, by(id))).toEqual(underWay);
    world.clock.ms += 1;
    expect(await holdBatch(world.run, by(id))).toMatchObject({ ok: true });
  });

  test("because nobody knows how it stands names such a recipient, too", async () => {
    const id = await unanswered();
    expect(await loseTrackOfIntent(world.run, by(id))).toEqual(underWay);
    expect(await world.get(id)).toMatchObject({ status: "requires_recovery", stopped: { how: "held" } });
  });

  test("and that somebody resumes meanwhile is not told as held", async () => {
    const { id } = await world.newBatch(1);
    await world.submit(id, "key");
    const resumed = { done: false };
    const resume = async (transaction: string) => {
      if (resumed.done || !transaction.includes('":attempt"')) return;
      resumed.done = true;
      await resumeBatch(world.run, by(id));
    };
    const holding = holdBatch(beforeTransactions(world.run, resume), by(id));
    expect(await holding).toEqual({ ok: false, failure: { kind: "changed" } });
    expect((await world.get(id)).stopped).toBeUndefined();
    while ((await world.timerOf(id)) !== undefined) await world.tick(id);
    expect((await world.get(id)).status).toBe("completed");
  });
});

describe("a batch that was lost track of", () => {
  async function lostBatch() {
    const { id } = await world.newBatch(3);
    await world.submit(id, "key");
    await world.tick(id);
    expect(await loseTrackOfIntent(world.run, by(id))).toMatchObject({ ok: true });
    return id;
  }

  test("ends by its recipients, each booked once", async () => {
    const id = await lostBatch();
    expect(await resolve(id, { as: "cancelled" })).toMatchObject({ ok: false });
    expect(await resolve(id, { as: "settled", cleared: [0, 2] })).toMatchObject({
      ok: true,
      value: { status: "partially_completed", bulkProgress: { total: 3, completed: 2, failed: 1 } },
    });
    const ends = (await bookedOf(id)).filter((entry) => !entry.endsWith("accepted"));
    expect(ends.toSorted()).toEqual(
      ["0 settled", "1 reversed", "2 settled", "fee reversed", "fee settled", "fee settled"].toSorted(),
    );
  });

  test("pays nobody who was not paid yet, before it is resumed", async () => {
    const { id } = await world.newBatch(2);
    await world.submit(id, "key");
    expect(await loseTrackOfIntent(world.run, by(id))).toMatchObject({
      ok: true,
      value: { status: "requires_recovery" },
    });
    for (let ticks = 0; ticks < 3; ticks++) await world.tick(id);
    expect(await world.paymentsOf(id)).toEqual([]);
    expect(await resolve(id, { as: "executing" })).toMatchObject({ ok: true, value: { status: "executing" } });
    while ((await world.timerOf(id)) !== undefined) await world.tick(id);
    expect((await world.get(id)).status).toBe("completed");
  });

  test("books nothing for a recipient whom the rail never took, and needs its id to call that one cleared", async () => {
    const { id } = await world.newBatch(2);
    await world.submit(id, "key");
    await world.tick(id, silentAbout(0));
    await loseTrackOfIntent(world.run, by(id));
    const all = { as: "settled", cleared: "all" } as const;
    expect(await resolve(id, all)).toEqual({ ok: false, failure: { kind: "ids_needed", orders: [0] } });
    const soon = await resolve(id, { as: "settled", cleared: [1] });
    expect(soon).toMatchObject({ ok: false, failure: { kind: "on_its_way", order: 0 } });
    world.clock.ms += LEASE_MS;
    expect(await resolve(id, { as: "settled", cleared: [1] })).toMatchObject({
      ok: true,
      value: { status: "partially_completed" },
    });
    expect((await bookedOf(id)).toSorted()).toEqual(["1 accepted", "1 settled", "fee accepted", "fee settled"]);
    expect((await verifyTable(world.table)).findings).toEqual([]);
  });

  test("does not end as unpaid a recipient whom the rail has paid since, or of whom it does not tell", async () => {
    const { id } = await world.newBatch(1);
    await world.submit(id, "key");
    await world.tick(id, world.losing(0));
    await loseTrackOfIntent(world.run, by(id));
    world.clock.ms += LEASE_MS;
    const none = { as: "settled", cleared: [] } as const;
    const mute = world.withRail({ status: async () => ({ kind: "unavailable", reason: "down" }) });
    expect(await resolveIntent(mute, by(id), none)).toMatchObject({
      ok: false,
      failure: { kind: "rail_silent", reason: "down", order: 0 },
    });
    expect(await resolve(id, none)).toEqual({ ok: false, failure: { kind: "rail_has_recipient", order: 0 } });
    expect(await resolve(id, { as: "executing" })).toMatchObject({ ok: true });
    while ((await world.timerOf(id)) !== undefined) await world.tick(id);
    expect([(await world.get(id)).status, (await world.paymentsOf(id)).length]).toEqual(["completed", 1]);
  });

  test("is resolved by nothing that contradicts what is certain: who was not paid, and the rail's own ids", async () => {
    const { id } = await world.newBatch(3, ["SANDBOX-FAIL", "SANDBOX-OVERDUE"]);
    await world.submit(id, "key");
    const isCertain = async () =>
      (await legsOf(id)).every(({ order, status }) => order === 1 || status !== "executing");
    do await world.tick(id);
    while (!(await isCertain()));
    await loseTrackOfIntent(world.run, by(id));
    const before = await legsOf(id);
    for (const [resolution, failure] of [
      [
        { as: "settled", cleared: [0] },
        { kind: "never_paid", orders: [0] },
      ],
      [
        { as: "executing", railPaymentIds: new Map([[1, "wrong"]]) },
        { kind: "other_id", orders: [1] },
      ],
      [{ as: "executing", railPaymentId: "one" }, { kind: "ids_of_recipients" }],
    ] as const) {
      expect(await resolve(id, resolution)).toEqual({ ok: false, failure });
    }
    expect(await legsOf(id)).toEqual(before);
    expect(before.map(({ status }) => status)).toEqual(["failed", "executing", "cleared"]);
    expect(await resolve(id, { as: "settled", cleared: [1, 2] })).toMatchObject({
      ok: true,
      value: { status: "partially_completed" },
    });
  });

  test("books acceptance and end of a recipient whose payment only the rail knew", async () => {
    const { id } = await world.newBatch(1);
    await world.submit(id, "key");
    await world.tick(id, silentAbout(0));
    await loseTrackOfIntent(world.run, by(id));
    const railPaymentIds = new Map([[0, "rail-0"]]);
    expect(await resolve(id, { as: "settled", cleared: "all", railPaymentIds })).toMatchObject({
      ok: true,
      value: { status: "completed", executions: [{ connectorPaymentIds: [expect.any(Number)] }] },
    });
    expect((await bookedOf(id)).toSorted()).toEqual(["0 accepted", "0 settled", "fee accepted", "fee settled"]);
    expect((await verifyTable(world.table)).findings).toEqual([]);
  });

  test("takes no payment for what nothing was sent for, and no id of the rail's for two recipients", async () => {
    const { id } = await world.newBatch(3, ["SANDBOX-UNAVAILABLE"]);
    await world.submit(id, "key");
    await world.tick(id, silentAbout(1));
    await loseTrackOfIntent(world.run, by(id));
    const ordered = (ids: readonly (readonly [number, string])[]) =>
      resolve(id, { as: "settled", cleared: ids.map(([order]) => order), railPaymentIds: new Map(ids) });
    expect(await ordered([[0, "rail-0"]])).toEqual({ ok: false, failure: { kind: "never_sent", orders: [0] } });
    const [other] = (await world.paymentsOf(id)).map(({ railPaymentId }) => railPaymentId);
    expect(await ordered([[1, other ?? ""]])).toMatchObject({ ok: false, failure: { kind: "id_named_twice" } });
    expect((await world.get(id)).status).toBe("requires_recovery");
    expect(await ordered([[1, "rail-1"]])).toMatchObject({ ok: true, value: { status: "partially_completed" } });
    // The rail does not hold that payment, and has paid another one after all: the comparison finds both.
    world.clock.ms += 10 * 60_000;
    const { findings } = await matchRails(world.run, { sinceMs: 0 });
    expect(findings.flatMap(({ intentId, problem }) => (intentId === id ? problem : []))).toEqual([
      "it is booked, and the rail does not hold it",
      expect.stringContaining("completed: recipient 2 cleared"),
    ]);
  });

  test("goes on with a recipient whose payment only the rail knew, under the rail's own id", async () => {
    const { id } = await world.newBatch(2);
    await world.submit(id, "key");
    await world.tick(id, world.losing(0));
    await loseTrackOfIntent(world.run, by(id));
    const [before, other] = await legsOf(id);
    const payments = await world.paymentsOf(id);
    const railPaymentId = payments.find(({ legs }) => legs[0]?.order === 0)?.railPaymentId ?? "";
    const resumed = await resolve(id, { as: "executing", railPaymentIds: new Map([[0, railPaymentId]]) });
    expect(resumed).toMatchObject({ ok: true, value: { status: "executing" } });
    const attempt = (before?.attempt ?? 0) + 1;
    const acceptedAtMs = world.clock.ms;
    expect(await legsOf(id)).toEqual([
      { ...before, status: "executing", railPaymentId, acceptedAtMs, attempt, leaseUntilMs: 0 },
      other,
    ]);
    expect((await bookedOf(id)).filter((entry) => entry.startsWith("0"))).toEqual(["0 accepted"]);
    while ((await world.timerOf(id)) !== undefined) await world.tick(id);
    expect([(await world.get(id)).status, (await world.paymentsOf(id)).length]).toEqual(["completed", 2]);
  });

  test("is left to the worker that asks the rail about a recipient right now", async () => {
    const { id } = await world.newBatch(1);
    await world.submit(id, "key");
    const asked = Promise.withResolvers<void>();
    const { promise, resolve: answer } = Promise.withResolvers<Awaited<ReturnType<Rail["execute"]>>>();
    const execute = async () => {
      asked.resolve();
      return promise;
    };
    const ticking = world.tick(id, world.withRail({ execute }));
    await asked.promise;
    await loseTrackOfIntent(world.run, by(id));
    expect(await resolve(id, { as: "settled", cleared: [] })).toEqual({
      ok: false,
      failure: { kind: "being_asked", orders: [0] },
    });
    answer({ kind: "refused", reason: "closed account" });
    await ticking;
    expect(await resolve(id, { as: "settled", cleared: [] })).toMatchObject({ ok: true, value: { status: "failed" } });
  });

  test("is asked for again once resumed", async () => {
    const id = await lostBatch();
    world.clock.ms += 10 * RECOVERY_AFTER_MS;
    expect(await resolve(id, { as: "executing" })).toMatchObject({ ok: true, value: { status: "executing" } });
    while ((await world.timerOf(id)) !== undefined) await world.tick(id);
    expect((await world.get(id)).status).toBe("completed");
  });
});
