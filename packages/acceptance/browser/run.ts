import { spawnSync } from "node:child_process";

// `pnpm browser`: the tests in Chromium. With --all they are those of `test:whole`; with --slow they wait 0.7 s for every
// script and every answer. Any other argument is one of Vitest's.
const given = process.argv.slice(2);
const mode = given.includes("--all") ? ["--mode", "whole"] : [];
const delay = given.includes("--slow") ? { BROWSER_DELAY_MS: "700" } : {};
const others = given.filter((argument) => argument !== "--all" && argument !== "--slow");
const { status } = spawnSync("vitest", ["run", "--project", "browser", ...mode, ...others], {
  stdio: "inherit",
  env: { ...process.env, ...delay },
});
process.exitCode = status ?? 1;
