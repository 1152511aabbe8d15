import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../../..");

/** A file of the project; `path` begins at the root. */
export type File = Readonly<{ path: string; text: string }>;

const ignored = readFileSync(join(root, ".gitignore"), "utf8").match(/^[^*\s]+(?=\/$)/gm) ?? [];

/** Every file of the project below `folder`, except those that git ignores. */
function filesIn(folder: string): File[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry): File[] => {
    const path = join(folder, entry.name);
    // In a git worktree, `.git` is a file.
    if ([".git", ...ignored].includes(entry.name)) return [];
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [{ path, text: readFileSync(join(root, path), "utf8") }] : [];
  });
}

export const files = filesIn("");
export const sources = files.filter(({ path }) => /\.(ts|tsx|mjs)$/.test(path));
