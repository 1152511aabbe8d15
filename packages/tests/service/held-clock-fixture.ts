import { mock } from "node:test";

// A service loads this file before its own modules: its clock stands still, and moves only when the starting test says
// so.
mock.timers.enable({ apis: ["Date"], now: Date.now() });
process.on("message", (ms: number) => {
  mock.timers.setTime(Date.now() + ms);
  process.send?.(Date.now());
});
// The channel to the test must not keep the service running.
process.channel?.unref();
