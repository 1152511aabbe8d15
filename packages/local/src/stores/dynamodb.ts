import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../free-port.ts";
import { StartFailure } from "../start-failure.ts";
import { dynamoDbLocalCommand, findDynamoDbLocal } from "./dynamodb-local.ts";

/** A DynamoDB to use: one that is started here, or one that runs already. */
export type DynamoDb = Readonly<{
  endpoint: string;
  description: string;
  /** Resolves with the reason if the store ends by itself. */
  ended: Promise<string>;
  stop: () => Promise<void>;
}>;

const READY_MS_MAX = 60_000;
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

type Program = Readonly<{ name: string; command: (port: number) => readonly string[] }>;

/**
 * Starts a DynamoDB on `file` (in memory without one): the embedded one, or where there is none for this platform,
 * Amazon's DynamoDB Local, in Java, from the folder `jars` or fetched. Throws StartFailure when this machine has neither.
 */
export async function startDynamoDb(file: string | undefined, jars?: string): Promise<DynamoDb> {
  const binary = findBinary();
  if (binary === undefined) return startDynamoDbLocal(file, jars);
  const place = file === undefined ? [] : ["--db-path", file];
  return startStore({
    name: "embedded DynamoDB (dynoxide)",
    command: (port) => [binary, "--port", String(port), ...place],
  });
}

/** Starts DynamoDB Local, which keeps its data in a folder beside `file`. Throws StartFailure when it cannot be had. */
export async function startDynamoDbLocal(file: string | undefined, jars?: string): Promise<DynamoDb> {
  const found = await findDynamoDbLocal(jars);
  if ("missing" in found) {
    const platform = `${process.platform}-${process.arch}`;
    throw new StartFailure(
      `No embedded DynamoDB for ${platform}, and DynamoDB Local cannot be started (${found.missing}): install Java 17 and set DYNAMODB_LOCAL to its folder, or set DYNAMODB_ENDPOINT to the address of one that runs`,
    );
  }
  const data = file === undefined ? undefined : `${file}-local`;
  if (data !== undefined) mkdirSync(data, { recursive: true });
  return startStore({ name: "DynamoDB Local (Java)", command: (port) => dynamoDbLocalCommand(found.jars, port, data) });
}

async function startStore({ name, command }: Program): Promise<DynamoDb> {
  const port = await freePort();
  const keeper = spawn("/bin/sh", ["-c", KEEPER, ...command(port)], {
    stdio: ["pipe", "ignore", "pipe"],
    detached: true,
  });
  let lastWords = "";
  keeper.stderr.setEncoding("utf8").on("data", (text: string) => {
    lastWords = (lastWords + text).slice(-1_000);
  });
  // A write to a keeper that has ended fails; `ended` reports that already.
  keeper.stdin.on("error", () => undefined);
  const ended = once(keeper, "close").then(() => `the ${name} ended: ${lastWords.trim().split("\n").at(-1)}`);
  const stop = async () => {
    keeper.stdin.end();
    await ended;
  };
  const failed = ended.then((reason) => {
    throw new StartFailure(reason);
  });
  await Promise.race([isListening(name, port), failed]).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  failed.catch(() => undefined);
  return { endpoint: `http://127.0.0.1:${port}`, description: name, ended, stop };
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

function findBinary(): string | undefined {
  try {
    return fileOfDynoxide("dynoxide");
  } catch {
    return undefined;
  }
}

async function isListening(name: string, port: number): Promise<void> {
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
  throw new StartFailure(`The ${name} was not ready within ${READY_MS_MAX / 1_000} seconds`);
}
