import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

const VERSION = "2.6.1";
/** As it is called in Amazon's own download, whose other jars are in a folder beside it. */
const MAIN_JAR = "DynamoDBLocal.jar";
const LIBRARIES = "DynamoDBLocal_lib";
const JAVA_MIN = 17;
/** Amazon's own download, for machines without Maven. */
export const DOWNLOAD = "https://d1ni2b6xgvw0s0.cloudfront.net/v2.x/dynamodb_local_latest.tar.gz";
const JARS = join(import.meta.dirname, "../../../../node_modules/.cache", `dynamodb-local-${VERSION}`);

const ASK_MS_MAX = 10_000;
const FETCH_MS_MAX = 120_000;

const run = promisify(execFile);

/**
 * The folder of the jars of Amazon's DynamoDB Local: `given`, where somebody has unpacked it, or else one into which Maven
 * fetches it once; or why this machine cannot run it.
 */
export async function findDynamoDbLocal(
  given?: string,
): Promise<Readonly<{ jars: string }> | Readonly<{ missing: string }>> {
  const version = await javaVersion();
  if (version < JAVA_MIN) return { missing: version === 0 ? "no Java" : `Java ${version}, not ${JAVA_MIN} or newer` };
  if (given !== undefined)
    return existsSync(join(given, MAIN_JAR)) ? { jars: given } : { missing: `no ${MAIN_JAR} in DYNAMODB_LOCAL` };
  if (existsSync(JARS)) return { jars: JARS };
  try {
    await fetchJars(JARS);
    return { jars: JARS };
  } catch (error) {
    // Another run may have fetched them meanwhile.
    return existsSync(JARS) ? { jars: JARS } : { missing: whyNotFetched(error) };
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

/** As Maven words it: no plugin of its own, no address of a name, no way to it, or no answer. */
const NO_NETWORK =
  /No plugin found for prefix|Unknown host|Temporary failure in name resolution|Network is unreachable|[Cc]onnect(ion)? .*(refused|timed out)/;

function whyNotFetched(error: unknown): string {
  const { code, killed, stdout = "" } = error as { code?: unknown; killed?: boolean; stdout?: string };
  if (code === "ENOENT") return "no mvn to fetch it with";
  if (NO_NETWORK.test(stdout)) return "no network";
  return killed === true ? `not fetched within ${FETCH_MS_MAX / 1000} s` : "mvn could not fetch it";
}

/** The command line of DynamoDB Local on `port`, which keeps its data in the folder `data`, or in memory without one. */
export function dynamoDbLocalCommand(jars: string, port: number, data: string | undefined): readonly string[] {
  const main = "com.amazonaws.services.dynamodbv2.local.main.ServerRunner";
  const unpacked = join(jars, LIBRARIES);
  const libraries = existsSync(unpacked) ? unpacked : jars;
  const classes = [join(jars, "*"), join(libraries, "*")].join(delimiter);
  // The quick compiler is enough for one machine, and leaves it the cores.
  const machine = ["-Xmx512m", "-XX:TieredStopAtLevel=1", `-Djava.library.path=${libraries}`, "-cp", classes];
  const place = data === undefined ? ["-inMemory"] : ["-dbPath", data];
  return ["java", ...machine, main, ...place, "-sharedDb", "-port", String(port), "-disableTelemetry"];
}
