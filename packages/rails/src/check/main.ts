import { createInterface } from "node:readline/promises";
import { setTimeout as pause } from "node:timers/promises";
import { checkRail } from "./command.ts";

/** The exit code of Ctrl-C. */
const INTERRUPTED = 130;

async function confirm(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  terminal.on("SIGINT", () => process.exit(INTERRUPTED));
  const answer = await terminal.question(question).finally(() => terminal.close());
  return /^y(es)?$/i.test(answer.trim());
}

process.exitCode = await checkRail(process.argv.slice(2), {
  env: process.env,
  confirm,
  now: Date.now,
  pause,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
