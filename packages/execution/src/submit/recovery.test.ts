import type { ExecuteAnswer } from "@intents/domain/rails/rail.ts";
import { moveTimer } from "@intents/storage/polling/timers.ts";
import { afterAll, describe, expect, test } from "vitest";
import { LEASE_MS, startWorld } from "../../test/execution-fixture.ts";
import { advanceIntent } from "../advance.ts";

const world = await startWorld();
afterAll(world.stop);

const unknown: ExecuteAnswer = { kind: "unknown", reason: "no answer" };
const unreachable: ExecuteAnswer = { kind: "unreachable", reason: "ECONNREFUSED" };

describe("a rail that was not reached", () => {
  test("leaves nothing behind when it was the first question", async () => {
    const { id } = await world.newDraft();
    expect(await world.submit(id, "key", world.telling(unreachable))).toEqual({
      ok: false,
      failure: { kind: "rail_unavailable" },
    });
    const intent = await world.get(id);
    expect([intent.status, intent.submission]).toEqual(["draft", undefined]);
    expect(await world.submit(id, "key")).toMatchObject({ ok: true });
    expect(await world.paymentsOf(id)).toHaveLength(1);
  });

  test("releases nothing when an earlier question may have arrived", async () => {
    const { id } = await world.newDraft();
    const run = world.telling(unknown, unreachable);
    await world.submit(id, "key", run);
    expect(await world.submit(id, "key", run)).toEqual({ ok: false, failure: { kind: "outcome_unknown" } });
    expect(await world.get(id)).toMatchObject({ status: "draft", submission: { attempt: 2, asked: 2 } });
    await world.tick(id, run);
    expect(await world.paymentsOf(id)).toHaveLength(1);
  });

  test("is told as a refusal to whoever may never pay: the intent stays a draft", async () => {
    const { id } = await world.newDraft();
    const refused: ExecuteAnswer = { kind: "refused", reason: "no such account" };
    const failure = { kind: "rail_refused", reason: "no such account" };
    expect(await world.submit(id, "key", world.telling(refused))).toEqual({ ok: false, failure });
    expect((await world.get(id)).status).toBe("draft");
  });
});

describe("a worker that was slow", () => {
  test("keeps others away until its lease has ended, whoever they are", async () => {
    const { id } = await world.newDraft();
    const slow = world.holdingRail();
    const first = world.submit(id, "key", slow.run);
    await slow.asked;
    const { ms: startMs } = world.clock;
    // The longer the worker has been at it, the longer the others are told to wait, but never past its lease.
    for (const [ageMs, retryAfterSeconds] of [
      [0, 1],
      [2_000, 2],
      [LEASE_MS - 1_000, 1],
    ] as const) {
      world.clock.ms = startMs + ageMs;
      const inFlight = { ok: false, failure: { kind: "in_flight", status: "draft", retryAfterSeconds } };
      expect(await world.submit(id, "key")).toEqual(inFlight);
      expect(await world.submit(id, "another")).toEqual(inFlight);
    }
    slow.letGo();
    expect(await first).toMatchObject({ ok: true, value: { replayed: false } });
  });

  test("and comes back after recovery answers with what recovery stored, and pays nothing", async () => {
    const { id } = await world.newDraft();
    const slow = world.holdingRail();
    const first = world.submit(id, "key", slow.run);
    await slow.asked;
    expect(await world.tick(id)).toBe("recovered");
    const recovered = await world.get(id);
    slow.letGo();
    expect(await first).toMatchObject({ ok: true, value: { replayed: true } });
    expect(await world.get(id)).toEqual(recovered);
    expect(await world.paymentsOf(id)).toHaveLength(1);
  });

  test("and was refused does not undo what its successor was given (H5)", async () => {
    const { id } = await world.newDraft();
    const gate = Promise.withResolvers<ExecuteAnswer>();
    const asked = Promise.withResolvers<void>();
    const first = world.submit(
      id,
      "key",
      world.withRail({
        execute: () => {
          asked.resolve();
          return gate.promise;
        },
      }),
    );
    await asked.promise;
    await world.tick(id);
    const recovered = await world.get(id);
    gate.resolve({ kind: "duplicate" });
    expect(await first).toEqual({ ok: false, failure: { kind: "outcome_unknown" } });
    expect(await world.get(id)).toEqual(recovered);
    expect(await world.documentOf(recovered)).toMatchObject({ consumedBy: id });
  });

  test("of ten that would take over one does", async () => {
    const { id } = await world.newDraft();
    const { submission } = await strand(id);
    world.clock.ms = (submission?.leaseUntilMs ?? 0) + 1;
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => world.submit(id, "key")));
    expect(outcomes.some(({ ok }) => ok)).toBe(true);
    expect(await world.paymentsOf(id)).toHaveLength(1);
    expect(await world.get(id)).toMatchObject({ status: "executing", executions: [{}] });
  });
});

