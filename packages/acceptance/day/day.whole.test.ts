import { expect, test } from "vitest";
import { runDay } from "./day.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The times between the questions about each payment that began at `settlesAtMs - settleMs`. */
const waitsOf = (figures: Awaited<ReturnType<typeof runDay>>, settleMs: number) =>
  figures.payments.map(({ settlesAtMs, times }) => {
    const startMs = settlesAtMs - settleMs;
    return [startMs, ...times]
      .slice(1)
      .map((ms, index) => ({ ageMs: ms - startMs, waitMs: ms - (times[index - 1] ?? startMs) }));
  });

test("deployed settings ask every 30 s for 5 minutes, give or take 20 %, spread, and quiet answers write nothing", async () => {
  const settleMs = 40 * MINUTE;
  const figures = await runDay({ payments: 12, overMs: 2 * MINUTE, settleMs, seed: 1 });
  for (const waits of waitsOf(figures, settleMs)) {
    const young = waits.filter(({ ageMs }) => ageMs <= 5 * MINUTE).map(({ waitMs }) => waitMs);
    expect(young.length).toBeGreaterThanOrEqual(9);
    expect(Math.min(...young)).toBeGreaterThanOrEqual(24 * SECOND);
    expect(Math.max(...young)).toBeLessThanOrEqual(36 * SECOND);
    const older = waits.filter(({ ageMs, waitMs }) => ageMs - waitMs > 6 * MINUTE && ageMs < 30 * MINUTE);
    expect(Math.max(...older.map(({ waitMs }) => waitMs))).toBeLessThanOrEqual(72 * SECOND);
  }
  // They began within two minutes, and are asked about in many different seconds of the minute.
  const seconds = new Set(figures.payments.map(({ times }) => Math.floor(((times[8] ?? 0) % MINUTE) / SECOND)));
  expect(seconds.size).toBeGreaterThan(5);
  expect(figures.capacity.question).toMatchObject({ write: 0 });
  // At the pace of a day 21 polls share a question: a fiftieth of a unit for each.
  expect(figures.capacity.question.read / figures.times.question).toBeLessThanOrEqual(0.5);
  expect(figures.times.question).toBeGreaterThan(100);
  expect(Math.max(...figures.latenciesMs)).toBeLessThanOrEqual(4 * SECOND);
});

test("payments that begin together are asked about together, and their end is known within seconds", async () => {
  const settleMs = 36 * MINUTE;
  const figures = await runDay({ payments: 60, overMs: 20 * SECOND, settleMs, seed: 2 });
  expect(figures.questions.asked / figures.questions.count).toBeGreaterThan(1.4);
  expect(Math.max(...figures.latenciesMs)).toBeLessThanOrEqual(4 * SECOND);
  expect(figures.capacity.question.write).toBe(0);
});
