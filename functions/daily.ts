import { Logger } from "@aws-lambda-powertools/logger";
import { DAY_MS } from "@intents/domain/durations.ts";
import { type DailyJob, runDaily } from "@intents/execution/daily.ts";
import { sweepDocuments } from "@intents/execution/documents/retention.ts";
import { sweepUploads } from "@intents/execution/documents/upload-sweep.ts";
import { matchDaily } from "@intents/execution/rails/match.ts";
import { checkDaily } from "@intents/execution/unattended/daily-check.ts";
import type { Context } from "aws-lambda";
import { now, settings } from "./runtime/environment.ts";
import { logFound } from "./runtime/log-lines.ts";
import { run } from "./runtime/run.ts";

const logger = new Logger({ serviceName: "daily" });

const retention = {
  paymentsMs: settings.PAYMENT_DOCUMENT_DAYS * DAY_MS,
  savedMs: settings.SAVED_DOCUMENT_DAYS * DAY_MS,
};

/** The jobs that run once a day, in this order. */
const jobs = {
  "sweep-uploads": (deadlineMs) => sweepUploads(run, deadlineMs),
  "sweep-documents": (deadlineMs) => sweepDocuments(run, retention, deadlineMs),
  "find-unattended": async (deadlineMs) => {
    const { restored, ...sums } = await checkDaily(run, deadlineMs);
    for (const { id, owner, ...entry } of restored)
      logFound(logger, { [owner === undefined ? "intentId" : "requestId"]: id, ...entry });
    return { ...sums, restored: restored.length };
  },
  "match-ledger": (deadlineMs) => matchDaily(run, deadlineMs),
} as const satisfies Record<string, DailyJob>;

/** The time that is kept for the end of the last job, in milliseconds. */
const RESERVE_MS = 10_000;

/** EventBridge, once a day: runs the daily jobs. */
export const handler = (_event: unknown, context: Context): Promise<void> =>
  runDaily(jobs, now() + context.getRemainingTimeInMillis() - RESERVE_MS, now, logger);
