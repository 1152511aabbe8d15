import { setTimeout as pause } from "node:timers/promises";
import { InvalidSettings } from "@intents/deployment/settings.ts";
import { answerLine, banner } from "./banner.ts";
import { findLaunchers, whenOneEnds } from "./launchers.ts";
import { type Service, startService } from "./service.ts";
import { StartFailure } from "./start-failure.ts";

/** The process ends after so long, should a stop hang; the stores end with it in any case. */
const STOP_MS_MAX = 15_000;

const report = (problem: string): void => {
  process.stderr.write(`${oneLine(problem)}\n`);
};
const oneLine = (text: string): string => text.trim().replaceAll(/\s*\n\s*/g, " ");

async function main(): Promise<void> {
  // All files of the stores, which are processes of this one, are for this user alone.
  process.umask(0o077);
  // They are found before the service says that it runs: whoever reads that may end them at once.
  const launchers = findLaunchers();
  const service = await startService({
    env: process.env,
    seed: async (table) => (await import("./seed.ts")).seed(table),
    report,
    // Tests start the service without it, so that they fetch nothing.
    fetches: process.argv.includes("--fetch"),
    // Where nobody reads along, the output is for other programs.
    answered: process.stdout.isTTY ? (request) => process.stdout.write(answerLine(request)) : undefined,
  });
  // In Lambda such a fault would end one container only, so that here it must not end the service.
  process.on("unhandledRejection", (reason) => report(`A function failed after its answer: ${String(reason)}`));
  process.on("uncaughtException", (error) => report(`A function failed outside of its answer: ${String(error)}`));
  process.once("SIGINT", () => end(service));
  process.once("SIGTERM", () => end(service));
  process.once("disconnect", () => end(service));
  void whenOneEnds(await launchers).then(() => end(service));
  void service.ended.then(async (reason) => {
    if (ending) return;
    report(reason);
    await end(service, 1);
  });
  process.stdout.write(banner(service));
}

let ending = false;

async function end(service: Service, exitCode = 0): Promise<void> {
  if (ending) return;
  ending = true;
  await Promise.race([service.stop(), pause(STOP_MS_MAX)]);
  process.exit(exitCode);
}

try {
  await main();
} catch (error) {
  if (error instanceof InvalidSettings) for (const line of error.message.split("\n")) report(line);
  else report(error instanceof StartFailure ? error.message : `The service cannot start: ${String(error)}`);
  process.exit(1);
}
