import { clearRailFailures, findRailState, noteRailFailure } from "@intents/storage/polling/rail-state.ts";
import { findSweepCursor, moveSweepCursor, rewindSweepCursor, type Swept } from "@intents/storage/polling/sweeps.ts";
import type { Posted, Question } from "@intents/storage/queue/queue.ts";
import { putWaiting } from "@intents/storage/test/intent-fixture.ts";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { startWorld } from "../../test/execution-fixture.ts";
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

const post: Post = async (messages) => void posted.push(...messages);
const sweepUntil = (untilMs: number) => sweep(world.run, { kind: "sweep", ...part, untilMs }, post);
const asked = () => posted.flatMap(({ message }) => (message as Question).about.map(({ id }) => id));

async function payment(): Promise<string> {
  const { id } = await world.newDraft();
  await world.submit(id);
  return id;
}
const cursorMs = async () => (await findSweepCursor(world.table, part)).atMs;
/** Lets the cursor stand at the present. */
const catchUp = async (swept: Swept = part) =>
  moveSweepCursor(world.table, swept, await findSweepCursor(world.table, swept), world.clock.ms);

describe("a sweep", () => {
  test("hands on each point once, for the second in which it comes, whoever else sweeps the same", async () => {
    const id = await payment();
    await catchUp();
    const untilMs = world.clock.ms + 1.5 * INTERVAL_MS;
    await sweepUntil(untilMs);
    expect(await sweepUntil(untilMs)).toBe("done before");
    expect(asked()).toEqual([id]);
    await sweepUntil(untilMs + 1);
    expect(asked()).toEqual([id]);
    const [{ delaySeconds = 0 } = {}] = posted;
    expect(delaySeconds * 1_000).toBeGreaterThanOrEqual(INTERVAL_MS * 0.9);
    expect(delaySeconds * 1_000).toBeLessThanOrEqual(INTERVAL_MS * 1.2);
  });

  test("of near points reads payments that began long before its cursor, and of far ones those alone that are older", async () => {
    const far = { ...part, age: "far" } as const;
    const old = await payment();
    world.clock.ms += 40 * INTERVAL_MS;
    await catchUp();
    await sweepUntil(world.clock.ms + 3 * INTERVAL_MS);
    expect(asked()).toContain(old);
    posted.length = 0;
    world.clock.ms += 30 * INTERVAL_MS;
    const young = await payment();
    for (const swept of [part, far]) await catchUp(swept);
    const untilMs = world.clock.ms + 10 * INTERVAL_MS;
    await sweep(world.run, { kind: "sweep", ...far, untilMs }, post);
    expect(asked()).toContain(old);
    expect(asked()).not.toContain(young);
    expect(posted.every(({ message }) => (message as Question).age === "far")).toBe(true);
    posted.length = 0;
    await sweepUntil(untilMs);
    expect(asked()).toContain(young);
    expect(asked()).not.toContain(old);
  });

  test("asks first what is due first, about no more payments at once than the rail takes", async () => {
    await catchUp();
    const ids = [await payment()];
    world.clock.ms += 0.5 * INTERVAL_MS;
    ids.push(await payment(), await payment());
    const run = world.withRail({ rail: { ...world.rail.port.rail, questionMax: 1 } });
    await sweep(run, { kind: "sweep", ...part, untilMs: world.clock.ms + 3 * INTERVAL_MS }, post);
    expect(asked()).toEqual(expect.arrayContaining(ids));
    expect(new Set(posted.map(({ message }) => (message as Question).about.length))).toEqual(new Set([1]));
    const delays = posted.map(({ delaySeconds = 0 }) => delaySeconds);
    expect(delays).toEqual(delays.toSorted((one, other) => one - other));
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
    await noteRailFailure(world.table, part.rail, { failures: 0, probed: [] }, { retryAtMs: world.clock.ms + 1 });
    expect(await sweepUntil(world.clock.ms)).toBe("left alone");
    world.clock.ms += 1;
    await sweepUntil(world.clock.ms);
    expect(asked()).toContain(id);
  });

  test("whose question fails before it has moved on leaves its points to the next", async () => {
    const id = await payment();
    await catchUp();
    await clearRailFailures(world.table, part.rail);
    await noteRailFailure(world.table, part.rail, { failures: 0, probed: [] }, { retryAtMs: 0 });
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

test("a sweep with a watch that cannot be read asks about all others, and names it", async () => {
  await payment();
  const broken = { tenantId: "1001", id: "broken" };
  // It started now, and nobody can tell when it is expected to end.
  const watchSK = `${part.rail}#${String(world.clock.ms).padStart(15, "0")}#x##e`;
  await putWaiting(world.table, broken, { watchPK: "WATCH#0", watchSK });
  const id = await payment();
  await catchUp();
  world.clock.ms += 2 * INTERVAL_MS;
  const swept = await sweepUntil(world.clock.ms);
  expect(swept).toMatchObject({ failed: [{ about: "T#1001#INTENT#broken INTENT" }] });
  expect(asked()).toContain(id);
});
