import { join } from "node:path";
import { contract, folder, type NodeTools, type Program } from "./tools.ts";

const linter = (args: readonly string[]): Program => ({ file: process.execPath, args, cwd: folder });

/** The linters. Their rules, and the exceptions with their reasons, stand in files of their own. */
export const linters: Readonly<Record<string, (tools: NodeTools) => Program>> = {
  Redocly: ({ program }) =>
    linter([
      ...[program("@redocly/cli", "redocly"), "lint", contract],
      ...["--config", join(folder, "redocly.yaml"), "--max-problems", "1000"],
    ]),
  Spectral: ({ program }) =>
    linter([
      ...[program("@stoplight/spectral-cli", "spectral"), "lint", contract],
      ...["--ruleset", join(folder, "spectral.yaml"), "--fail-severity", "hint"],
    ]),
};
