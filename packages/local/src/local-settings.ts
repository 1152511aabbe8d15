import { accessSync, constants } from "node:fs";
import {
  byRail,
  count,
  oneOf,
  optional,
  parseAllSettings,
  type Read,
  text,
  Unreadable,
  url,
} from "@intents/deployment/settings.ts";

/** Levels of the functions' logger, from all output to none; lower case works as well. */
const LOG_LEVELS = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "CRITICAL", "SILENT"] as const;
const logLevel = oneOf(LOG_LEVELS, "WARN");

/** A rail's signing secret: there is no Secrets Manager on this machine. */
const secretFile: Read<string> = (value = "") => {
  if (!value.startsWith("file:")) throw new Unreadable("must be file:<path>");
  try {
    accessSync(value.slice("file:".length), constants.R_OK);
  } catch {
    throw new Unreadable("must name a file that can be read");
  }
  return value;
};

const ownSettings = {
  /** 0 for any free port. */
  PORT: count(3000, 65_535, 0),
  /** A folder, or `memory` to keep nothing. */
  DATA_DIR: text(".local"),
  /** Use this DynamoDB instead of one that is started here. */
  DYNAMODB_ENDPOINT: optional(url("")),
  /** The folder of Amazon's DynamoDB Local, for platforms without an embedded one. */
  DYNAMODB_LOCAL: optional(text("")),
  LOG_LEVEL: ((value) => logLevel(value?.toUpperCase())) satisfies Read<string>,
  CONNECTOR_SECRET: byRail(secretFile),
};

/**
 * The settings of the local service alone. Throws InvalidSettings with one line for each that is wrong, whether it is one
 * of these or of the functions', whose names of tables matter together.
 */
export const parseLocalSettings = (env: NodeJS.ProcessEnv) =>
  parseAllSettings(ownSettings, { ...localDefaults, ...env });

/** The functions' settings on this machine, unless the user sets others: everything happens within seconds. */
export const localDefaults = {
  STAGE: "local",
  DEMO_KEYS: "demo:demo-secret basic:basic-secret",
  TABLE_NAME: "payment-intents",
  RAIL_TABLE_NAME: "sandbox-rail",
  BUCKET_NAME: "payment-intent-documents",
  POLL_INTERVAL_SECONDS: "1",
  SANDBOX_SETTLE_SECONDS: "2",
  RECOVERY_AFTER_SECONDS: "10",
  TIMER_SHARDS: "1",
  WATCH_SHARDS: "1",
  DISPATCH_AHEAD_SECONDS: "0",
  // One busy machine runs everything, so that a count may take longer here.
  RATE_LIMIT_BUDGET_MS: "2000",
  LOG_LEVEL: "WARN",
} as const satisfies Record<string, string>;

type Endpoints = Readonly<{
  dynamodb: string;
  s3AndSqs: string;
  queueUrl: string;
  laneUrls?: string;
  /** The session token that the stores of this start ask for. */
  secret?: string | undefined;
  webhookUrls?: string;
}>;

/** The variables by which the AWS SDK finds the stores. They win over the user's, so that no call reaches real AWS. */
export const awsEnvironment = ({
  dynamodb,
  s3AndSqs,
  queueUrl,
  laneUrls = "",
  secret = "",
  webhookUrls = "",
}: Endpoints): Readonly<Record<string, string>> => ({
  AWS_REGION: "us-east-1",
  AWS_ACCESS_KEY_ID: "local",
  AWS_SECRET_ACCESS_KEY: "local",
  AWS_SESSION_TOKEN: secret,
  AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
  AWS_ENDPOINT_URL_S3: s3AndSqs,
  AWS_ENDPOINT_URL_SQS: s3AndSqs,
  // It keeps no secrets: those of this machine are files.
  AWS_ENDPOINT_URL_SECRETS_MANAGER: s3AndSqs,
  QUEUE_URL: queueUrl,
  QUESTION_QUEUE_URLS: laneUrls,
  WEBHOOK_QUEUE_URLS: webhookUrls,
});

/** Variables by which the AWS SDK would ignore those above. */
export const foreignVariables = ["AWS_PROFILE", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] as const;
