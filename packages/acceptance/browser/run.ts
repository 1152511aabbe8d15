import { spawnSync } from "node:child_process";

// `pnpm browser`: the tests in Chromium, which with --all look at every view in all languages, not in three. Any other
// argument is one of Vitest's.
const given = process.argv.slice(2);
const mode = given.includes("--all") ? ["--mode", "whole"] : [];
const others = given.filter((argument) => argument !== "--all");
const { status } = spawnSync("vitest", ["run", "--project", "browser", ...mode, ...others], { stdio: "inherit" });
process.exitCode = status ?? 1;
