import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { cpus, loadavg, totalmem } from "node:os";
import { projectFolders } from "@intents/infra/bundle.ts";

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
  const name = `@dynoxide/${process.platform}-${process.arch}/package.json`;
  return (createRequire(import.meta.url)(name) as { version: string }).version;
}

function commit(): string {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: projectFolders.root, encoding: "utf8" }).trim();
  try {
    return git("rev-parse", "--short", "HEAD") + (git("status", "--porcelain") === "" ? "" : ", with changes");
  } catch {
    return "unknown";
  }
}
