import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { Swept } from "../polling/sweeps.ts";
import type { DueTimer } from "../polling/timers.ts";
import type { IntentKey } from "../table/keys.ts";

/** The watches of a rail in one partition, whose points until `untilMs` are to be handed on as questions. */
export type Sweep = Swept & Readonly<{ kind: "sweep"; untilMs: number }>;

/**
 * One question to a rail. `fromMs`: since when points of these watches may be missed, if the rail does not answer.
 * `search`: the question seeks the payments at which earlier questions failed.
 */
export type Question = Swept &
  Readonly<{ kind: "question"; fromMs: number; about: readonly AskedExecution[]; search?: Search<AskedExecution> }>;

/** The state of a search, beside the question's own payments. */
export type Search<Payment> = Readonly<{
  /** These have failed in questions of their own, each a group: if this question is answered, it is due to them. */
  failed: readonly (readonly Payment[])[];
  /** The question about these and those of this question has failed: if this one is answered, it is due to these. */
  rest?: readonly Payment[];
  /** A payment that the rail has answered meanwhile: asked alone, it tells whether the rail still answers. */
  witness?: Payment;
  /** The question is about a single payment, and only tells whether the rail answers at all. */
  isProbe?: true;
}>;

/** Has the next due payment of those that failed alone asked about. */
export type Alone = Readonly<{ kind: "alone"; rail: string }>;

/**
 * An execution that is asked about: of an intent, or with an order of one recipient of a batch. From `lookMs` on its
 * intent is looked into even without news.
 */
export type AskedExecution = IntentKey & Readonly<{ executionId: string; order?: number; lookMs?: number }>;

/**
 * One leased timer. `news`: the orders of the recipients of a woken batch with news from its rail. The batch asks about
 * these apart, so that a recipient over which the rail stumbles delays none of them.
 */
export type TimerMessage = DueTimer & Readonly<{ kind: "timer"; news?: readonly number[] }>;

/** A message of a queue: a shard whose due timers must be leased, one leased timer, a sweep or a question. */
export type Message = Readonly<{ kind: "shard"; shard: number }> | TimerMessage | Sweep | Question | Alone;

/** A message and the seconds after which it arrives. */
export type Posted = Readonly<{ message: Message; delaySeconds?: number }>;

export type Queue = Readonly<{ client: SQSClient; url: string }>;

export const openQueue = (url: string): Queue => ({
  client: new SQSClient({ useQueueUrlAsEndpoint: process.env["AWS_ENDPOINT_URL_SQS"] === undefined }),
  url,
});

const BATCH_MAX = 10;
/** SQS delays a message by at most 15 minutes. */
const DELAY_SECONDS_MAX = 900;

/** SQS has refused some messages, and taken the others. */
export class MessagesRefused extends Error {}

/**
 * Sends messages, each with its own delay. Throws MessagesRefused, once all were sent, when SQS refuses one: its timer is
 * leased and sent again later.
 */
export async function sendMessages(queue: Queue, messages: readonly Posted[]): Promise<void> {
  const refused: (string | undefined)[] = [];
  for (let start = 0; start < messages.length; start += BATCH_MAX) {
    const Entries = messages
      .slice(start, start + BATCH_MAX)
      .map(({ message, delaySeconds = 0 }, index) => ({
        Id: String(index),
        MessageBody: toBody(message),
        DelaySeconds: Math.max(0, Math.min(Math.ceil(delaySeconds), DELAY_SECONDS_MAX)),
      }));
    const { Failed = [] } = await queue.client.send(new SendMessageBatchCommand({ QueueUrl: queue.url, Entries }));
    refused.push(...Failed.map(({ Code }) => Code));
  }
  if (refused.length > 0) throw new MessagesRefused(`SQS refused ${refused.length} messages: ${refused[0]}`);
}

/** On the queue a timer's `id` is an `intentId`, whoever it belongs to: messages outlive the version that sent them. */
const toBody = (message: Message): string => {
  if (message.kind !== "timer") return JSON.stringify(message);
  const { id: intentId, ...timer } = message;
  return JSON.stringify({ ...timer, intentId });
};

/** A message as this package sent it. */
export function parseMessage(body: string): Message {
  const { intentId: id, ...message } = JSON.parse(body);
  return id === undefined ? message : { ...message, id };
}
