import { SendMessageBatchCommand as WebhooksSendMessageBatchCommand } from "@aws-sdk/client-sqs";
import type { Queue } from "../queue/queue.ts";

/** Has a tenant's endpoints looked after, or one of them; or sends one a test. */
export type WebhookMessage =
  | Readonly<{ kind: "tenant"; tenantId: string }>
  | Readonly<{ kind: "endpoint"; tenantId: string; id: string }>
  | Readonly<{ kind: "test"; tenantId: string; id: string; testId: string }>;

/** SQS takes ten messages at once, and delays one by at most 15 minutes. */
const BATCH_MAX = 10;
export const DELAY_MS_MAX = 900_000;

/** Sends messages about endpoints. One that is lost changes nothing: the next tick makes it good. */
export async function postWebhooks(queue: Queue, messages: readonly WebhookMessage[], delayMs = 0): Promise<void> {
  for (let start = 0; start < messages.length; start += BATCH_MAX) {
    const Entries = messages
      .slice(start, start + BATCH_MAX)
      .map((message, index) => ({
        Id: String(index),
        MessageBody: JSON.stringify(message),
        DelaySeconds: Math.ceil(Math.min(Math.max(delayMs, 0), DELAY_MS_MAX) / 1000),
      }));
    await queue.client.send(new WebhooksSendMessageBatchCommand({ QueueUrl: queue.url, Entries }));
  }
}

export const parseWebhookMessage = (body: string): WebhookMessage => JSON.parse(body) as WebhookMessage;
