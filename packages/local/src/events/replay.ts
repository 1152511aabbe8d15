import { InvalidSettings } from "@intents/deployment/settings.ts";
import { Command, CommanderError } from "commander";
import { StartFailure } from "../start-failure.ts";
import { readEventFile, Unreplayable } from "./event.ts";
import type { Wanted } from "./record.ts";
import { replayReport } from "./report.ts";
import { isExpected, openStage, replayEvent, replaySetup, type Stage } from "./stage.ts";

type Options = Readonly<{ port: string; throwAway?: boolean; record?: boolean; function?: string }> &
  Omit<Wanted, "method" | "path">;

const program = new Command("replay")
  .description(
    "Runs a function on a recorded event, and prints its answer, its log and its store calls.\n" +
      "Exits with 1 when the function throws, or does not answer what the file expects.",
  )
  .usage("events/FUNCTION/NAME.json [options]\n       replay --record METHOD PATH [options]")
  .argument("<file>", "an event file; with --record, a method")
  .argument("[path]", "with --record, a path, with its query")
  .option("--port <port>", "port of the running service; when none runs there, a throw-away store is used", "3000")
  .option("--throw-away", "use a throw-away store with the demo's data in any case")
  .option("--function <name>", "the file holds an event alone, as other tools take it, for this function")
  .option("--record", "send a request, and make an event file of it")
  .option("--key <key>", "record with this key: demo, basic, none, or an X-API-Key", "demo")
  .option("--body <body>", "record with this body, JSON or not, or with that in @file")
  .option("--type <type>", "record with this content type", "application/json")
  .option("--header <line...>", "record with these headers, such as 'Idempotency-Key: one'")
  .option("--setup <file...>", "files below events/ that give values to {{placeholders}} in path and body")
  .option("--out <file>", "write this file instead of events/FUNCTION/ROUTE.json")
  .showHelpAfterError()
  .exitOverride();

// Loading this code takes half a second, for which a mistyped file name should not have to wait.
async function onStage(options: Options, run: (stage: Stage) => Promise<string>): Promise<void> {
  const { port, throwAway = false } = options;
  const { openReplayStores } = await import("./stores.ts");
  const stores = await openReplayStores({ env: process.env, port, throwAway });
  try {
    process.stdout.write(await run(openStage(stores)));
  } finally {
    await stores.stop();
  }
}

async function replay(path: string, options: Options): Promise<void> {
  const file = readEventFile(path, options.function);
  await onStage(options, async (stage) => {
    const values = await replaySetup(stage, file.setup ?? []);
    const outcome = await replayEvent(stage, file, values);
    if (!isExpected(file, outcome)) process.exitCode = 1;
    return replayReport(file, stage.stores.description, outcome);
  });
}

const record = (wanted: Wanted, options: Options): Promise<void> =>
  onStage(options, async (stage) => {
    const { recordEvent } = await import("./record.ts");
    const recorded = await recordEvent(stage, wanted);
    return `${replayReport(recorded.file, stage.stores.description, recorded.replay)}\nWritten to ${recorded.path}\n`;
  });

try {
  program.parse();
  const [first = "", path] = program.args;
  const options = program.opts<Options>();
  if (options.record !== true) await replay(first, options);
  else if (path === undefined) throw new Unreplayable("--record needs a method and a path");
  else await record({ ...options, method: first, path }, options);
} catch (error) {
  // Commander has already told the user what is wrong with the command line.
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else if ([Unreplayable, StartFailure, InvalidSettings].some((expected) => error instanceof expected)) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  } else throw error;
}
