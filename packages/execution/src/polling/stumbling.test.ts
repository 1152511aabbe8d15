import { hastenAlone, listAlone, putAlone } from "@intents/storage/polling/alone.ts";
import { findRailState, noteRailFailure } from "@intents/storage/polling/rail-state.ts";
import { findSweepCursor } from "@intents/storage/polling/sweeps.ts";
import type { Question } from "@intents/storage/queue/queue.ts";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openAsking, rail } from "../../test/asking-fixture.ts";
import { startWorld } from "../../test/execution-fixture.ts";
import { askAlone } from "./ask-alone.ts";
import { findOther } from "./probe.ts";

const world = await startWorld();
afterAll(world.stop);

const { question, posted, put, putWholly, aloneOf, begin } = openAsking(world);
beforeEach(begin);
const unavailable = { kind: "unavailable", reason: "down" } as const;
const pending = { kind: "pending" } as const;
const cursorOf = async (of: Question) => (await findSweepCursor(world.table, of)).atMs;

describe("a rail", () => {
  /** A rail that tells nothing of anybody whenever it is asked about one of these. */
  const stumblingOver = (poisoned: readonly string[], questions: number[] = []) =>
    world.withRail({
      statuses: async (keys) => {
        questions.push(keys.length);
        return keys.map(() => (keys.some(({ executionId }) => poisoned.includes(executionId)) ? unavailable : pending));
      },
    });

  test.each([
    ["first", 0],
    ["in the middle", 2],
    ["last", 4],
  ])("stumbles over the %s payment of a question is asked about that one alone from then on", async (_, at) => {
    const asked = await question(5);
    const before = await cursorOf(asked);
    const poisoned = asked.about[at]?.executionId ?? "";
    const questions: number[] = [];
    // The first single payment that is asked about is the one after it.
    const random = () => Uint8Array.from([0, 0, 0, (at + 1) % 5]);
    await putWholly({ ...stumblingOver([poisoned], questions), random }, asked);
    expect(await aloneOf()).toEqual([poisoned]);
    expect(questions.length).toBeLessThanOrEqual(2 * Math.log2(5) + 2);
    expect(await cursorOf(asked)).toBe(before);
    expect((await findRailState(world.table, rail)).retryAtMs).toBe(0);
    // Questions leave out the payment at fault, and go on for all others.
    questions.length = 0;
    await putWholly(stumblingOver([poisoned], questions), asked);
    expect(questions).toEqual([4]);
    await putWholly(world.run, { ...asked, about: asked.about.slice(at, at + 1) });
    expect(questions).toEqual([4]);
  });

  test("that stumbles over one payment for good tells the ends of all others, and that one is named", async () => {
    const asked = await question(4);
    const [{ executionId, id } = { executionId: "", id: "" }, ...others] = asked.about;
    const settled = { kind: "settled", legs: [{ order: 0, outcome: "cleared" }] } as const;
    const stumbling = world.withRail({
      statuses: async (keys) =>
        keys.map(() => (keys.some((key) => key.executionId === executionId) ? unavailable : settled)),
    });
    for (let tries = 0; (await aloneOf()).length === 0 && tries < 10; tries++) {
      await putWholly(stumbling, asked);
      world.clock.ms = Math.max(world.clock.ms, (await findRailState(world.table, rail)).retryAtMs);
    }
    expect(await aloneOf()).toEqual([executionId]);
    expect(await Promise.all(others.map(async (each) => (await world.get(each.id)).status))).toEqual(
      others.map(() => "completed"),
    );
    expect((await world.get(id)).status).toBe("executing");
  });

  test("that answers about one payment of many is known by that one, and never by what fails", async () => {
    const asked = await question(5);
    const [healthy = "", ...poisoned] = asked.about.map(({ executionId }) => executionId);
    // Each question about a single payment may hit one that fails, and leaves the rail alone for a while.
    for (let tries = 0; (await aloneOf()).filter((id) => poisoned.includes(id)).length < 4 && tries < 40; tries++) {
      await putWholly(stumblingOver(poisoned), asked);
      world.clock.ms = Math.max(world.clock.ms, (await findRailState(world.table, rail)).retryAtMs);
    }
    expect(await aloneOf()).toEqual(expect.arrayContaining(poisoned));
    expect(await aloneOf()).not.toContain(healthy);
  });

  test("that stumbles over all of one question is asked about each of them once, and then about another payment", async () => {
    const [poisoned, healthy] = [await question(4), await question(1)];
    const down = poisoned.about.map(({ executionId }) => executionId);
    const probes = async () => (await findRailState(world.table, rail)).probed.filter((id) => down.includes(id));
    // The question of another shard, which holds the healthy payment, never comes first.
    for (let tries = 0; tries < down.length; tries++) {
      await putWholly(stumblingOver(down), poisoned);
      expect(await probes()).toHaveLength(tries + 1);
      world.clock.ms = (await findRailState(world.table, rail)).retryAtMs;
    }
    await putWholly(stumblingOver(down), poisoned);
    expect((await findRailState(world.table, rail)).failures).toBe(0);
    expect(await aloneOf()).toEqual(down.toSorted());
    expect(await aloneOf()).not.toContain(healthy.about[0]?.executionId);
  });

  test.each<[probed: string[], other: string]>([
    [["a", "b"], "c"],
    [["b", "c", "a"], "b"],
    [["c", "a", "b"], "c"],
  ])("that was asked alone about %j, last about the last, is asked next about %s", async (probed, other) => {
    const about = ["a", "b", "c"].map((executionId) => ({ tenantId: "1001", id: executionId, executionId }));
    const asked: Question = { kind: "question", rail: "quiet rail", shard: 0, age: "near", fromMs: 0, about };
    const state = { failures: 2, retryAtMs: 0, probed };
    expect((await findOther(world.run, asked, state))?.executionId).toBe(other);
    expect(await findOther(world.run, { ...asked, about: about.slice(0, 1) }, state)).toBeUndefined();
  });

  test("that tells nothing of anybody finds nobody at fault, however often it is asked", async () => {
    const [before, asked] = [await aloneOf(), await question(5)];
    const questions: number[] = [];
    const silent = world.withRail({
      statuses: async (keys) => {
        questions.push(keys.length);
        return keys.map(() => unavailable);
      },
    });
    for (let tries = 0; tries < 5; tries++) {
      await putWholly(silent, asked);
      world.clock.ms = (await findRailState(world.table, rail)).retryAtMs;
    }
    // One question about all, and from then on one about a single payment each time.
    expect(questions).toEqual([5, 1, 1, 1, 1, 1]);
    expect(await aloneOf()).toEqual(before);
    await putWholly(world.run, asked);
    expect(await findRailState(world.table, rail)).toMatchObject({ failures: 0, retryAtMs: 0 });
  });

  test("that says for how long it is to be left alone is not asked before", async () => {
    const asked = await question(2);
    const busy = world.withRail({
      statuses: async (keys) => keys.map(() => ({ ...unavailable, retryAfterMs: 40_000 })),
    });
    posted.length = 0;
    await put(busy, asked);
    expect((await findRailState(world.table, rail)).retryAtMs).toBe(world.clock.ms + 40_000);
    expect(posted).toMatchObject([{ message: { about: { length: 1 } }, delaySeconds: 40 }]);
    world.clock.ms += 40_000;
    await putWholly(world.run, asked);
  });

  test("that fails a question about one payment is asked about another, and about that one alone with ever longer pauses", async () => {
    const [poisoned, healthy] = [await question(1), await question(1)];
    const [{ executionId, id } = { executionId: "", id: "" }] = poisoned.about;
    const questions: number[] = [];
    const stumbling = stumblingOver([executionId], questions);
    await putWholly(stumbling, poisoned);
    expect([await aloneOf(), questions]).toEqual([expect.arrayContaining([executionId]), [1, 1]]);
    const outcomes: unknown[] = [];
    const dueMs = async () =>
      (await listAlone(world.table, rail)).find((each) => each.executionId === executionId)?.dueAtMs ?? 0;
    const pauses: number[] = [];
    for (let times = 0; times < 6; times++) {
      pauses.push(((await dueMs()) - world.clock.ms) / world.run.settings.pollIntervalMs);
      world.clock.ms = await dueMs();
      questions.length = 0;
      await putWholly(stumbling, healthy);
      expect(questions).toEqual([1]);
      outcomes.push(...(await askAlone(stumbling, { kind: "alone", rail }, async () => {})).news);
    }
    // Points lie up to a fifth of an interval nearer or farther.
    for (const [index, intervals] of [1, 2, 4, 8].entries()) {
      expect(Math.abs((pauses[index] ?? 0) / intervals - 1)).toBeLessThanOrEqual(0.21);
    }
    expect(outcomes.slice(0, 3)).toMatchObject([
      { outcome: "unanswered" },
      { outcome: "failed_alone", asked: { id } },
      { outcome: "failed_alone" },
    ]);
    world.clock.ms = await dueMs();
    await askAlone(world.run, { kind: "alone", rail }, async () => {});
    expect([await aloneOf(), (await world.get(id)).status]).toEqual([[], "completed"]);
  });

  test("that stumbles over another payment, while it is asked about one alone, is asked about that one at its time", async () => {
    const { about } = await question(2);
    const [one, other] = about.map((payment) => ({ ...payment, failures: 1, sinceMs: world.clock.ms }));
    const dueAtMs = world.clock.ms + 3_600_000;
    const stumbling = world.withRail({
      statuses: async (keys) => {
        if (other !== undefined) await putAlone(world.table, rail, { ...other, dueAtMs });
        await hastenAlone(world.table, rail, dueAtMs);
        return keys.map(() => pending);
      },
    });
    if (one !== undefined) await putAlone(world.table, rail, { ...one, dueAtMs: world.clock.ms });
    await hastenAlone(world.table, rail, world.clock.ms);
    await askAlone(stumbling, { kind: "alone", rail }, async () => {});
    expect(await aloneOf()).toEqual([other?.executionId]);
    expect((await findRailState(world.table, rail)).aloneAtMs).toBe(dueAtMs);
  });

  test("that is left alone is asked about no payment alone either, and after that about one at once after another", async () => {
    const { about } = await question(2);
    const nowMs = world.clock.ms;
    for (const payment of about)
      await putAlone(world.table, rail, { ...payment, failures: 1, sinceMs: nowMs, dueAtMs: nowMs });
    await hastenAlone(world.table, rail, nowMs);
    await noteRailFailure(world.table, rail, { failures: 0, probed: [] }, { retryAtMs: nowMs + 1 });
    const questions: number[] = [];
    const answering = stumblingOver([], questions);
    await putWholly(answering, { kind: "alone", rail });
    expect([questions, await aloneOf()]).toEqual([[], about.map(({ executionId }) => executionId).toSorted()]);
    world.clock.ms += 1;
    await putWholly(answering, { kind: "alone", rail });
    expect([questions, await aloneOf()]).toEqual([[1, 1], []]);
  });
});
