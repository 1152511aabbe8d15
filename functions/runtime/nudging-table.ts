import { openQueue } from "@intents/storage/queue/queue.ts";
import { nudging } from "@intents/storage/webhooks/nudge.ts";
import { table as plain, settings } from "./environment.ts";

/** The table for functions whose changes are events: webhooks are sent as soon as a change is written. */
const [quick] = settings.WEBHOOK_QUEUE_URLS;
export const table = quick === undefined ? plain : nudging(plain, openQueue(quick));
