import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { askTimes, distanceMs, nearForMs, nextAskMs, type PointSettings, type Span } from "./points.ts";
import type { Watch } from "./watch.ts";

const START_MS = Date.UTC(2026, 10, 21, 9);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 86_400 * SECOND;
const settings: PointSettings = { pollIntervalMs: 30 * SECOND, recoveryAfterMs: 30 * MINUTE };

const watch = (changes: Partial<Watch> = {}): Watch => ({
  executionId: "e",
  seed: "intent",
  startedMs: START_MS,
  expectedMs: START_MS + 2 * DAY,
  isCheckout: false,
  isHolding: false,
  ...changes,
});

/** All times until an age, near and far, as if they were computed long before. */
function timesOf(of: Watch, untilMs: number): number[] {
  const span = { afterMs: of.startedMs, untilMs: of.startedMs + untilMs };
  const both = (["near", "far"] as const).flatMap((age) => askTimes(of, { ...span, age }, 0, settings));
  return both.toSorted((one, other) => one - other);
}

/** The longest wait that SPEC and H23 allow after a question at this age. */
const waitMaxMs = (ageMs: number): number =>
  1.2 * (ageMs < 5 * MINUTE ? 30 * SECOND : ageMs < 30 * MINUTE ? MINUTE : Math.min(ageMs / 20, 15 * MINUTE));

const seeds = fc.uuid();
const starts = fc.integer({ min: START_MS, max: START_MS + DAY });

