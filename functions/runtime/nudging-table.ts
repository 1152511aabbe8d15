import { openQueue } from "@intents/storage/queue/queue.ts";
import { nudging } from "@intents/storage/webhooks/nudge.ts";
import { table as plain, settings } from "./environment.ts";

/** The table for functions that change what events tell of: webhooks are sent as soon as that is written. */
const [quick] = settings.WEBHOOK_QUEUE_URLS;
export const table = quick === undefined ? plain : nudging(plain, openQueue(quick));
