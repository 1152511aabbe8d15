import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "../free-port.ts";

const VERSION = "2.6.1";
const JAVA_MIN = 17;
const JARS = join(import.meta.dirname, "../../../../node_modules/.cache", `dynamodb-local-${VERSION}`);

const ASK_MS_MAX = 10_000;
const FETCH_MS_MAX = 120_000;
const READY_MS_MAX = 60_000;
const READY_EVERY_MS = 50;

const run = promisify(execFile);

/** For tests: the folder of the jars of Amazon's DynamoDB Local, fetched once; or why this machine cannot run it. */
export async function findDynamoDbLocal(
  jars = JARS,
): Promise<Readonly<{ jars: string }> | Readonly<{ missing: string }>> {
  const version = await javaVersion();
  if (version < JAVA_MIN) return { missing: version === 0 ? "no Java" : `Java ${version}, not ${JAVA_MIN} or newer` };
  if (existsSync(jars)) return { jars };
  try {
    await fetchJars(jars);
    return { jars };
  } catch (error) {
    // Another run may have fetched them meanwhile.
    return existsSync(jars) ? { jars } : { missing: whyNotFetched(error) };
  }
}

/** The major version of `java`; 0 when there is none. */
async function javaVersion(): Promise<number> {
  try {
    const { stderr } = await run("java", ["-version"], { timeout: ASK_MS_MAX, killSignal: "SIGKILL" });
    return Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Fetches the jars by Maven into a folder beside their place, and moves it there when it is complete. */
async function fetchJars(jars: string): Promise<void> {
  mkdirSync(dirname(jars), { recursive: true });
  const folder = mkdtempSync(`${jars}-fetch-`);
  try {
    writeFileSync(join(folder, "pom.xml"), pom);
    await run("mvn", ["-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=jars"], {
      cwd: folder,
      timeout: FETCH_MS_MAX,
      killSignal: "SIGKILL",
    });
    renameSync(join(folder, "jars"), jars);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const pom = `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>intents</groupId>
  <artifactId>dynamodb-local</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>com.amazonaws</groupId>
      <artifactId>DynamoDBLocal</artifactId>
      <version>${VERSION}</version>
    </dependency>
  </dependencies>
</project>
`;

function whyNotFetched(error: unknown): string {
  const { code, killed } = error as { code?: unknown; killed?: boolean };
  if (code === "ENOENT") return "no mvn to fetch it with";
  return killed === true ? `not fetched within ${FETCH_MS_MAX / 1000} s` : "mvn could not fetch it";
}

/**
 * A shell script that runs DynamoDB Local in memory, and ends it when its standard input ends. That is a pipe from this
 * process, which the system closes however this process ends. The shell has a session of its own, so that Ctrl-C does
 * not end it before it has ended the store.
 */
const KEEPER = `
exec 3<&0
java "$@" 3<&- & store=$!
{ cat <&3 >/dev/null; kill -9 "$store" 2>/dev/null; } &
exec 3<&-
wait "$store"`;

/** For tests: an empty DynamoDB Local, and how to end it. */
export async function startDynamoDbLocal(
  jars: string,
): Promise<Readonly<{ endpoint: string; stop: () => Promise<void> }>> {
  const port = await freePort();
  const keeper = spawn("/bin/sh", ["-c", KEEPER, "keeper", ...javaArguments(jars, port)], {
    stdio: ["pipe", "ignore", "pipe"],
    detached: true,
  });
  let lastWords = "";
  keeper.stderr.setEncoding("utf8").on("data", (text: string) => {
    lastWords = (lastWords + text).slice(-1_000);
  });
  const ended = once(keeper, "close");
  const stop = async () => {
    keeper.stdin.end();
    await ended;
  };
  if (await isListening(port, () => keeper.exitCode !== null)) return { endpoint: `http://127.0.0.1:${port}`, stop };
  await stop();
  throw new Error(`DynamoDB Local did not start: ${lastWords}`);
}

function javaArguments(jars: string, port: number): string[] {
  const main = "com.amazonaws.services.dynamodbv2.local.main.ServerRunner";
  // The quick compiler is enough for one test run, and leaves the cores to the tests.
  const machine = ["-Xmx512m", "-XX:TieredStopAtLevel=1", `-Djava.library.path=${jars}`, "-cp", join(jars, "*")];
  return [...machine, main, "-inMemory", "-sharedDb", "-port", String(port), "-disableTelemetry"];
}

async function isListening(port: number, hasEnded: () => boolean): Promise<boolean> {
  const untilMs = Date.now() + READY_MS_MAX;
  while (Date.now() < untilMs && !hasEnded()) {
    const socket = connect(port, "127.0.0.1");
    const connected = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (connected) return true;
    await pause(READY_EVERY_MS);
  }
  return false;
}
