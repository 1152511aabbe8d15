import { spawnSync } from "node:child_process";
import { launchService } from "../../service/service.ts";
import { fuzz } from "./fuzz.ts";
import { environmentOf, findTools, haste, scratchFolder } from "./tools.ts";

// `pnpm fuzz`: schemathesis with the options of the command line, against a service of its own.

const tools = await findTools("python");
if ("missing" in tools) {
  process.stdout.write(`skipped: schemathesis (${tools.missing})\n`);
  process.exit(1);
}
const { url, stop } = await launchService(haste);
const args = ["-c", fuzz, "sh", url, ...process.argv.slice(2)];
// The tool stores its findings where it runs.
const cwd = scratchFolder("schemathesis");
const { status } = spawnSync("sh", args, { cwd, env: environmentOf(tools), stdio: "inherit" });
await stop();
process.exitCode = status ?? 1;
