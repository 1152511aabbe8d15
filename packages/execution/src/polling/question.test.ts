import type { ExecutionKey, StatusAnswer } from "@intents/domain/rails/rail.ts";
import { findRailState } from "@intents/storage/polling/rail-state.ts";
import { findSweepCursor } from "@intents/storage/polling/sweeps.ts";
import { listWatches } from "@intents/storage/polling/watches.ts";
import type { Question } from "@intents/storage/queue/queue.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { readPartition } from "@intents/storage/test/table-fixture.ts";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openAsking } from "../../test/asking-fixture.ts";
import { RECOVERY_AFTER_MS, SETTLE_MS, startWorld } from "../../test/execution-fixture.ts";
import { advanceIntent } from "../advance.ts";
import type { Run } from "../run.ts";
import { toAsked } from "./sweep.ts";

const world = await startWorld();
afterAll(world.stop);

const unavailable = { kind: "unavailable", reason: "down" } as const;
const pending = { kind: "pending" } as const;
const rail = "sandbox embedded";

const { question, posted, put, putWholly, begin } = openAsking(world);
beforeEach(begin);
const newsOf = async (as: Run, of: Question) => (await put(as, of)).news;
const outcomeOf = async (as: Run, of: Question) => (await put(as, of)).outcome;
const cursorOf = async (of: Question) => (await findSweepCursor(world.table, of)).atMs;
const statusOf = async (id: string) => (await world.get(id)).status;
/** A rail that answers about many, by the place in the question. */
const telling = (answer: (index: number, key: ExecutionKey) => StatusAnswer) =>
  world.withRail({ statuses: async (asked) => asked.map((key, index) => answer(index, key)) });
const settled = { kind: "settled", legs: [{ order: 0, outcome: "cleared" }] } as const;

