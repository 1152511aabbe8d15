import { Logger } from "@aws-lambda-powertools/logger";
import { type DailyJob, runDaily } from "@intents/execution/daily.ts";
import { sweepUploads } from "@intents/execution/upload-sweep.ts";
import { openFiles } from "@intents/storage/files.ts";
import type { Context } from "aws-lambda";
import { now, settings, table } from "./runtime/environment.ts";

const logger = new Logger({ serviceName: "daily" });
const files = openFiles(settings.BUCKET_NAME);

/** What is done once a day, in this order. */
const jobs = {
  "sweep-uploads": (deadlineMs) => sweepUploads({ table, files, now }, deadlineMs),
} as const satisfies Record<string, DailyJob>;

/** What is left of the function's time for the last thing under way, in milliseconds. */
const RESERVE_MS = 10_000;

/** EventBridge, once a day. */
export const handler = (_event: unknown, context: Context): Promise<void> =>
  runDaily(jobs, now() + context.getRemainingTimeInMillis() - RESERVE_MS, now, logger);
