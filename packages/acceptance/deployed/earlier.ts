import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "./command.ts";

const root = join(import.meta.dirname, "../../..");
const INSTALL_MS_MAX = 540_000;

/** An earlier version: its checkout, undefined where it is this one, and the number of its stored format. */
export type Earlier = Readonly<{ from: string | undefined; format: number }>;

const git = (...args: readonly string[]) => runCommand("git", args, { cwd: root, timeoutMs: INSTALL_MS_MAX });

/**
 * The version to go back to: that of the commit in `BACK_TO`, else of the last tag before this one, checked out and installed in
 * .scratch, since Node.js takes the sources of no program below node_modules. Without a tag it is this one.
 */
export async function findEarlier(): Promise<Earlier> {
  const wanted = process.env["BACK_TO"] ?? (await lastTag());
  if (wanted === undefined) return { from: undefined, format: formatOf(root) };
  const commit = (await git("rev-parse", "--verify", `${wanted}^{commit}`)).trim();
  const from = join(root, ".scratch", `version-${commit}`);
  if (!existsSync(from)) await git("worktree", "add", "--detach", from, commit);
  // A script of the package manager builds the bundles as well.
  const install = ["-y", "pnpm@12", "install", "--frozen-lockfile", "--prefer-offline"];
  await runCommand("npx", install, { cwd: from, timeoutMs: INSTALL_MS_MAX });
  const format = formatOf(from);
  if (format === 0) throw new Error(`The stored format of ${wanted} has no number: it cannot refuse ours`);
  return { from, format };
}

const lastTag = (): Promise<string | undefined> =>
  git("describe", "--tags", "--abbrev=0", "HEAD^").then(
    (tag) => tag.trim(),
    () => undefined,
  );

/** The number of a checkout's stored format; 0 for one from before there were numbers. */
function formatOf(checkout: string): number {
  const file = join(checkout, "packages/deployment/src/stored-format.ts");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return Number(/STORED_FORMAT = (\d+);/.exec(text)?.[1] ?? 0);
}