describe("a question", () => {
  test("of which the rail has no news writes nothing at all", async () => {
    const asked = await question(3);
    const read = () =>
      Promise.all(asked.about.map(({ id }) => readPartition(world.table, keysOf("1001").intent(id).PK)));
    const before = await read();
    expect(await newsOf(world.run, asked)).toEqual([]);
    expect(await read()).toEqual(before);
    expect(await cursorOf(asked)).toBe(asked.fromMs + 100);
  });

  test("ends what the rail calls settled, and may come twice or late", async () => {
    const asked = await question(2);
    world.clock.ms += SETTLE_MS;
    await put(world.run, asked);
    for (const { id } of asked.about) expect(await statusOf(id)).toBe("completed");
    await put(world.run, asked);
    for (const { id } of asked.about) expect(await world.paymentsOf(id)).toHaveLength(1);
  });

  test("that fails for one payment ends all others, and only then fails", async () => {
    const asked = await question(3);
    const poisoned = asked.about[1]?.id ?? "";
    const db = new Proxy(world.table.db, {
      get: (target, name) =>
        name === "send"
          ? (command: never) =>
              JSON.stringify((command as { input: object }).input).includes(`INTENT#${poisoned}`)
                ? Promise.reject(new Error("poisoned"))
                : target.send(command)
          : Reflect.get(target, name),
    });
    world.clock.ms += SETTLE_MS;
    await expect(put({ ...world.run, table: { ...world.table, db } }, asked)).rejects.toThrow("poisoned");
    const statuses = await Promise.all(asked.about.map(({ id }) => statusOf(id)));
    expect(statuses).toEqual(["completed", "executing", "completed"]);
  });

  test("that the rail leaves a payment out of tells of the others, and of that one nothing changes", async () => {
    const asked = await question(2);
    const outcomes = await newsOf(
      telling((index) => (index === 0 ? unavailable : settled)),
      asked,
    );
    expect(outcomes).toMatchObject([{ outcome: "unanswered" }, { outcome: "applied" }]);
    expect(await Promise.all(asked.about.map(({ id }) => statusOf(id)))).toEqual(["executing", "completed"]);
  });

  test("after which a payment seems unknown asks about that one alone, whose answer counts", async () => {
    const asked = await question(2);
    const [known, lost] = asked.about;
    const run: Run = world.withRail({
      status: async (_tenant, executionId) => (executionId === known?.executionId ? pending : { kind: "not_found" }),
      statuses: async (about) => about.map(() => ({ kind: "not_found" })),
    });
    expect(await newsOf(run, asked)).toMatchObject([{ outcome: "applied" }, { outcome: "lost_track" }]);
    expect([await statusOf(known?.id ?? ""), await statusOf(lost?.id ?? "")]).toEqual([
      "executing",
      "requires_recovery",
    ]);
  });

  test("looks into silence once it lasts too long, and not again when that is on record", async () => {
    const asked = await question(1);
    const [about] = asked.about;
    world.clock.ms += SETTLE_MS + RECOVERY_AFTER_MS;
    const quiet = telling(() => pending);
    expect(await newsOf(quiet, asked)).toEqual([]);
    world.clock.ms += 1;
    expect(await newsOf(quiet, asked)).toMatchObject([{ outcome: "lost_track" }]);
    const [watch] = await listWatches(world.table, { tenantId: "1001", id: about?.id ?? "" });
    if (watch === undefined) throw new Error("A payment that requires recovery is not watched");
    expect(toAsked(world.run, watch)).not.toHaveProperty("lookMs");
  });

  test("that leaves out a payment for too long finds it lost, and its end all the same when the rail tells it", async () => {
    const asked = await question(2);
    world.clock.ms += SETTLE_MS + RECOVERY_AFTER_MS + 1;
    const forgetful = telling((index) => (index === 0 ? unavailable : settled));
    expect(await newsOf(forgetful, asked)).toMatchObject([{ outcome: "lost_track" }, { outcome: "applied" }]);
    const [left = { id: "" }] = asked.about;
    expect(await statusOf(left.id)).toBe("requires_recovery");
    expect((await world.eventsOf(left.id)).at(-1)).toMatchObject({ data: { cause: "no final answer in time" } });
    const [watch] = await listWatches(world.table, { tenantId: "1001", id: left.id });
    if (watch === undefined) throw new Error("A payment that requires recovery is not watched");
    const again = { ...asked, about: [toAsked(world.run, watch)] };
    expect(await newsOf(world.withRail({ statuses: async () => [unavailable, pending] }), again)).toMatchObject([
      { outcome: "unanswered" },
    ]);
    await put(world.run, again);
    expect(await statusOf(left.id)).toBe("completed");
  });

  test("that leaves out a recipient of a batch for too long wakes the batch, which finds it lost", async () => {
    const { id } = await world.newBatch(2);
    await world.submit(id, "key");
    await world.tick(id);
    world.clock.ms += SETTLE_MS + RECOVERY_AFTER_MS + 1;
    const watches = await listWatches(world.table, { tenantId: "1001", id });
    const about = watches.map((watch) => toAsked(world.run, watch));
    const forgetful = telling((index) => (index === 0 ? unavailable : pending));
    posted.length = 0;
    await put(forgetful, { kind: "question", rail, shard: 0, age: "near", fromMs: world.clock.ms, about });
    const [{ message } = {}] = posted;
    if (message?.kind !== "timer") throw new Error("The batch was not woken");
    expect(await advanceIntent(forgetful, message, Number.POSITIVE_INFINITY)).toBe("lost_track");
    expect(await statusOf(id)).toBe("requires_recovery");
  });

  test("to a rail that is not configured is not guessed at, and names each payment that is held there", async () => {
    const missing = { ...(await question(2)), rail: "gone there" };
    expect(await put(world.run, missing)).toEqual({
      outcome: "rail_missing",
      news: missing.about.map((asked) => ({ asked, outcome: "rail_missing" })),
    });
  });
});

