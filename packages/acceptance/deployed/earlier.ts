import { existsSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "./command.ts";
import type { Version } from "./stage.ts";

const root = join(import.meta.dirname, "../../..");
const INSTALL_MS_MAX = 540_000;

/**
 * The version to go back to: that of the commit in `BACK_TO`, checked out and installed in .scratch, since Node.js takes
 * the sources of no program below node_modules; else this one.
 */
export async function findEarlier(): Promise<Version> {
  const wanted = process.env["BACK_TO"];
  if (wanted === undefined) return {};
  const git = (...args: readonly string[]) => runCommand("git", args, { cwd: root, timeoutMs: INSTALL_MS_MAX });
  const commit = (await git("rev-parse", "--verify", `${wanted}^{commit}`)).trim();
  const from = join(root, ".scratch", `version-${commit}`);
  if (!existsSync(from)) await git("worktree", "add", "--detach", from, commit);
  // A script of the package manager builds the bundles as well.
  const install = ["-y", "pnpm@12", "install", "--frozen-lockfile", "--prefer-offline"];
  await runCommand("npx", install, { cwd: from, timeoutMs: INSTALL_MS_MAX });
  return { from };
}
