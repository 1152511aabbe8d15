import { Logger } from "@aws-lambda-powertools/logger";
import { railKeyOf } from "@intents/domain/rails/description.ts";
import { readSweepState, tick } from "@intents/execution/asking/tick.ts";
import { railAddresses } from "@intents/rails/rail-addresses.ts";
import { openQueue } from "@intents/storage/queue/queue.ts";
import { now, settings, table } from "./runtime/environment.ts";

const logger = new Logger({ serviceName: "dispatch-due" });
const rails = railAddresses(settings).map(railKeyOf);
const queues = { queue: openQueue(settings.QUEUE_URL), lanes: settings.QUESTION_QUEUE_URLS.map(openQueue), rails };
const schedule = {
  pollIntervalMs: Math.max(settings.POLL_INTERVAL_SECONDS * 1000, 1),
  aheadMs: settings.DISPATCH_AHEAD_SECONDS * 1000,
  timerShards: settings.TIMER_SHARDS,
  watchShards: settings.WATCH_SHARDS,
};

/** EventBridge, once a minute: sends what is due, and tells how far the sweeps have come. */
export async function handler(): Promise<void> {
  const nowMs = now();
  const { watches } = await tick(table, queues, schedule, nowMs);
  const { behindMs, missing } = await readSweepState(table, rails, watches, nowMs);
  logger.info("dispatched", { behindSeconds: Math.round(behindMs / 1000) });
  for (const rail of missing) logger.warn("no such rail", { rail, outcome: "rail_missing" });
}