describe("a rail that does not answer", () => {
  const down = telling(() => unavailable);

  test("is left alone for longer, its points are handed on again, and ten failures raise an alarm", async () => {
    const asked = await question(2);
    const waits: number[] = [];
    const outcomes: unknown[] = [];
    posted.length = 0;
    for (let failures = 1; failures <= 10; failures++) {
      outcomes.push(await outcomeOf(down, asked));
      const { retryAtMs } = await findRailState(world.table, rail);
      waits.push(retryAtMs - world.clock.ms);
      world.clock.ms = retryAtMs;
    }
    expect(waits).toEqual([1, 1, 2, 2, 2, 2, 2, 2, 2, 2].map((intervals) => intervals * 1_000));
    expect(outcomes).toEqual([...Array(9).fill("applied"), "polls_failing"]);
    expect(await cursorOf(asked)).toBe(asked.fromMs);
    // Only the first is followed by another at once.
    expect(posted).toHaveLength(1);
    await put(world.run, asked);
    expect(await findRailState(world.table, rail)).toEqual({ failures: 0, retryAtMs: 0, probed: [] });
  });

  test("keeps no payment executing that is overdue, asked about or not, and settles it when it answers again", async () => {
    const [asked, waiting, young] = [await question(2), await question(2), await question(1)];
    world.clock.ms += SETTLE_MS + RECOVERY_AFTER_MS + 1;
    const late = {
      ...young,
      about: young.about.map(({ lookMs = 0, ...each }) => ({ ...each, lookMs: lookMs + 60_000 })),
    };
    // The first failure may be one payment's; what follows it would tell.
    expect(await put(down, asked)).toEqual({ outcome: "applied", news: [] });
    expect(await newsOf(down, asked)).toMatchObject([{ outcome: "lost_track" }, { outcome: "lost_track" }]);
    await put(down, asked);
    expect(await newsOf(down, asked)).toEqual([]);
    expect((await findRailState(world.table, rail)).retryAtMs).toBeGreaterThan(world.clock.ms);
    expect(await newsOf(down, waiting)).toMatchObject([{ outcome: "lost_track" }, { outcome: "lost_track" }]);
    expect(await newsOf(down, late)).toEqual([]);
    const statuses = () =>
      Promise.all([asked, waiting, young].flatMap(({ about }) => about.map(({ id }) => statusOf(id))));
    expect(await statuses()).toEqual([...Array(4).fill("requires_recovery"), "executing"]);
    expect([await cursorOf(asked), await cursorOf(waiting)]).toEqual([asked.fromMs, waiting.fromMs]);
    world.clock.ms = (await findRailState(world.table, rail)).retryAtMs;
    for (const each of [asked, waiting, late]) await putWholly(world.run, each);
    expect(await statuses()).toEqual(Array(5).fill("completed"));
  });

  test("is not asked while it is left alone, and what it was to be asked is handed on later", async () => {
    const [first, second] = [await question(2), await question(2)];
    await put(down, first);
    await put(down, second);
    const asked: unknown[] = [];
    const listening = telling((_, key) => {
      asked.push(key);
      return pending;
    });
    const third = await question(1);
    expect(await put(listening, third)).toEqual({ outcome: "applied", news: [] });
    expect([asked, await cursorOf(third)]).toEqual([[], third.fromMs]);
    world.clock.ms = (await findRailState(world.table, rail)).retryAtMs;
    await put(listening, third);
    expect(asked).toHaveLength(1);
  });

  test("is searched for a payment at fault no further while it is left alone, and goes on with that after it", async () => {
    const [first, second] = [await question(2), await question(2)];
    await putWholly(down, first);
    const search: Question = { ...second, search: { failed: [] } };
    posted.length = 0;
    expect(await put(down, search)).toEqual({ outcome: "applied", news: [] });
    const { failures, retryAtMs } = await findRailState(world.table, rail);
    expect([failures, posted]).toEqual([2, [{ message: search, delaySeconds: (retryAtMs - world.clock.ms) / 1000 }]]);
    expect(posted[0]?.delaySeconds).toBe(1);
  });

  test("which had no time for all is asked about the others by a question of their own", async () => {
    const asked = await question(3);
    const hurried = world.withRail({ statuses: async () => [pending] });
    posted.length = 0;
    expect(await newsOf(hurried, asked)).toEqual([]);
    expect(posted).toEqual([{ message: { ...asked, about: asked.about.slice(1) } }]);
  });
});
