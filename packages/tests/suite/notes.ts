import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

// The parts of `test:whole` note in a folder which grants they used and which answers they got; its last part judges.

/** A run without the folder notes nothing. */
const folder = process.env["NOTES"];
const noted = new Set<string>();

/** Notes a line once. Each process has a file of its own, which holds its lines even if it is killed. */
export function note(about: "grants" | "answers", line: string): void {
  if (folder === undefined || noted.has(`${about} ${line}`)) return;
  noted.add(`${about} ${line}`);
  appendFileSync(join(folder, `${about}-${process.pid}`), `${line}\n`);
}

/** The lines that any process has noted. */
export function readNotes(about: "grants" | "answers"): ReadonlySet<string> {
  const files = readdirSync(folder ?? "").filter((name) => name.startsWith(`${about}-`));
  return new Set(
    files.flatMap((name) =>
      readFileSync(join(folder ?? "", name), "utf8")
        .trimEnd()
        .split("\n"),
    ),
  );
}
