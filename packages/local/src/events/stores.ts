import { readFileSync } from "node:fs";
import { runningFile } from "@intents/deployment/running-file.ts";
import { parseSettings } from "@intents/deployment/settings.ts";
import { mainTableSchema, railTableSchema, windowTableSchema } from "@intents/deployment/table-schema.ts";
import { ensureBundles } from "@intents/infra/bundle.ts";
import { openTable } from "@intents/storage/table/table.ts";
import { awsEnvironment, foreignVariables, localDefaults } from "../local-settings.ts";
import { seed } from "../seed.ts";
import { startDynamoDb } from "../stores/dynamodb.ts";
import { startS3AndSqs } from "../stores/s3-and-sqs.ts";
import { drawSecret } from "../stores/secret.ts";
import { createTables } from "../stores/tables.ts";
import type { StoreCall } from "./calls.ts";
import { type StoreEndpoints, startRecorder } from "./recorder.ts";

export type ReplayStores = Readonly<{
  /** The description of the stores for people. */
  description: string;
  /** The store calls since the last time that they were taken. */
  takeCalls: () => readonly StoreCall[];
  stop: () => Promise<void>;
}>;

type Choice = Readonly<{
  /** The environment of this process. It is completed in place, because functions find their settings in it. */
  env: NodeJS.ProcessEnv;
  port: string;
  throwAway: boolean;
}>;

type Found = Readonly<{
  description: string;
  endpoints: StoreEndpoints;
  env: Readonly<Record<string, string>>;
  /** The session token that the stores ask for. */
  secret: string;
  /** Stores the records that must exist before the first event. */
  prepare: () => Promise<void>;
  stop: () => Promise<void>;
}>;

/**
 * Opens the stores of the service on `port`, or seeded ones in memory when none runs there or `throwAway` is set.
 * Functions that are loaded afterwards reach them, and nothing else, by way of a recorder.
 */
export async function openReplayStores({ env, port, throwAway }: Choice): Promise<ReplayStores> {
  const running = throwAway ? undefined : await findRunning(port);
  const [found] = await Promise.all([running ?? startThrowAway(env), ensureBundles()]);
  const { endpoint, takeCalls, stop } = await startRecorder(found.endpoints, found.secret);
  const queueUrl = found.env["QUEUE_URL"] ?? "";
  const laneUrls = found.env["QUESTION_QUEUE_URLS"] ?? "";
  const addresses = { dynamodb: endpoint, s3AndSqs: endpoint, queueUrl, laneUrls };
  Object.assign(env, found.env, awsEnvironment({ ...addresses, secret: found.secret }));
  // Functions log everything, because people replay events to read the log.
  for (const [name, value] of Object.entries({ ...localDefaults, LOG_LEVEL: "INFO" })) env[name] ??= value;
  for (const name of foreignVariables) delete env[name];
  await found.prepare();
  takeCalls();
  return {
    description: found.description,
    takeCalls,
    stop: async () => {
      await stop();
      await found.stop();
    },
  };
}

/** The stores of the service that runs on `port`; undefined also for the file that a killed service has left. */
async function findRunning(port: string): Promise<Found | undefined> {
  const env = readRunningFile(port);
  if (env === undefined) return undefined;
  const endpoints = {
    DynamoDB: env["AWS_ENDPOINT_URL_DYNAMODB"] ?? "",
    S3: env["AWS_ENDPOINT_URL_S3"] ?? "",
    SQS: env["AWS_ENDPOINT_URL_SQS"] ?? "",
  };
  const answers = await Promise.all(Object.values(endpoints).map((url) => fetch(url).catch(() => undefined)));
  if (answers.includes(undefined)) return undefined;
  const nothing = async () => undefined;
  const secret = env["AWS_SESSION_TOKEN"] ?? "";
  return { description: `the service on port ${port}`, endpoints, env, secret, prepare: nothing, stop: nothing };
}

function readRunningFile(port: string): Record<string, string> | undefined {
  try {
    return JSON.parse(readFileSync(runningFile(port), "utf8")) as Record<string, string>;
  } catch {
    return undefined;
  }
}

/** The address that functions have in their settings; with throw-away stores nothing listens there. */
const BASE_URL = "http://127.0.0.1:3000";

async function startThrowAway(env: NodeJS.ProcessEnv): Promise<Found> {
  // A payment is to be asked about at once, so that a sweep has something to send, and a question finds it settled.
  const addresses = { BASE_URL, PAYER_APP_URL: BASE_URL, POLL_INTERVAL_SECONDS: "0", SANDBOX_SETTLE_SECONDS: "0" };
  const settings = parseSettings({ ...localDefaults, ...env, ...addresses });
  const secret = drawSecret();
  const [dynamoDb, s3AndSqs] = await Promise.all([
    startDynamoDb(undefined, { secret }),
    startS3AndSqs(undefined, [settings.BUCKET_NAME, settings.HISTORY_BUCKET], secret),
  ]);
  const tables = {
    [settings.TABLE_NAME]: mainTableSchema,
    [settings.WINDOW_TABLE_NAME]: windowTableSchema,
    [settings.RAIL_TABLE_NAME]: railTableSchema,
  };
  await createTables(dynamoDb.endpoint, tables, secret);
  return {
    description: "a throw-away store with the demo's data",
    endpoints: { DynamoDB: dynamoDb.endpoint, S3: s3AndSqs.endpoint, SQS: s3AndSqs.endpoint },
    env: {
      ...addresses,
      QUEUE_URL: s3AndSqs.queue.url,
      QUESTION_QUEUE_URLS: s3AndSqs.lanes.map(({ url }) => url).join(" "),
    },
    secret,
    prepare: () => seed(openTable(settings.TABLE_NAME)),
    stop: async () => {
      await Promise.all([dynamoDb.stop(), s3AndSqs.stop()]);
    },
  };
}
