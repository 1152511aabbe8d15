import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "./command.ts";
import { root } from "./stage.ts";

const INSTALL_MS_MAX = 540_000;

/** An earlier version: its checkout, and the number of its stored format. */
export type Earlier = Readonly<{ from: string; format: number }>;

const git = async (...args: readonly string[]): Promise<string> =>
  (await runCommand("git", args, { cwd: root, timeoutMs: INSTALL_MS_MAX })).trim();

/**
 * The version to upgrade from: the commit in `BACK_TO`, else the last tag before this one, else the version before the
 * last change of code. It is checked out and installed in .scratch, since Node.js takes the sources of no program below
 * node_modules.
 */
export async function findEarlier(): Promise<Earlier> {
  const wanted = process.env["BACK_TO"] ?? (await lastTag().catch(versionBefore));
  const commit = await git("rev-parse", "--verify", `${wanted}^{commit}`);
  const from = join(root, ".scratch", `version-${commit}`);
  if (!existsSync(from)) await git("worktree", "add", "--detach", from, commit);
  // A script of the package manager builds the bundles as well.
  const install = ["-y", "pnpm@12", "install", "--frozen-lockfile", "--prefer-offline"];
  await runCommand("npx", install, { cwd: from, timeoutMs: INSTALL_MS_MAX });
  const format = formatOf(from);
  if (format === 0) throw new Error(`The stored format of ${wanted} has no number: it cannot refuse ours`);
  return { from, format };
}

const lastTag = () => git("describe", "--tags", "--abbrev=0", "HEAD^");

const versionBefore = async () =>
  `${await git("rev-list", "-1", "HEAD", "--", "functions", "infra", "packages/*/src/*")}^`;

/** The number of a checkout's stored format; 0 for one from before there were numbers. */
function formatOf(checkout: string): number {
  const file = join(checkout, "packages/deployment/src/stored-format.ts");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return Number(/STORED_FORMAT = (\d+);/.exec(text)?.[1] ?? 0);
}
