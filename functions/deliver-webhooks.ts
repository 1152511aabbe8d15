import { Logger } from "@aws-lambda-powertools/logger";
import { toLoggedFault } from "@intents/domain/logged-fault.ts";
import { sendTest } from "@intents/execution/webhooks/deliver.ts";
import { openPace } from "@intents/execution/webhooks/pace.ts";
import { openSender } from "@intents/execution/webhooks/send.ts";
import { serveEndpoint, serveTenant } from "@intents/execution/webhooks/tenant.ts";
import { openQueue } from "@intents/storage/queue/queue.ts";
import type { FailedItem } from "@intents/storage/table/in-turns.ts";
import { parseWebhookMessage } from "@intents/storage/webhooks/messages.ts";
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { egress } from "./runtime/egress.ts";
import { now, settings, table } from "./runtime/environment.ts";

const logger = new Logger({ serviceName: "deliver-webhooks" });
const [, apart = ""] = settings.WEBHOOK_QUEUE_URLS;

/** Four instances at most work on the two queues: 20 requests at once, and 48 a second, for each host. */
const PACE = { atOnce: 5, perSecond: 12 };
const run = {
  table,
  now,
  random: Math.random,
  apart: openQueue(apart),
  send: openSender(egress),
  pace: openPace(PACE),
};
/** The function begins nothing new once only this much of its time is left, beside the time of an answer. */
const RESERVE_MS = 2_000;

/** SQS: delivers what endpoints are due. Messages are hints: none comes again, because the next tick finds the same. */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const deadlineMs = now() + context.getRemainingTimeInMillis() - RESERVE_MS;
  const bodies = [...new Set(event.Records.map(({ body }) => body))];
  const done = await Promise.allSettled(bodies.map((body) => work(body, deadlineMs)));
  const failed = done.flatMap((each): readonly FailedItem[] =>
    each.status === "fulfilled" ? each.value : [{ about: "a message", reason: each.reason }],
  );
  for (const { about, reason } of failed)
    logger.error("webhooks not delivered", { about, error: toLoggedFault(reason) });
  return { batchItemFailures: [] };
}

async function work(body: string, deadlineMs: number): Promise<readonly FailedItem[]> {
  const message = parseWebhookMessage(body);
  if (message.kind === "tenant") return serveTenant(run, message.tenantId, deadlineMs);
  if (message.kind === "test") await sendTest(run, message, message.testId);
  else await serveEndpoint(run, message, deadlineMs);
  return [];
}
