import type { Watch } from "./watch.ts";

// The times at which a rail is asked how a payment stands. They follow from the watch alone, in closed form: whoever
// computes them, however late and however often, gets the same ones, so that none is lost with a message (H21, H23).

/** The interval of the first minutes, and the silence after which a payment counts as lost, in milliseconds. */
export type PointSettings = Readonly<{ pollIntervalMs: number; recoveryAfterMs: number }>;

/**
 * The points after `afterMs` and until `untilMs`. Near ones, of young payments, are computed a moment before they come;
 * far ones are rarer, and computed minutes ahead.
 */
export type Span = Readonly<{ age: "near" | "far"; afterMs: number; untilMs: number }>;

// Ages and waits are counted in intervals: at one of 30 s these are 5 min 45 s, 31.5 min, 5 h and 15 min. The first two
// are a little longer than SPEC has them, so that a wait which begins within the time is not longer than it says.
const CLOSE_FOR = 11.5;
const USUAL_FOR = 63;
const WAIT_MAX = 30;
/** Between the usual and the longest, a wait is this part of the age. */
const AGE_PART = 20;
const SLOWING_FOR = AGE_PART * WAIT_MAX;
/** Payments up to this age are near. */
const NEAR_FOR = 64;
/** How long the rail is asked more often after the time at which something should have happened. */
const EAGER_FOR = 60;

/** Waits differ by this part between payments, so that those that begin together drift apart. */
const SPREAD = 0.1;
/** Points are rounded up to a part of the wait before them, so that one question asks for many payments. */
const GRID_PART = 15;

/** The age up to which points are near, in milliseconds. */
export const nearForMs = ({ pollIntervalMs }: PointSettings): number => NEAR_FOR * pollIntervalMs;

/**
 * The times at which to ask the rail for the points of `span`, in order. For all points that `nowMs` has passed, one
 * question is enough. A wait is 30 s for 5 minutes or while a checkout is open, 60 s up to half an hour, then a 20th of
 * the age but at most 15 minutes, each ± 20 % (SPEC, Events; H23); it begins anew at an expected end, for half an hour,
 * unless the end is expected within the first minutes.
 */
export function askTimes(watch: Watch, span: Span, nowMs: number, settings: PointSettings): number[] {
  const edgeMs = watch.startedMs + nearForMs(settings);
  const afterMs = span.age === "far" ? Math.max(span.afterMs, edgeMs) : span.afterMs;
  const untilMs = span.age === "near" ? Math.min(span.untilMs, edgeMs) : span.untilMs;
  if (untilMs <= afterMs) return [];
  const times = new Set<number>();
  for (const { countBy, timeOf } of seriesOf(watch, settings)) {
    const passed = countBy(Math.min(nowMs, untilMs));
    if (passed > countBy(afterMs)) times.add(nowMs);
    for (let n = Math.max(passed, countBy(afterMs)) + 1; n <= countBy(untilMs); n++) {
      times.add(Math.max(timeOf(n), nowMs));
    }
  }
  return [...times].toSorted((one, other) => one - other);
}

/** The first time after `nowMs` at which the rail is asked. */
export function nextAskMs(watch: Watch, nowMs: number, settings: PointSettings): number {
  const next = seriesOf(watch, settings).flatMap(({ countBy, timeOf, last }) => {
    const n = countBy(nowMs) + 1;
    return n > last ? [] : Math.max(timeOf(n), nowMs + 1);
  });
  return Math.min(...next);
}

/** The distance of the points of a payment that is as old as this one: the interval by which its questions are counted. */
export function distanceMs(watch: Watch, nowMs: number, settings: PointSettings): number {
  const distances = seriesOf(watch, settings).flatMap(({ countBy, timeOf, last }) => {
    const next = countBy(nowMs) + 1;
    return next + 1 > last ? [] : timeOf(next + 1) - timeOf(next);
  });
  return Math.max(Math.min(...distances), settings.pollIntervalMs);
}

/** Points counted from 1: how many there are by a time, and the time of each. There are at most `last`. */
type Series = Readonly<{ countBy(ms: number): number; timeOf(n: number): number; last: number }>;

