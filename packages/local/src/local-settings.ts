import { InvalidSettings } from "@intents/deployment/settings.ts";
import * as z from "zod";

const LocalSettings = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  /** A folder, or `memory` to keep nothing. */
  DATA_DIR: z.string().min(1).default(".local"),
  /** Use this DynamoDB instead of the embedded one. */
  DYNAMODB_ENDPOINT: z.url().optional(),
});
export type LocalSettings = z.infer<typeof LocalSettings>;

/** The settings of the local service alone. Throws InvalidSettings. */
export function parseLocalSettings(env: NodeJS.ProcessEnv): LocalSettings {
  const parsed = LocalSettings.safeParse(env);
  if (parsed.success) return parsed.data;
  throw new InvalidSettings(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`));
}

/** The functions' settings on this machine, unless the user sets others: everything happens within seconds. */
export const localDefaults = {
  STAGE: "local",
  TABLE_NAME: "payment-intents",
  RAIL_TABLE_NAME: "sandbox-rail",
  BUCKET_NAME: "payment-intent-documents",
  POLL_INTERVAL_SECONDS: "1",
  SANDBOX_SETTLE_SECONDS: "2",
  RECOVERY_AFTER_SECONDS: "10",
  TIMER_SHARDS: "1",
  DISPATCH_AHEAD_SECONDS: "0",
  // One busy machine runs everything, so that a count may take longer here.
  RATE_LIMIT_BUDGET_MS: "2000",
  LOG_LEVEL: "WARN",
} as const satisfies Record<string, string>;

type Endpoints = Readonly<{ dynamodb: string; s3AndSqs: string; queueUrl: string }>;

/** The variables by which the AWS SDK finds the stores. They win over the user's, so that no call reaches real AWS. */
export const awsEnvironment = ({ dynamodb, s3AndSqs, queueUrl }: Endpoints): Readonly<Record<string, string>> => ({
  AWS_REGION: "us-east-1",
  AWS_ACCESS_KEY_ID: "local",
  AWS_SECRET_ACCESS_KEY: "local",
  AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
  AWS_ENDPOINT_URL_S3: s3AndSqs,
  AWS_ENDPOINT_URL_SQS: s3AndSqs,
  // It keeps no secrets: those of this machine are files.
  AWS_ENDPOINT_URL_SECRETS_MANAGER: s3AndSqs,
  QUEUE_URL: queueUrl,
});

/** Variables by which the AWS SDK would ignore those above. */
export const foreignVariables = ["AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] as const;
