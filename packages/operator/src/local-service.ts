import { readFileSync } from "node:fs";
import { runningFile } from "@intents/deployment/running-file.ts";
import { Refusal } from "./refusal.ts";

/** The environment of the service that runs on this machine, from the file that it wrote when it started. */
export function findLocalEnvironment(port: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(runningFile(port), "utf8")) as Record<string, string>;
  } catch {
    throw new Refusal(
      `No service runs on port ${port}: start it with "npx -y pnpm@12 start", or name a --stage`,
      "unreachable",
    );
  }
}
