import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { DueTimer } from "../intents/timers.ts";

/** A message of the queue: a shard whose due timers must be leased, or one leased timer. */
export type Message = Readonly<{ kind: "shard"; shard: number }> | (DueTimer & Readonly<{ kind: "timer" }>);

export type Queue = Readonly<{ client: SQSClient; url: string }>;

export const openQueue = (url: string): Queue => ({
  client: new SQSClient({ useQueueUrlAsEndpoint: process.env["AWS_ENDPOINT_URL_SQS"] === undefined }),
  url,
});

const BATCH_MAX = 10;
/** SQS delays a message by at most 15 minutes. */
const DELAY_SECONDS_MAX = 900;

/** Sends messages, each with its own delay. Throws when SQS refuses one: its timer is leased and sent again later. */
export async function sendMessages(
  queue: Queue,
  messages: readonly { message: Message; delaySeconds?: number }[],
): Promise<void> {
  for (let start = 0; start < messages.length; start += BATCH_MAX) {
    const Entries = messages.slice(start, start + BATCH_MAX).map(({ message, delaySeconds = 0 }, index) => ({
      Id: String(index),
      MessageBody: toBody(message),
      DelaySeconds: Math.max(0, Math.min(Math.ceil(delaySeconds), DELAY_SECONDS_MAX)),
    }));
    const { Failed = [] } = await queue.client.send(new SendMessageBatchCommand({ QueueUrl: queue.url, Entries }));
    if (Failed.length > 0) throw new Error(`SQS refused ${Failed.length} messages: ${Failed[0]?.Code}`);
  }
}

/** On the queue a timer's `id` is an `intentId`, whoever it belongs to: messages outlive the version that sent them. */
const toBody = (message: Message): string => {
  if (message.kind === "shard") return JSON.stringify(message);
  const { id: intentId, ...timer } = message;
  return JSON.stringify({ ...timer, intentId });
};

/** A message as this package sent it. */
export function parseMessage(body: string): Message {
  const { intentId: id, ...message } = JSON.parse(body);
  return id === undefined ? message : { ...message, id };
}
