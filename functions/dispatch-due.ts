import { dispatchShards } from "@intents/execution/settle/dispatch.ts";
import { openQueue } from "@intents/storage/queue/queue.ts";
import { settings } from "./runtime/environment.ts";

const queue = openQueue(settings.QUEUE_URL);

/** EventBridge, once a minute: sends a message for every shard of timers. */
export const handler = (): Promise<void> => dispatchShards(queue, settings.TIMER_SHARDS);