describe("the times at which a rail is asked", () => {
  test("are 30 s apart for the first five minutes, give or take 20 %", () => {
    fc.assert(
      fc.property(seeds, starts, (seed, startedMs) => {
        const young = watch({ seed, startedMs, expectedMs: startedMs + 2 * DAY });
        const times = [startedMs, ...timesOf(young, 5.5 * MINUTE)];
        const waits = times.slice(1).map((ms, index) => ms - (times[index] ?? 0));
        expect(waits.length).toBeGreaterThanOrEqual(9);
        expect(Math.min(...waits)).toBeGreaterThanOrEqual(24 * SECOND);
        expect(Math.max(...waits)).toBeLessThanOrEqual(36 * SECOND);
      }),
    );
  });

  test("are never further apart than a payment's age allows, for three days", () => {
    const expected = fc.integer({ min: 0, max: 3 * DAY });
    fc.assert(
      fc.property(seeds, starts, expected, fc.boolean(), (seed, startedMs, afterMs, isCheckout) => {
        const times = [
          startedMs,
          ...timesOf(watch({ seed, startedMs, isCheckout, expectedMs: startedMs + afterMs }), 3 * DAY),
        ];
        times.slice(1).forEach((ms, index) => {
          const before = times[index] ?? 0;
          expect(ms - before).toBeLessThanOrEqual(waitMaxMs(before - startedMs) + 1);
        });
      }),
      { numRuns: 30 },
    );
  });

  test("are every 30 s while a checkout is open, however long that is", () => {
    const times = timesOf(watch({ isCheckout: true, expectedMs: START_MS + 90 * MINUTE }), 90 * MINUTE);
    const waits = times.slice(1).map((ms, index) => ms - (times[index] ?? 0));
    expect(Math.max(...waits)).toBeLessThanOrEqual(36 * SECOND);
  });

  test("meet the expected end, the half hour after it, and the moment from which silence is a loss", () => {
    fc.assert(
      // Nothing is asked at the very start.
      fc.property(seeds, fc.integer({ min: 1, max: 3 * DAY }), (seed, afterMs) => {
        const expectedMs = START_MS + afterMs;
        const times = timesOf(watch({ seed, expectedMs }), 4 * DAY);
        expect(times.some((ms) => ms >= expectedMs && ms < expectedMs + 2 * SECOND)).toBe(true);
        const lostMs = expectedMs + settings.recoveryAfterMs;
        expect(times.some((ms) => ms > lostMs && ms < lostMs + 2.1 * SECOND)).toBe(true);
        const eager = times.filter((ms) => ms >= expectedMs && ms <= expectedMs + 30 * MINUTE);
        const longest = Math.max(...eager.slice(1).map((ms, index) => ms - (eager[index] ?? 0)));
        // A payment that is expected within its first minutes keeps the pace of its age.
        expect(longest).toBeLessThanOrEqual(afterMs < 6 * MINUTE ? waitMaxMs(afterMs + 30 * MINUTE) : 72 * SECOND);
      }),
      { numRuns: 30 },
    );
  });

  test("are the same however the time is cut into spans", () => {
    const cuts = fc.array(fc.integer({ min: 0, max: 2 * DAY + 2 * 60 * MINUTE }), { maxLength: 40 });
    fc.assert(
      fc.property(seeds, cuts, fc.boolean(), (seed, inner, isCheckout) => {
        const of = watch({ seed, isCheckout, expectedMs: START_MS + (isCheckout ? 30 * MINUTE : DAY) });
        const edges = [0, ...inner, 2 * DAY + 2 * 60 * MINUTE].map((ms) => START_MS + ms).toSorted((a, b) => a - b);
        const parts = edges
          .slice(1)
          .flatMap((untilMs, index) =>
            (["near", "far"] as const).flatMap((age) =>
              askTimes(of, { age, afterMs: edges[index] ?? 0, untilMs }, 0, settings),
            ),
          );
        // A time on the grid may stand for two points, one on each side of a cut.
        expect([...new Set(parts)].toSorted((a, b) => a - b)).toEqual([
          ...new Set(timesOf(of, (edges.at(-1) ?? 0) - START_MS)),
        ]);
      }),
    );
  });

  test("of payments that began together are spread after some of them", () => {
    const tenth = Array.from({ length: 300 }, (_, index) => timesOf(watch({ seed: `intent ${index}` }), 6 * MINUTE)[9]);
    const ages = tenth.map((ms = 0) => ms - START_MS);
    expect(Math.max(...ages) - Math.min(...ages)).toBeGreaterThan(50 * SECOND);
  });

  test.each([
    { minutes: 20, polls: 27 },
    { minutes: 60, polls: 52 },
    { minutes: 2880, polls: 262 },
  ])("are $polls on average until a payment settles after $minutes minutes, as docs/deploy.md reckons", (row) => {
    const settleMs = row.minutes * MINUTE;
    const counts = Array.from({ length: 100 }, (_, payment) => {
      const about = watch({ seed: String(payment), expectedMs: START_MS + settleMs });
      let polls = 0;
      for (let atMs = START_MS; atMs < START_MS + settleMs; polls++) atMs = nextAskMs(about, atMs, settings);
      return polls;
    });
    expect(counts.reduce((sum, count) => sum + count, 0) / counts.length).toBeCloseTo(row.polls, 0);
  });

  test("that have passed are made good by one question, at once", () => {
    const nowMs = START_MS + 4 * MINUTE;
    const span: Span = { age: "near", afterMs: 0, untilMs: nowMs + 10 * SECOND };
    const [first, ...others] = askTimes(watch(), span, nowMs, settings);
    expect(first).toBe(nowMs);
    expect(others.length).toBeLessThanOrEqual(1);
    expect(askTimes(watch(), { ...span, afterMs: nowMs, untilMs: nowMs }, nowMs, settings)).toEqual([]);
  });

  test("are told once by sweeps that come one after another, each a moment ahead", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const of = watch({ seed, expectedMs: START_MS + 3 * MINUTE });
        const asked: number[] = [];
        for (let nowMs = START_MS; nowMs < START_MS + 25 * MINUTE; nowMs += 15 * SECOND) {
          const afterMs = nowMs === START_MS ? START_MS : nowMs + 20 * SECOND;
          asked.push(...askTimes(of, { age: "near", afterMs, untilMs: nowMs + 35 * SECOND }, nowMs, settings));
        }
        expect([...new Set(asked)]).toEqual(timesOf(of, 25 * MINUTE + 20 * SECOND));
      }),
      { numRuns: 20 },
    );
  });

  test("are near up to an age, and far from then on", () => {
    const edgeMs = START_MS + nearForMs(settings);
    const span = { afterMs: 0, untilMs: START_MS + 3 * DAY };
    expect(Math.max(...askTimes(watch(), { ...span, age: "near" }, 0, settings))).toBeLessThan(edgeMs + 5 * SECOND);
    expect(Math.min(...askTimes(watch(), { ...span, age: "far" }, 0, settings))).toBeGreaterThan(edgeMs);
  });

  test("go on without an end that is expected, and of those of a payment of two days there are fewer than 300", () => {
    const lost = watch();
    const { expectedMs: _none, ...silent } = lost;
    expect(timesOf(silent, 2 * DAY).length).toBeGreaterThan(200);
    expect(timesOf(lost, 2 * DAY).length).toBeLessThan(300);
  });

  test.each<[string, Partial<Watch>, after: number, distance: number]>([
    ["young", {}, 0, 30],
    ["older than the first minutes", {}, 325, 52],
    ["far older", {}, 8_000, 384],
    ["about to reach its expected end", { expectedMs: START_MS + 6_000 * SECOND }, 5_950, 30],
    ["at the last but one point after that", { expectedMs: START_MS + 6_000 * SECOND }, 7_700, 52],
    ["at the last point after that", { expectedMs: START_MS + 6_000 * SECOND }, 7_720, 352],
  ])("of a payment that is %s are so far apart", (_, changes, after, distance) => {
    const { expectedMs: _none, ...silent } = watch();
    expect(distanceMs({ ...silent, ...changes }, START_MS + after * SECOND, settings)).toBe(distance * SECOND);
  });

  test("follow at once what is expected within a millisecond", () => {
    const expectedMs = START_MS + 6_000 * SECOND;
    expect(nextAskMs(watch({ expectedMs }), expectedMs - 1, settings)).toBe(expectedMs);
  });

  test("follow one another from the next one to the next", () => {
    const of = watch({ expectedMs: START_MS + MINUTE });
    const expected = timesOf(of, 20 * MINUTE);
    const walked: number[] = [];
    for (let ms = START_MS; ; walked.push(ms)) {
      ms = nextAskMs(of, ms, settings);
      if (ms > START_MS + 20 * MINUTE) break;
    }
    expect(walked.every((ms) => expected.includes(ms))).toBe(true);
    expect(walked.length).toBeGreaterThanOrEqual(expected.length - 2);
  });

  // While a new version is deployed, two versions sweep side by side. A point that they place differently is asked
  // twice, or by nobody.
  test.each<[string, Partial<Watch>, from: number, until: number, seconds: string]>([
    [
      ...(["of a payment without an expected end", {}, 0, 22_000] as const),
      "28 56 82 110 136 164 190 218 244 272 298 326 360 412 468 520 576 628 684 736 792 844 900 952 1008 1064 1116 " +
        "1172 1224 1280 1332 1388 1440 1496 1548 1604 1656 1712 1764 1820 1872 1948 2036 2132 2228 2332 2440 2552 " +
        "2672 2792 2920 3056 3200 3344 3496 3656 3824 4000 4184 4384 4584 4792 5024 5248 5488 5744 6000 6288 6576 " +
        "6880 7184 7520 7872 8224 8608 9008 9424 9872 10320 10800 11280 11792 12336 12912 13520 14128 14768 15472 " +
        "16176 16912 17680 18512 19312 20112 20944 21744",
    ],
    [
      ...(["around an end that is expected late", { expectedMs: START_MS + 6_000 * SECOND }, 5_900, 8_300] as const),
      "6000 6028 6056 6082 6110 6136 6164 6190 6218 6244 6272 6288 6298 6326 6360 6412 6468 6520 6576 6628 6684 6736 " +
        "6792 6844 6880 6900 6952 7008 7064 7116 7172 7184 7224 7280 7332 7388 7440 7496 7520 7548 7604 7656 7712 " +
        "7764 7802 7872 8224",
    ],
    [
      ...(["around an end that is expected soon", { expectedMs: START_MS + 240 * SECOND }, 200, 500] as const),
      "218 240 244 272 298 326 360 412 468",
    ],
    ["once silence is a loss", { expectedMs: START_MS + 240 * SECOND }, 1_950, 2_150, "2036 2042 2132"],
    [
      ...(["around an end just not soon", { expectedMs: START_MS + 345 * SECOND }, 300, 500] as const),
      "326 346 360 374 400 412 428 454 468 482",
    ],
    [
      ...(["as a checkout ends", { isCheckout: true, expectedMs: START_MS + 2_400 * SECOND }, 2_250, 2_800] as const),
      "2270 2298 2324 2352 2378 2400 2424 2428 2456 2482 2510 2536 2564 2590 2618 2644 2648 2672 2698 2726 2760 2776",
    ],
    ["of a checkout without an end", { isCheckout: true }, 200, 500, "218 244 272 298 326 360 412 468"],
  ])("are the same in every version of the service: %s", (_, changes, from, until, seconds) => {
    const { expectedMs: _none, ...silent } = watch();
    const of = { ...silent, ...changes };
    const [afterMs, untilMs] = [START_MS + from * SECOND, START_MS + until * SECOND];
    const asked = (["near", "far"] as const).flatMap((age) => askTimes(of, { age, afterMs, untilMs }, 0, settings));
    const walked: number[] = [];
    for (let ms = nextAskMs(of, afterMs, settings); ms <= untilMs; ms = nextAskMs(of, ms, settings)) walked.push(ms);
    const expected = seconds.split(" ").map((text) => START_MS + Number(text) * SECOND);
    expect([asked, walked]).toEqual([expected, expected]);
    expect(nearForMs(settings)).toBe(32 * MINUTE);
  });
});
