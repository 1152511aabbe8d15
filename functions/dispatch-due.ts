import { Logger } from "@aws-lambda-powertools/logger";
import { railKeyOf } from "@intents/domain/rails/description.ts";
import { laneOf } from "@intents/execution/asking/lanes.ts";
import { readSweepState, sweepsOf } from "@intents/execution/asking/tick.ts";
import { dispatchShards } from "@intents/execution/settle/dispatch.ts";
import { railAddresses } from "@intents/rails/rail-addresses.ts";
import { openQueue, sendMessages } from "@intents/storage/queue/queue.ts";
import { now, settings, table } from "./runtime/environment.ts";

const logger = new Logger({ serviceName: "dispatch-due" });
const queue = openQueue(settings.QUEUE_URL);
const lanes = settings.QUESTION_QUEUE_URLS.map(openQueue);
const keys = railAddresses(settings).map(railKeyOf);
const tick = {
  pollIntervalMs: Math.max(settings.POLL_INTERVAL_SECONDS * 1000, 1),
  aheadMs: settings.DISPATCH_AHEAD_SECONDS * 1000,
  watchShards: settings.WATCH_SHARDS,
};

/**
 * EventBridge, once a minute: sends a message for every shard of timers, and sweeps of what waits for each rail, on the
 * rail's own lane. Then it tells how far the sweeps have come.
 */
export async function handler(): Promise<void> {
  const nowMs = now();
  const sweeps = keys.map((rail, index) => sendMessages(laneOf(lanes, index), sweepsOf(rail, nowMs, tick)));
  await Promise.all([dispatchShards(queue, settings.TIMER_SHARDS), ...sweeps]);
  const { behindMs, missing } = await readSweepState(table, keys, tick.watchShards, nowMs);
  logger.info("dispatched", { behindSeconds: Math.round(behindMs / 1000) });
  for (const rail of missing) logger.warn("no such rail", { rail, outcome: "rail_missing" });
}
