import { readFile } from "node:fs/promises";
import { isLoopback } from "@intents/deployment/loopback.ts";
import type { Secrets } from "./contract.ts";

/** How long secrets that were read are used: a new one is in use everywhere after so many milliseconds. */
const KEPT_MS = 5 * 60_000;
/** A place that cannot be read is not asked again for so long, as long as there are secrets that were read before. */
const RETRY_MS = 10_000;
/** As many characters as the hash has bytes that requests are signed with. Only on this machine, fewer do. */
const LENGTH_MIN = 32;

/**
 * The secrets at a place, read when they are needed and kept for minutes, so that a new one needs no deployment: a file
 * (`file:<path>`, a secret on each line), or else the name of a secret of Secrets Manager, of which the version before the
 * current one counts as well. While the place cannot be read, or has a secret that is too short for the rail at `url`, the
 * secrets that were read before stay in use.
 */
export function openSecrets(place: string, url: string, now: () => number): () => Promise<Secrets> {
  const find = place.startsWith("file:") ? () => readLines(place.slice("file:".length)) : () => readVersions(place);
  const lengthMin = isLoopback(new URL(url).hostname) ? 1 : LENGTH_MIN;
  let known: Secrets | undefined;
  let untilMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<Secrets> | undefined;

  async function renew(): Promise<Secrets> {
    try {
      known = toSecrets(await find(), lengthMin);
      untilMs = now() + KEPT_MS;
    } catch (error) {
      if (known === undefined) throw error;
      untilMs = now() + RETRY_MS;
    }
    return known;
  }

  return async () => {
    if (known !== undefined && now() < untilMs) return known;
    reading ??= renew().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}

function toSecrets(found: readonly string[], lengthMin: number): Secrets {
  const [current, ...former] = found;
  if (current === undefined) throw unusable("there is none at its place");
  if (found.some(({ length }) => length < lengthMin)) throw unusable(`it must have at least ${lengthMin} characters`);
  return [current, ...former];
}

/** The cause is what a payment's reason tells. */
const unusable = (problem: string): Error =>
  new Error(`The signing secret cannot be used: ${problem}`, { cause: new Error(problem) });

const readLines = async (path: string): Promise<string[]> =>
  (await readFile(path, "utf8")).split("\n").flatMap((line) => line.trim() || []);

async function readVersions(SecretId: string): Promise<string[]> {
  const { GetSecretValueCommand, ResourceNotFoundException, SecretsManagerClient } = await import("./secrets-sdk.ts");
  const client = new SecretsManagerClient({});
  const versionOf = async (VersionStage: string) =>
    (await client.send(new GetSecretValueCommand({ SecretId, VersionStage }))).SecretString ?? [];
  const formerOf = (error: unknown) => {
    if (error instanceof ResourceNotFoundException) return [];
    throw error;
  };
  const versions = await Promise.all([versionOf("AWSCURRENT"), versionOf("AWSPREVIOUS").catch(formerOf)]);
  client.destroy();
  return versions.flat();
}
