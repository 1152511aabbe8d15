import { Logger } from "@aws-lambda-powertools/logger";
import { toLoggedFault } from "@intents/domain/logged-fault.ts";
import { advanceIntent } from "@intents/execution/advance.ts";
import { advanceRequest } from "@intents/execution/commissions/requests.ts";
import { dispatchShard } from "@intents/execution/settle/dispatch.ts";
import { openQueue, parseMessage } from "@intents/storage/queue/queue.ts";
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { settings } from "./runtime/environment.ts";
import { run } from "./runtime/run.ts";

const logger = new Logger({ serviceName: "advance-intent" });
const queue = openQueue(settings.QUEUE_URL);

/** The function takes on nothing new once only this much of its time is left, in milliseconds. */
const RESERVE_MS = 8_000;

/** SQS: leases the due timers of a shard, and advances the intents whose time has come. Failed messages come again. */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const outcomes = await Promise.allSettled(event.Records.map(({ body }) => work(body, context)));
  const failures = outcomes.flatMap((outcome, index) => {
    const messageId = event.Records[index]?.messageId;
    if (outcome.status === "fulfilled" || messageId === undefined) return [];
    logger.error("message failed", { messageId, error: toLoggedFault(outcome.reason) });
    return { itemIdentifier: messageId };
  });
  return { batchItemFailures: failures };
}

async function work(body: string, context: Context): Promise<void> {
  const message = parseMessage(body);
  const deadlineMs = run.now() + context.getRemainingTimeInMillis() - RESERVE_MS;
  if (message.kind === "shard") {
    await dispatchShard({ ...run, queue }, message.shard, settings.DISPATCH_AHEAD_SECONDS * 1000, deadlineMs);
    return;
  }
  const { tenantId, id: intentId } = message;
  const advance = message.owner === "COMMISSION_REQUEST" ? advanceRequest : advanceIntent;
  const outcome = await advance(run, message, deadlineMs);
  logger.info("advanced", { tenantId, intentId, outcome });
}
