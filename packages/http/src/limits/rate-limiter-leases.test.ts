import { startTable } from "@intents/storage/test/table-fixture.ts";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openRateLimiter } from "./rate-limiter.ts";

const SECOND_MS = Date.UTC(2026, 10, 21, 12);
const LIMIT = 160;

// Counts have keys of the same form as all other items. No call fails at random: the SDK would wait for its next try by
// timers that some of these tests hold.
const { table, stop } = await startTable({ isHostile: false });
afterAll(stop);

test("requests taken in advance are given out during the next take, and none is refused for it", async () => {
  const limiter = openRateLimiter(table, { limits: { global: LIMIT }, budgetMs: 10_000 });
  const ask = (times: number, nowMs: number) =>
    Array.from({ length: times }, async () => (await limiter("global", "busy", nowMs))?.allowed);
  // The first second is so busy that the container takes more of the next one than it is asked for.
  await Promise.all(ask(LIMIT, SECOND_MS));

  const [first, ...others] = ask(40, SECOND_MS + 1_000);
  await first;
  const during = ask(20, SECOND_MS + 1_000);
  expect(await Promise.all([...others, ...during])).toEqual(Array(59).fill(true));

  const rest = await Promise.all(ask(LIMIT, SECOND_MS + 1_000));
  expect(rest.filter(Boolean)).toHaveLength(LIMIT - 60);
});

test("what is held already is not taken once more for requests that came during the take", async () => {
  const limiter = openRateLimiter(table, { limits: { global: 100 * LIMIT }, budgetMs: 10_000 });
  const ask = (nowMs: number) => limiter("global", "steady", nowMs);
  await Promise.all(Array.from({ length: 40 }, () => ask(SECOND_MS)));
  const send = vi.spyOn(table.db, "send");
  const first = ask(SECOND_MS + 1_000);
  await Promise.all([first, ...Array.from({ length: 9 }, () => ask(SECOND_MS + 1_000))]);
  expect(send).toHaveBeenCalledTimes(1);
  send.mockRestore();
});

describe("a count that comes late", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => vi.useRealTimers());

  const countLate = (steps: number) => {
    const counting = openRateLimiter(table, { limits: { global: LIMIT }, budgetMs: 50 })("global", "late", SECOND_MS);
    // However long a process is busy with something else, the next timer is what fires when it looks up again.
    for (let step = 0; step < steps; step += 1) vi.advanceTimersToNextTimer();
    return counting;
  };

  test("is waited for as long as this process was busy with something else", async () => {
    expect(await countLate(1)).toMatchObject({ allowed: true });
  });

  test("is not waited for once this process could have received it for the whole budget", async () => {
    expect(await countLate(5)).toBeUndefined();
  });
});
