import { expect, test } from "vitest";
import { startSchedule } from "./schedule.ts";

test("the function gets a scheduled event, never runs twice at a time, and runs again after a fault", async () => {
  const events: unknown[] = [];
  const problems: string[] = [];
  let running = 0;
  let runningMost = 0;
  const invoke = async (_name: string, event: unknown) => {
    events.push(event);
    running += 1;
    runningMost = Math.max(runningMost, running);
    await new Promise((resolve) => setTimeout(resolve, 12));
    running -= 1;
    throw new Error(`fault ${events.length}`);
  };
  const schedule = startSchedule({
    functions: { invoke },
    name: "tick",
    everyMs: 2,
    report: (line) => problems.push(line),
  });
  await expect.poll(() => events.length).toBeGreaterThanOrEqual(3);
  await schedule.stop();

  expect(runningMost).toBe(1);
  expect(running).toBe(0);
  expect(problems.slice(0, 2)).toEqual(["tick: Error: fault 1", "tick: Error: fault 2"]);
  expect(events[0]).toMatchObject({
    source: "aws.events",
    "detail-type": "Scheduled Event",
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    detail: {},
  });
  const count = events.length;
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(events).toHaveLength(count);
});
