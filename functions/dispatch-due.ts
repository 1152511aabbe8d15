import { Logger } from "@aws-lambda-powertools/logger";
import { railKeyOf } from "@intents/domain/rails/description.ts";
import { readSweepState, tick } from "@intents/execution/polling/tick.ts";
import { describeUnattended, findUnattended, lookAfter } from "@intents/execution/unattended/index-check.ts";
import { findUnattendedWebhooks } from "@intents/execution/webhooks/lag.ts";
import { tickWebhooks } from "@intents/execution/webhooks/tick.ts";
import { railAddresses } from "@intents/rails/rail-addresses.ts";
import { widenSpread } from "@intents/storage/polling/spread.ts";
import { openQueue } from "@intents/storage/queue/queue.ts";
import { refuseFailed } from "@intents/storage/table/in-turns.ts";
import { now, settings, table } from "./runtime/environment.ts";
import { logDispatched, logFound } from "./runtime/log-lines.ts";

const logger = new Logger({ serviceName: "dispatch-due" });
const keys = railAddresses(settings).map(railKeyOf);
const queues = { queue: openQueue(settings.QUEUE_URL), lanes: settings.QUESTION_QUEUE_URLS.map(openQueue), keys };
const [webhooks] = settings.WEBHOOK_QUEUE_URLS.map(openQueue);
const schedule = {
  pollIntervalMs: Math.max(settings.POLL_INTERVAL_SECONDS * 1000, 1),
  aheadMs: settings.DISPATCH_AHEAD_SECONDS * 1000,
  timerShards: settings.TIMER_SHARDS,
  watchShards: settings.WATCH_SHARDS,
};

/** EventBridge, once a minute, and with `hourly` once an hour. */
export const handler = ({ hourly = false }: Readonly<{ hourly?: boolean }> = {}): Promise<void> =>
  hourly ? check(now()) : dispatch(now());

/** Sends what is due, and tells how far the sweeps have come. */
async function dispatch(nowMs: number): Promise<void> {
  const { spread, failed } = await tick(table, queues, schedule, nowMs);
  await tickWebhooks(table, webhooks, failed);
  const { behindMs, missing } = await readSweepState(table, keys, spread.watches, nowMs);
  logDispatched(logger, behindMs, missing);
  refuseFailed(failed, "all else was sent");
}

/** Finds what the ticks leave out, tells it, and mends what can be mended without a person. */
async function check(nowMs: number): Promise<void> {
  const spread = await widenSpread(table, { timers: schedule.timerShards, watches: schedule.watchShards });
  const found = await findUnattended(table, { ...schedule, keys, spread }, nowMs);
  for (const each of found) logFound(logger, describeUnattended(each));
  for (const each of await findUnattendedWebhooks(table, nowMs)) logFound(logger, each);
  await lookAfter(table, found, nowMs);
}
