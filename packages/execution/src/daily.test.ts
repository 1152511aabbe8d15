import { toLoggedFault } from "@intents/domain/logged-fault.ts";
import { expect, test, vi } from "vitest";
import { runDaily } from "./daily.ts";

const log = () => ({ info: vi.fn(), error: vi.fn() });

test("the jobs are done one after the other, each with its share of the time, and each logs what it came to", async () => {
  let nowMs = 0;
  const deadlines: number[] = [];
  const taking = (ms: number, result: object) => async (deadlineMs: number) => {
    deadlines.push(deadlineMs);
    nowMs += ms;
    return { ...result };
  };
  const lines = log();
  await runDaily(
    { first: taking(10, { deleted: 3 }), second: taking(45, {}), third: taking(1, {}) },
    90,
    () => nowMs,
    lines,
  );
  // Three jobs share 90 ms, the last two share the 80 that are left, and the last one has all of the remaining 35.
  expect(deadlines).toEqual([30, 50, 90]);
  expect(lines.info.mock.calls).toEqual([
    ["daily job", { job: "first", outcome: "done", deleted: 3 }],
    ["daily job", { job: "second", outcome: "done" }],
    ["daily job", { job: "third", outcome: "done" }],
  ]);
});

test("a job that fails is logged and keeps none of the others from being done, but fails the day", async () => {
  const error = new Error("down");
  const lines = log();
  const jobs = { broken: () => Promise.reject(error), sound: async () => ({ seen: 1 }) };
  await expect(runDaily(jobs, 90, () => 0, lines)).rejects.toThrow("Daily jobs failed: broken");
  expect(lines.error.mock.calls).toEqual([
    ["daily job", { job: "broken", outcome: "failed", error: toLoggedFault(error) }],
  ]);
  expect(lines.info.mock.calls).toEqual([["daily job", { job: "sound", outcome: "done", seen: 1 }]]);
});
