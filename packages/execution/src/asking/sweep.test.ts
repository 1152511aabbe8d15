import { clearRailFailures, findRailState, noteRailFailure } from "@intents/storage/intents/rail-state.ts";
import { findSweepCursor, moveSweepCursor, rewindSweepCursor } from "@intents/storage/intents/sweeps.ts";
import type { Posted, Question } from "@intents/storage/queue/queue.ts";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { startWorld } from "../execution-fixture.ts";
import { ask } from "./question.ts";
import { type Post, sweep } from "./sweep.ts";
import { sweepsOf } from "./tick.ts";

const world = await startWorld();
afterAll(world.stop);

const INTERVAL_MS = world.run.settings.pollIntervalMs;
const part = { rail: "sandbox embedded", shard: 0, age: "near" } as const;
const posted: Posted[] = [];
beforeEach(() => {
  posted.length = 0;
});

const sweepUntil = (untilMs: number) =>
  sweep(world.run, { kind: "sweep", ...part, untilMs }, async (messages) => void posted.push(...messages));
const asked = () => posted.flatMap(({ message }) => (message as Question).about.map(({ id }) => id));

async function payment(): Promise<string> {
  const { id } = await world.newDraft();
  await world.submit(id);
  return id;
}
const cursorMs = async () => (await findSweepCursor(world.table, part)).atMs;
/** Lets the cursor stand at the present. */
const catchUp = async () =>
  moveSweepCursor(world.table, part, await findSweepCursor(world.table, part), world.clock.ms);

describe("a sweep", () => {
  test("hands on each point once, for the second in which it comes, whoever else sweeps the same", async () => {
    const id = await payment();
    await catchUp();
    const untilMs = world.clock.ms + 1.5 * INTERVAL_MS;
    await sweepUntil(untilMs);
    expect(await sweepUntil(untilMs)).toBe("done before");
    expect(asked()).toEqual([id]);
    const [{ delaySeconds = 0 } = {}] = posted;
    expect(delaySeconds * 1_000).toBeGreaterThanOrEqual(INTERVAL_MS * 0.9);
    expect(delaySeconds * 1_000).toBeLessThanOrEqual(INTERVAL_MS * 1.2);
  });

  test("that is late asks once for all that has passed, and those that wait behind it find nothing left", async () => {
    const id = await payment();
    await catchUp();
    const startMs = world.clock.ms;
    world.clock.ms += 8 * INTERVAL_MS;
    const late = [1, 2, 3, 4, 5, 6].map((intervals) => startMs + intervals * INTERVAL_MS);
    for (const untilMs of late) await sweepUntil(untilMs);
    expect(asked().filter((each) => each === id)).toEqual([id]);
    expect(await cursorMs()).toBe(world.clock.ms);
  });

  test.each([
    ["a worker's clock", { aheadMs: 3_600_000, untilMs: 0 }],
    ["the schedule's clock", { aheadMs: 0, untilMs: 3_600_000 }],
  ])("does not move the cursor beyond its own time where %s is ahead by an hour", async (_, { aheadMs, untilMs }) => {
    await catchUp();
    const receivedMs = world.clock.ms + 2 * INTERVAL_MS;
    world.clock.ms = receivedMs;
    const ahead = { ...world.run, now: () => receivedMs + aheadMs };
    await sweep(ahead, { kind: "sweep", ...part, untilMs: receivedMs + untilMs }, async () => {}, receivedMs);
    expect(await cursorMs()).toBeGreaterThanOrEqual(receivedMs);
    expect(await cursorMs()).toBeLessThanOrEqual(receivedMs + INTERVAL_MS + 5_000);
    world.clock.ms += INTERVAL_MS + 5_000;
  });

  test("goes on from a cursor that was moved back to the beginning", async () => {
    await rewindSweepCursor(world.table, part, 0);
    await sweepUntil(world.clock.ms);
    expect(await cursorMs()).toBe(world.clock.ms);
  });

  test("leaves a rail alone that is failing, with all its points", async () => {
    const id = await payment();
    await catchUp();
    world.clock.ms += 2 * INTERVAL_MS;
    await noteRailFailure(world.table, part.rail, 0, { retryAtMs: world.clock.ms + 1 });
    expect(await sweepUntil(world.clock.ms)).toBe("left alone");
    world.clock.ms += 1;
    await sweepUntil(world.clock.ms);
    expect(asked()).toContain(id);
  });

  test("whose question fails before it has moved on leaves its points to the next", async () => {
    const id = await payment();
    await catchUp();
    await clearRailFailures(world.table, part.rail);
    await noteRailFailure(world.table, part.rail, 0, { retryAtMs: 0 });
    const [startMs, pauseMs] = [world.clock.ms, 2 * INTERVAL_MS];
    world.clock.ms += pauseMs;
    const down = world.withRail({
      statuses: async (about) => about.map(() => ({ kind: "unavailable", reason: "down" })),
    });
    const failing: Post = async (messages) => {
      for (const { message } of messages) if (message.kind === "question") await ask(down, message, async () => {});
    };
    await sweep(world.run, { kind: "sweep", ...part, untilMs: world.clock.ms }, failing);
    expect(await cursorMs()).toBe(startMs);
    world.clock.ms = Math.max(world.clock.ms, (await findRailState(world.table, part.rail)).retryAtMs);
    await sweepUntil(world.clock.ms);
    expect(asked()).toContain(id);
  });

  test("of a rail that is not configured asks nobody", async () => {
    expect(await sweep(world.run, { kind: "sweep", ...part, rail: "gone there", untilMs: 1 }, async () => {})).toBe(
      "rail_missing",
    );
  });
});

test("the sweeps of ticks cover all time, near and far, although ticks are up to 20 s late", () => {
  const settings = { pollIntervalMs: 30_000, aheadMs: 70_000, watchShards: 2 };
  const until = new Map<string, number>();
  for (let minute = 1; minute < 90; minute++) {
    const nowMs = minute * 60_000 + (minute % 3) * 10_000;
    for (const { message, delaySeconds = 0 } of sweepsOf("r", nowMs, settings)) {
      if (message.kind !== "sweep") throw new Error("A tick sends sweeps only");
      const key = `${message.shard} ${message.age}`;
      const doneMs = until.get(key);
      // When this sweep is made, the one before it has come at least as far.
      if (doneMs !== undefined) expect([key, doneMs >= nowMs + delaySeconds * 1_000]).toEqual([key, true]);
      until.set(key, Math.max(doneMs ?? 0, message.untilMs));
    }
  }
  expect([...until.keys()].toSorted()).toEqual(["0 far", "0 near", "1 far", "1 near"]);
});
