import { mock } from "node:test";

// Loaded into a service before its own modules: its clock stands still, and moves on when the test that started it says so.
mock.timers.enable({ apis: ["Date"], now: Date.now() });
process.on("message", (ms: number) => {
  mock.timers.setTime(Date.now() + ms);
  process.send?.(Date.now());
});
// To be told the time is no reason to go on running.
process.channel?.unref();