/** Leaves a claim behind whose worker never comes back. */
async function strand(id: string) {
  const asked = Promise.withResolvers<void>();
  void world.submit(
    id,
    "key",
    world.withRail({
      execute: () => {
        asked.resolve();
        return new Promise(() => undefined);
      },
    }),
  );
  await asked.promise;
  return world.get(id);
}

describe("a message of a timer", () => {
  test("whose lease is not the stored one changes nothing (H21)", async () => {
    const { id } = await world.newDraft({ reference: "SANDBOX-TIMEOUT" });
    await world.submit(id, "key");
    const timer = await world.timerOf(id);
    const before = await world.get(id);
    const message = { tenantId: "1001", id: id, leaseMs: (timer?.dueAtMs ?? 0) + 1 };
    expect(await advanceIntent(world.run, message, Number.POSITIVE_INFINITY)).toBe("stale");
    expect(await world.get(id)).toEqual(before);
  });

  test("that comes while a worker is at the claim waits for the end of the worker's lease", async () => {
    const { id } = await world.newDraft();
    const claimed = await strand(id);
    const leaseUntilMs = claimed.submission?.leaseUntilMs ?? 0;
    world.clock.ms += 10_000;
    await moveTimer(world.table, { tenantId: "1001", id, dueAtMs: leaseUntilMs }, { dueAtMs: world.clock.ms });
    expect(await world.tick(id)).toBe("nothing");
    expect((await world.timerOf(id))?.dueAtMs).toBe(leaseUntilMs);
    expect(await world.get(id)).toEqual(claimed);
  });

  test("that comes ten times over does its work once", async () => {
    const { id } = await world.newDraft({ reference: "SANDBOX-TIMEOUT" });
    await world.submit(id, "key");
    const timer = await world.timerOf(id);
    world.clock.ms = timer?.dueAtMs ?? 0;
    const message = { tenantId: "1001", id: id, leaseMs: world.clock.ms };
    const done = await Promise.all(
      Array.from({ length: 10 }, () => advanceIntent(world.run, message, Number.POSITIVE_INFINITY)),
    );
    expect(done.filter((outcome) => outcome === "recovered")).toHaveLength(1);
    expect((await world.get(id)).executions).toHaveLength(1);
    expect(await world.paymentsOf(id)).toHaveLength(1);
  });

  test("for a recovery that somebody else has finished by a release does not cancel the fresh draft", async () => {
    const { id } = await world.newDraft();
    const run = world.telling(unknown, { kind: "duplicate" });
    await world.submit(id, "key", run);
    const timer = await world.timerOf(id);
    const leaseMs = timer?.dueAtMs ?? 0;
    world.clock.ms = leaseMs;
    // The recovery reads the timer before the replay takes over, and the intent after the replay has given it back.
    const reads = { timer: false };
    const table = {
      ...run.table,
      db: new Proxy(run.table.db, {
        get: (db, name) => {
          if (name !== "send") return Reflect.get(db, name) as unknown;
          return async (command: never) => {
            const answer: unknown = await db.send(command);
            if (!reads.timer) {
              reads.timer = true;
              expect(await world.submit(id, "key", run)).toMatchObject({ failure: { kind: "duplicate_transaction" } });
            }
            return answer;
          };
        },
      }),
    };
    const late = advanceIntent({ ...run, table }, { tenantId: "1001", id: id, leaseMs }, Number.POSITIVE_INFINITY);
    expect(await late).toBe("stale");
    expect((await world.get(id)).status).toBe("draft");
  });

  test("past the rail's memory asks nothing again, and raises the alarm", async () => {
    const { id } = await world.newDraft();
    await world.submit(id, "key", world.telling(unknown));
    world.clock.ms += 30 * 24 * 3_600_000;
    const asked: string[] = [];
    const run = world.withRail({
      execute: async (_, executionId) => {
        asked.push(executionId);
        return unknown;
      },
    });
    expect(await world.tick(id, run)).toBe("lost_track");
    expect(asked).toEqual([]);
  });

  test("for an intent that is gone, or waits for nothing, is stale", async () => {
    expect(await advanceIntent(world.run, { tenantId: "1001", id: "gone", leaseMs: 1 }, Number.POSITIVE_INFINITY)).toBe(
      "stale",
    );
  });
});
