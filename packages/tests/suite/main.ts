import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Part, suites } from "./parts.ts";

// `pnpm test` and `pnpm test:whole`: the steps of a suite, one after the other. It tells where the time went, names what
// failed, and ends with `N passed, N failed` for all of them. After a failed check nothing else runs; after failed tests, the rest does.

const root = join(import.meta.dirname, "../../..");
const CLOSING = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/m;
const FAILURE = /^failed: .+$/gm;
/** A busy machine may take so many times as long as a quiet one, before a part counts as hung. */
const PATIENCE = 2;

type Result = Readonly<{
  name: string;
  seconds: number;
  passed: number;
  failed: number;
  skipped: number;
  /** The lines that name what failed. */
  failures: readonly string[];
}>;

/** Runs a part, whose output is passed on but for its closing line. */
async function run({ name, minutes, command, env }: Part): Promise<Result> {
  const startMs = performance.now();
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
    // It has a process group of its own, which ends with it.
    detached: true,
  });
  const end = () => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  };
  const timer = setTimeout(
    () => {
      process.stdout.write(`${name} has not ended after ${minutes * PATIENCE} minutes\n`);
      end();
    },
    minutes * PATIENCE * 60_000,
  );
  process.once("exit", end);
  let last = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    process.stdout.write(text);
    last = (last + text).slice(-10_000);
  });
  const [status] = await once(child, "close");
  clearTimeout(timer);
  process.off("exit", end);
  const [, passed, failed, skipped] = (CLOSING.exec(last) ?? []).map(Number);
  return {
    name,
    seconds: (performance.now() - startMs) / 1000,
    // A check is one claim; tests that end without their closing line have failed, whatever came before.
    passed: passed ?? (status === 0 ? 1 : 0),
    failed: status === 0 ? (failed ?? 0) : Math.max(failed ?? 1, 1),
    skipped: skipped ?? 0,
    failures: status === 0 ? [] : (last.match(FAILURE) ?? [`failed: ${name}`]),
  };
}

async function main(name: string): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  const startMs = performance.now();
  const results: Result[] = [];
  // The parts of the whole note in it which grants they used and which answers they got.
  const notes = name === "test:whole" ? mkdtempSync(join(tmpdir(), "notes-")) : undefined;
  if (notes !== undefined) process.env["NOTES"] = notes;
  for (const step of suites[name as keyof typeof suites]) {
    results.push(...(await Promise.all(step.map(run))));
    if (name === "test" && results.some(({ failed }) => failed > 0)) break;
  }
  if (notes !== undefined) rmSync(notes, { recursive: true });
  const seconds = (performance.now() - startMs) / 1000;
  const sum = (of: "passed" | "failed" | "skipped") => results.reduce((all, one) => all + one[of], 0);
  const times = results.map((each) => `  ${each.seconds.toFixed(0).padStart(5)} s  ${each.name}`);
  const left =
    name === "test"
      ? `left to test:whole: ${suites["test:whole"]
          .flat()
          .map((part) => part.name)
          .join("; ")}\n`
      : "";
  process.stdout.write(`\n${name} took ${seconds.toFixed(0)} s:\n${times.join("\n")}\n${left}`);
  process.stdout.write(results.flatMap(({ failures }) => failures.map((line) => `${line}\n`)).join(""));
  const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
  process.stdout.write(`${sum("passed")} passed, ${sum("failed")} failed${skipped}\n`);
  process.exitCode = sum("failed") > 0 ? 1 : 0;
}

await main(process.argv[2] ?? "test");
