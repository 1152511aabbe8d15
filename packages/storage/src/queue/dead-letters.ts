import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
} from "@aws-sdk/client-sqs";
import type { Queue } from "./queue.ts";

/** About how many messages a queue holds: to be taken, being worked on, and waiting for their time. */
export type QueueDepth = Readonly<{ visible: number; inFlight: number; delayed: number }>;

export async function readDepth({ client, url }: Queue): Promise<QueueDepth> {
  const { Attributes = {} } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ["All"] }),
  );
  const about = (name: "" | "NotVisible" | "Delayed") => Number(Attributes[`ApproximateNumberOfMessages${name}`] ?? 0);
  return { visible: about(""), inFlight: about("NotVisible"), delayed: about("Delayed") };
}

/** The queue for messages of `queue` that failed five times. */
export async function findDeadLetters({ client, url }: Queue): Promise<Queue> {
  const { Attributes = {} } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ["RedrivePolicy"] }),
  );
  const { deadLetterTargetArn } = JSON.parse(Attributes["RedrivePolicy"] ?? "{}") as { deadLetterTargetArn?: string };
  const QueueName = deadLetterTargetArn?.split(":").at(-1);
  const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName }));
  if (QueueUrl === undefined) throw new Error(`The queue ${url} has no dead letters`);
  return { client, url: QueueUrl };
}

const BATCH_MAX = 10;

/** A few messages of a queue, oldest first. They stay in the queue. */
export async function peek({ client, url }: Queue): Promise<{ sentAt: string; body: string }[]> {
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl: url,
      MaxNumberOfMessages: BATCH_MAX,
      VisibilityTimeout: 0,
      MessageSystemAttributeNames: ["SentTimestamp"],
    }),
  );
  return Messages.map(({ Body = "", Attributes }) => ({
    sentAt: new Date(Number(Attributes?.SentTimestamp ?? 0)).toISOString(),
    body: Body,
  })).toSorted((left, right) => left.sentAt.localeCompare(right.sentAt));
}

/**
 * Moves at most `max` messages back to the queue in which they failed, and tells how many; `onMoved` is called for each
 * batch. A message that is sent but not deleted arrives twice, which changes nothing (H21).
 */
export async function redrive(
  from: Queue,
  to: Queue,
  max: number,
  onMoved: (messages: number) => void = () => undefined,
): Promise<number> {
  let moved = 0;
  while (moved < max) {
    const { Messages = [] } = await from.client.send(
      new ReceiveMessageCommand({
        QueueUrl: from.url,
        MaxNumberOfMessages: Math.min(BATCH_MAX, max - moved),
        // A wait makes SQS ask all of its servers, so that an empty answer means an empty queue.
        WaitTimeSeconds: 1,
      }),
    );
    if (Messages.length === 0) break;
    const sent = await moveBatch(from, to, Messages);
    // Messages that were refused become visible again. The loop ends here when the queue takes none of them.
    if (sent === 0) throw new Error(`SQS took none of ${Messages.length} messages`);
    moved += sent;
    onMoved(sent);
  }
  return moved;
}

async function moveBatch(from: Queue, to: Queue, messages: readonly Message[]): Promise<number> {
  const { Successful = [] } = await to.client.send(
    new SendMessageBatchCommand({
      QueueUrl: to.url,
      Entries: messages.map(({ Body }, index) => ({ Id: String(index), MessageBody: Body })),
    }),
  );
  const Entries = Successful.map(({ Id = "" }) => ({ Id, ReceiptHandle: messages[Number(Id)]?.ReceiptHandle }));
  if (Entries.length > 0) await from.client.send(new DeleteMessageBatchCommand({ QueueUrl: from.url, Entries }));
  return Entries.length;
}
