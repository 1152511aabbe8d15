import { join } from "node:path";
import { contract, folder, type Program, scratchFolder } from "./tools.ts";

/** schemathesis, which tries the service at `url`; `options` are those of its command `run`. */
export const schemathesis = (python: string, url: string, options: readonly string[]): Program => ({
  file: python,
  args: [
    ...["-m", "schemathesis.cli", "--config-file", join(folder, "schemathesis.toml")],
    ...["run", contract, "--url", url, ...options],
  ],
  // The tool stores its findings where it runs.
  cwd: scratchFolder("schemathesis"),
});
