import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { projectFolders } from "@intents/infra/bundle.ts";
import { fileOfDynoxide } from "@intents/local/stores/dynoxide.ts";

/** The machine that the figures were measured on, in a few lines. */
export function describeMachine(): string[] {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return [
    `${cpus().length} cores (${cpu?.model.trim() ?? "unknown"}), ${gigabytes} GB, load average ${loadavg()[0]?.toFixed(1)} at the start`,
    `node ${process.version}, dynoxide ${dynoxideVersion()}, commit ${commit()}`,
  ];
}

function dynoxideVersion(): string {
  return (JSON.parse(readFileSync(fileOfDynoxide("package.json"), "utf8")) as { version: string }).version;
}

function commit(): string {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: projectFolders.root, encoding: "utf8" }).trim();
  try {
    return git("rev-parse", "--short", "HEAD") + (git("status", "--porcelain") === "" ? "" : ", with changes");
  } catch {
    return "unknown";
  }
}
