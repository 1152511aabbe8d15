import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../free-port.ts";
import { StartFailure } from "../start-failure.ts";

/** A DynamoDB to use: the embedded one, or one that runs already. */
export type DynamoDb = Readonly<{
  endpoint: string;
  description: string;
  /** Resolves with the reason if the store ends by itself. */
  ended: Promise<string>;
  stop: () => Promise<void>;
}>;

const READY_MS_MAX = 10_000;
const READY_EVERY_MS = 5;

/**
 * A shell script that runs the store, and ends it when standard input ends. That is a pipe from this process, which the
 * system closes however this process ends. The store has a session of its own, so that Ctrl-C reaches only this
 * process, which still has requests to finish.
 */
const KEEPER = `
exec 3<&0
"$0" "$@" </dev/null 3<&- & store=$!
{ cat <&3 >/dev/null; kill "$store" 2>/dev/null; } &
exec 3<&-
wait "$store"`;

/** Starts the embedded DynamoDB on `file` (in memory without one). Throws StartFailure when this machine has none. */
export async function startDynamoDb(file: string | undefined): Promise<DynamoDb> {
  const port = await freePort();
  const place = file === undefined ? [] : ["--db-path", file];
  const keeper = spawn("/bin/sh", ["-c", KEEPER, findBinary(), "--port", String(port), ...place], {
    stdio: ["pipe", "ignore", "pipe"],
    detached: true,
  });
  let lastWords = "";
  keeper.stderr.setEncoding("utf8").on("data", (text: string) => {
    lastWords = (lastWords + text).slice(-1_000);
  });
  // A write to a keeper that has ended fails; `ended` reports that already.
  keeper.stdin.on("error", () => undefined);
  const ended = once(keeper, "close").then(() => `the embedded DynamoDB ended: ${lastWords.trim().split("\n").at(-1)}`);
  const stop = async () => {
    keeper.stdin.end();
    await ended;
  };
  const failed = ended.then((reason) => {
    throw new StartFailure(reason);
  });
  await Promise.race([isListening(port), failed]).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  failed.catch(() => undefined);
  return { endpoint: `http://127.0.0.1:${port}`, description: "embedded DynamoDB (dynoxide)", ended, stop };
}

/** A DynamoDB that somebody else runs. */
export const useDynamoDb = (endpoint: string): DynamoDb => ({
  endpoint,
  description: `DynamoDB at ${endpoint}`,
  ended: new Promise(() => undefined),
  stop: async () => undefined,
});

/** Where a file of the embedded store is. Throws where there is no such store for this platform. */
export const fileOfDynoxide = (name: string): string =>
  createRequire(import.meta.url).resolve(`@dynoxide/${process.platform}-${process.arch}/${name}`);

function findBinary(): string {
  try {
    return fileOfDynoxide("dynoxide");
  } catch {
    throw new StartFailure(
      `No embedded DynamoDB for ${process.platform}-${process.arch}: run DynamoDB Local and set DYNAMODB_ENDPOINT, such as http://127.0.0.1:8000`,
    );
  }
}

async function isListening(port: number): Promise<void> {
  const untilMs = Date.now() + READY_MS_MAX;
  while (Date.now() < untilMs) {
    const socket = connect(port, "127.0.0.1");
    const connected = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (connected) return;
    await pause(READY_EVERY_MS);
  }
  throw new StartFailure(`The embedded DynamoDB was not ready within ${READY_MS_MAX / 1_000} seconds`);
}
