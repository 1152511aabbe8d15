import { Logger } from "@aws-lambda-powertools/logger";
import { toLoggedFault } from "@intents/domain/logged-fault.ts";
import { advanceIntent } from "@intents/execution/advance.ts";
import { advanceRequest } from "@intents/execution/commissions/requests.ts";
import { askAlone } from "@intents/execution/polling/ask-alone.ts";
import { dispatchShard } from "@intents/execution/polling/dispatch.ts";
import { openPost } from "@intents/execution/polling/lanes.ts";
import { ask } from "@intents/execution/polling/question.ts";
import { sweep } from "@intents/execution/polling/sweep.ts";
import { openQueue, parseMessage } from "@intents/storage/queue/queue.ts";
import { reviewCommissions } from "@intents/storage/reviews/commissions.ts";
import type { FailedItem } from "@intents/storage/table/in-turns.ts";
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { settings } from "./runtime/environment.ts";
import { logAdvanced, logAsked, logOverdue } from "./runtime/log-lines.ts";
import { run as common } from "./runtime/run.ts";

const logger = new Logger({ serviceName: "advance-intent" });
const queue = openQueue(settings.QUEUE_URL);
/** Only this function hears a rail's late news of a payment with a commission. */
const run = { ...common, reviewCommissions };
const post = openPost(run, queue, settings.QUESTION_QUEUE_URLS.map(openQueue));

/** The function takes on nothing new once only this much of its time is left, in milliseconds. */
const RESERVE_MS = 8_000;

/**
 * SQS: leases the due timers of a shard, advances the intents whose time has come, and asks rails what others wait for.
 * Failed messages come again.
 */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const outcomes = await Promise.allSettled(event.Records.map((record) => work(record, context)));
  const failures = outcomes.flatMap((outcome, index) => {
    const messageId = event.Records[index]?.messageId;
    if (outcome.status === "fulfilled" || messageId === undefined) return [];
    logger.error("message failed", { messageId, error: toLoggedFault(outcome.reason) });
    return { itemIdentifier: messageId };
  });
  return { batchItemFailures: failures };
}

async function work({ body, attributes }: SQSRecord, context: Context): Promise<void> {
  const message = parseMessage(body);
  const deadlineMs = run.now() + context.getRemainingTimeInMillis() - RESERVE_MS;
  switch (message.kind) {
    case "shard": {
      const aheadMs = settings.DISPATCH_AHEAD_SECONDS * 1000;
      const { overdue, failed } = await dispatchShard({ ...run, queue }, message.shard, aheadMs, deadlineMs);
      logFailed("timer not sent", failed);
      logOverdue(logger, overdue, run.now());
      return;
    }
    case "sweep": {
      const { rail, shard, age } = message;
      const receivedMs = Number(attributes.ApproximateFirstReceiveTimestamp) || undefined;
      const swept = await sweep(run, message, post, receivedMs);
      logger.info("swept", { rail, shard, age, swept });
      if (typeof swept === "object") logFailed("watch not read", swept.failed);
      return;
    }
    case "question":
      logAsked(logger, message.rail, message.about.length, await ask(run, message, post));
      return;
    case "alone":
      logAsked(logger, message.rail, 1, await askAlone(run, message, post));
      return;
    case "timer": {
      const { tenantId, id: intentId } = message;
      const advance = message.owner === "COMMISSION_REQUEST" ? advanceRequest : advanceIntent;
      const outcome = await advance(run, message, deadlineMs);
      logAdvanced(logger, { tenantId, intentId, outcome });
      return;
    }
    default:
      // Another version has sent it, which takes it when it is back, or finds it among the dead letters.
      message satisfies never;
      throw new Error("A message is of a kind that this version does not know");
  }
}

/** Logs each item that could not be dealt with, while all others were. */
function logFailed(what: string, failed: readonly FailedItem[]): void {
  for (const { about, reason } of failed) logger.error(what, { about, error: toLoggedFault(reason) });
}