function seriesOf(watch: Watch, settings: PointSettings): Series[] {
  const { startedMs, expectedMs, isCheckout } = watch;
  const intervalMs = settings.pollIntervalMs;
  const factor = 1 - SPREAD + 2 * SPREAD * fractionOf(watch.seed);
  const scale = { intervalMs, factor };
  const openFor = isCheckout && expectedMs !== undefined ? (expectedMs - startedMs) / intervalMs : 0;
  const usual = series(cadenceOf(Math.max(CLOSE_FOR, openFor)), scale, startedMs, Number.POSITIVE_INFINITY);
  if (expectedMs === undefined) return [usual];
  const again = cadenceOf(CLOSE_FOR);
  const isSoon = expectedMs - startedMs < CLOSE_FOR * intervalMs;
  const eager = isSoon ? 0 : Math.floor(again.countAt(EAGER_FOR) / factor);
  return [
    usual,
    fromItself(series(again, scale, expectedMs, eager), expectedMs, intervalMs),
    fromItself(series(again, scale, expectedMs, 0), expectedMs + settings.recoveryAfterMs + 1, intervalMs),
  ];
}

type Cadence = ReturnType<typeof cadenceOf>;

/** How many waits fit into an age, and back; how long the wait is at an age. `closeFor`: the time of the first pace. */
function cadenceOf(closeFor: number) {
  const usualFor = Math.max(USUAL_FOR, closeFor);
  const slowingFor = Math.max(SLOWING_FOR, usualFor);
  const usualCount = closeFor + (usualFor - closeFor) / 2;
  const slowCount = usualCount + AGE_PART * Math.log(slowingFor / usualFor);
  return {
    countAt: (age: number): number => {
      if (age <= closeFor) return age;
      if (age <= usualFor) return closeFor + (age - closeFor) / 2;
      if (age <= slowingFor) return usualCount + AGE_PART * Math.log(age / usualFor);
      return slowCount + (age - slowingFor) / WAIT_MAX;
    },
    ageAt: (count: number): number => {
      if (count <= closeFor) return count;
      if (count <= usualCount) return closeFor + (count - closeFor) * 2;
      if (count <= slowCount) return usualFor * Math.exp((count - usualCount) / AGE_PART);
      return slowingFor + (count - slowCount) * WAIT_MAX;
    },
    waitAt: (age: number): number => (age <= closeFor ? 1 : age <= usualFor ? 2 : Math.min(age / AGE_PART, WAIT_MAX)),
  };
}

type Scale = Readonly<{ intervalMs: number; factor: number }>;

/** The points after `startMs` in a cadence, none at `startMs` itself. */
function series(cadence: Cadence, { intervalMs, factor }: Scale, startMs: number, last: number): Series {
  return {
    last,
    countBy: (ms) =>
      ms <= startMs ? 0 : Math.min(Math.floor(cadence.countAt((ms - startMs) / intervalMs) / factor), last),
    timeOf: (n) => {
      const age = cadence.ageAt(n * factor);
      return roundedUp(startMs + age * intervalMs, cadence.waitAt(age), intervalMs);
    },
  };
}

/** A series and, before its points, the time `firstMs`. */
const fromItself = ({ countBy, timeOf, last }: Series, firstMs: number, intervalMs: number): Series => ({
  last: last + 1,
  countBy: (ms) => (ms < firstMs ? 0 : 1 + countBy(ms)),
  timeOf: (n) => (n === 1 ? roundedUp(firstMs, 1, intervalMs) : timeOf(n - 1)),
});

/** Grids of longer waits are multiples of those of shorter ones, so that their points meet. */
function roundedUp(ms: number, wait: number, intervalMs: number): number {
  const gridMs = (intervalMs / GRID_PART) * 2 ** Math.floor(Math.log2(wait));
  return Math.ceil(Math.ceil(ms / gridMs) * gridMs);
}

/** A number from 0 to 1, the same for the same seed, so that a run can be repeated (FNV-1a). */
function fractionOf(seed: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < seed.length; index++) {
    hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash / 2 ** 32;
}
