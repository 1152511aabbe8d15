import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type EndpointHealth,
  FAILED_IN_ROW_MAX,
  GIVEN_UP_AFTER_MS,
  hasFailed,
  isUnanswered,
  NEW,
  PAUSES_MS,
  pauseAfter,
  succeeded,
} from "./endpoint-health.ts";

const failing = (standing: EndpointHealth, eventId: string, nowMs = 0) =>
  hasFailed(standing, { eventId, nowMs, random: 0.5, retryAfterMs: 0 });

describe("a pause", () => {
  test("is that of its attempt, a fifth shorter or longer, and there is none after the last", () => {
    for (const [index, pauseMs] of PAUSES_MS.entries()) {
      expect(pauseAfter(index + 1, 0.5)).toBe(pauseMs);
      expect(pauseAfter(index + 1, 0)).toBe(Math.round(pauseMs * 0.8));
      expect(pauseAfter(index + 1, 0.999_999)).toBeLessThanOrEqual(pauseMs * 1.2);
    }
    expect(pauseAfter(PAUSES_MS.length + 1, 0.5)).toBeUndefined();
  });

  test("is as long as the receiver asks for, up to a day", () => {
    expect(pauseAfter(1, 0.5, 60_000)).toBe(60_000);
    expect(pauseAfter(1, 0.5, 1e12)).toBe(86_400_000);
  });
});

describe("an endpoint", () => {
  test("is failing once five different events in a row failed, one of them any number of times", () => {
    const once = Array.from({ length: 20 }).reduce<EndpointHealth>((before) => failing(before, "one"), NEW);
    expect(once.probe).toBeUndefined();
    const four = ["two", "three", "four"].reduce<EndpointHealth>(failing, once);
    expect(four.probe).toBeUndefined();
    expect(failing(four, "five").probe).toEqual({ count: 0, atMs: 5_000 });
  });

  test("is tried ever more seldom while it is failing, and never less often than every ten hours", () => {
    const down = ["1", "2", "3", "4", "5"].reduce<EndpointHealth>((before, id) => failing(before, id), NEW);
    const probes = Array.from({ length: 12 }).reduce<EndpointHealth[]>(
      (all) => [...all, failing(all.at(-1) ?? down, "1")],
      [],
    );
    const pauses = probes.map(({ probe }) => probe?.atMs);
    expect(pauses).toEqual([...PAUSES_MS.slice(1), ...Array(6).fill(PAUSES_MS.at(-1))]);
  });

  test("is well after one success, whatever failed before", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (events) => {
        const before = events.reduce<EndpointHealth>((standing, id) => failing(standing, id), NEW);
        const { wellSinceMs, ...after } = succeeded(before, 7, 10);
        expect(after).toEqual(NEW);
        expect(wellSinceMs).toBe(new Set(events).size >= FAILED_IN_ROW_MAX && before.probe ? 7 : undefined);
      }),
    );
  });

  test("is unanswered after five days without a success, however few attempts there were", () => {
    const first = failing(NEW, "1", 1_000);
    const last = failing(first, "2", 1_000 + GIVEN_UP_AFTER_MS);
    expect(isUnanswered(last, 999 + GIVEN_UP_AFTER_MS)).toBe(false);
    expect(isUnanswered(last, 1_000 + GIVEN_UP_AFTER_MS)).toBe(true);
    expect(isUnanswered(failing(succeeded(first, 2_000, 1), "2", 3_000), GIVEN_UP_AFTER_MS)).toBe(false);
  });
});
