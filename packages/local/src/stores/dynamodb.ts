import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { drawAddress, freePort, LOCAL_ADDRESS } from "../free-port.ts";
import { StartFailure } from "../start-failure.ts";
import { openDoor } from "./door.ts";
import { DOWNLOAD, dynamoDbLocalCommand, findDynamoDbLocal } from "./dynamodb-local.ts";
import { DYNOXIDE_VERSION, findDynoxide, findDynoxideByNpx, platform } from "./dynoxide.ts";

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
 * process, which still has requests to finish. The script ends its whole group, because npx runs the store in a process
 * below its own and passes no signal on; only the script itself lives on, to wait for the store.
 */
const KEEPER = `
exec 3<&0
"$0" "$@" </dev/null 3<&- & store=$!
trap '' TERM
{ while read -r _; do :; done <&3; kill -TERM 0; } &
exec 3<&-
wait "$store"`;

type Program = Readonly<{
  name: string;
  /** Listens on the address that it is told, and not on every one of this machine. */
  isHidden: boolean;
  command: (port: number, address: string) => readonly string[];
}>;

/** The guard of the store, and the means of a machine for which the workspace has no embedded DynamoDB. */
export type DynamoDbOptions = Readonly<{
  /** The session token that every caller has to send. Without it, the store answers everybody on this machine. */
  secret?: string;
  /** The folder of Amazon's DynamoDB Local; without it Maven fetches it. */
  jars?: string | undefined;
  /** Called with a line before npx fetches the embedded store, and if it cannot. Without it, npx is not asked. */
  tell?: ((line: string) => void) | undefined;
}>;

/**
 * Starts a DynamoDB on `file` (in memory without one): the embedded one, from the workspace or else by npx; where neither
 * is to be had, Amazon's DynamoDB Local. Throws StartFailure when this machine has none of them.
 */
export async function startDynamoDb(
  file: string | undefined,
  { secret, jars, tell: report }: DynamoDbOptions = {},
): Promise<DynamoDb> {
  const build = findDynoxide();
  if (build !== undefined) return startDynoxide("embedded DynamoDB (dynoxide)", build, file, secret);
  if (report === undefined) return startDynamoDbLocal(file, jars, secret);
  report(`No embedded DynamoDB for ${platform()} is installed: npx fetches dynoxide ${DYNOXIDE_VERSION} once, some MB`);
  const found = await findDynoxideByNpx();
  if ("command" in found) return startDynoxide("embedded DynamoDB (dynoxide, by npx)", found.command, file, secret);
  report(`npx cannot run dynoxide (${found.missing}): DynamoDB Local is tried, which Maven fetches once, 51 MB`);
  return startDynamoDbLocal(file, jars, secret);
}

function startDynoxide(
  name: string,
  program: readonly string[],
  file: string | undefined,
  secret: string | undefined,
): Promise<DynamoDb> {
  const place = file === undefined ? [] : ["--db-path", file];
  const command = (port: number, address: string) => [
    ...program,
    ...["--host", address, "--port", String(port)],
    ...place,
  ];
  return startStore({ name, isHidden: secret !== undefined, command }, secret);
}

/** Starts DynamoDB Local, which keeps its data in a folder beside `file`. Throws StartFailure when it cannot be had. */
export async function startDynamoDbLocal(file: string | undefined, jars?: string, secret?: string): Promise<DynamoDb> {
  const found = await findDynamoDbLocal(jars);
  if ("missing" in found) {
    throw new StartFailure(
      `No embedded DynamoDB for ${platform()}, and DynamoDB Local cannot be started (${found.missing}): install Java 17, unpack ${DOWNLOAD} and set DYNAMODB_LOCAL to its folder, or set DYNAMODB_ENDPOINT to the address of one that runs`,
    );
  }
  const data = file === undefined ? undefined : `${file}-local`;
  if (data !== undefined) mkdirSync(data, { recursive: true });
  const command = (port: number) => dynamoDbLocalCommand(found.jars, port, data);
  return startStore({ name: "DynamoDB Local (Java)", isHidden: false, command }, secret);
}

/** Somebody may take a port between its choice and its use. */
const PORTS_TRIED_MAX = 3;
class PortTaken extends StartFailure {}

async function startStore(program: Program, secret: string | undefined): Promise<DynamoDb> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await startOnFreePort(program, secret);
    } catch (error) {
      if (tried === PORTS_TRIED_MAX || !(error instanceof PortTaken)) throw error;
    }
  }
}

async function startOnFreePort({ name, isHidden, command }: Program, secret: string | undefined): Promise<DynamoDb> {
  const host = isHidden ? await drawAddress() : LOCAL_ADDRESS;
  const port = await freePort(0, host);
  const keeper = spawn("/bin/sh", ["-c", KEEPER, ...command(port, host)], {
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
    throw /already in use/i.test(lastWords) ? new PortTaken(reason) : new StartFailure(reason);
  });
  await Promise.race([isListening(name, port, host), failed]).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  failed.catch(() => undefined);
  if (secret === undefined) return { endpoint: `http://${host}:${port}`, description: name, ended, stop };
  const door = await openDoor({ host, port }, secret);
  return { endpoint: door.endpoint, description: name, ended, stop: () => door.stop().then(stop) };
}

/** A DynamoDB that somebody else runs. */
export const useDynamoDb = (endpoint: string): DynamoDb => ({
  endpoint,
  description: `DynamoDB at ${endpoint}`,
  ended: new Promise(() => undefined),
  stop: async () => undefined,
});

async function isListening(name: string, port: number, host: string): Promise<void> {
  const untilMs = Date.now() + READY_MS_MAX;
  while (Date.now() < untilMs) {
    const socket = connect(port, host);
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
