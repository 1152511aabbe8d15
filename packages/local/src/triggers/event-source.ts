import { setTimeout as pause } from "node:timers/promises";
import {
  DeleteMessageBatchCommand,
  type Message,
  type MessageAttributeValue,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { SQSBatchResponse, SQSEvent, SQSMessageAttribute, SQSRecord } from "aws-lambda";
import { ACCOUNT, type Functions, REGION } from "../functions.ts";
import type { Stoppable } from "./schedule.ts";

/** Batches handled at the same time, so that one slow rail does not hold up everything else. */
const POLLERS = 4;
const BATCH_MAX = 10;
const LONG_POLL_SECONDS = 20;
const PAUSE_AFTER_FAULT_MS = 1_000;

type Mapping = Readonly<{
  functions: Functions;
  name: string;
  queue: Readonly<{ url: string; name: string; endpoint: string }>;
  report: (problem: string) => void;
  /** The session token that the queue asks for, if it does. */
  secret?: string;
  /** The most messages that the function gets at once; 10 by default. */
  batchMax?: number;
}>;

/**
 * An SQS event source mapping with partial batch failures: messages that the function handled are deleted, the others
 * become visible again when their visibility timeout has passed.
 */
export function startEventSource({
  functions,
  name,
  queue,
  report,
  secret = "",
  batchMax = BATCH_MAX,
}: Mapping): Stoppable {
  const client = new SQSClient({
    endpoint: queue.endpoint,
    region: REGION,
    credentials: { accessKeyId: "local", secretAccessKey: "local", sessionToken: secret },
    useQueueUrlAsEndpoint: false,
  });
  const stopping = new AbortController();
  const abortSignal = stopping.signal;

  const takeBatch = async () => {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: queue.url,
        MaxNumberOfMessages: batchMax,
        WaitTimeSeconds: LONG_POLL_SECONDS,
        MessageSystemAttributeNames: ["All"],
        MessageAttributeNames: ["All"],
      }),
      { abortSignal },
    );
    if (Messages.length === 0) return;
    const failed = failuresOf(await functions.invoke(name, toEvent(Messages, queue.name)));
    const handled = Messages.filter(({ MessageId }) => !failed.has(MessageId ?? ""));
    if (handled.length === 0) return;
    const Entries = handled.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    await client.send(new DeleteMessageBatchCommand({ QueueUrl: queue.url, Entries }));
  };

  const poll = async () => {
    while (!abortSignal.aborted) {
      try {
        await takeBatch();
      } catch (error) {
        if (abortSignal.aborted) return;
        report(`${name}: ${String(error)}`);
        await pause(PAUSE_AFTER_FAULT_MS, undefined, { signal: abortSignal }).catch(() => undefined);
      }
    }
  };

  const pollers = Array.from({ length: POLLERS }, poll);
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(pollers);
      client.destroy();
    },
  };
}

/** The ids that a function reports as failed; throws when its answer cannot be read, which fails the whole batch. */
function failuresOf(answer: unknown): ReadonlySet<string> {
  const { batchItemFailures } = (answer ?? { batchItemFailures: [] }) as Partial<SQSBatchResponse>;
  return new Set((batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier));
}

const toEvent = (messages: readonly Message[], queueName: string): SQSEvent => ({
  Records: messages.map((message) => toRecord(message, queueName)),
});

const toRecord = (message: Message, queueName: string): SQSRecord => ({
  messageId: message.MessageId ?? "",
  receiptHandle: message.ReceiptHandle ?? "",
  body: message.Body ?? "",
  attributes: {
    ApproximateReceiveCount: "1",
    SentTimestamp: "",
    SenderId: "",
    ApproximateFirstReceiveTimestamp: "",
    ...message.Attributes,
  },
  messageAttributes: Object.fromEntries(
    Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, toAttribute(value)]),
  ),
  md5OfBody: message.MD5OfBody ?? "",
  eventSource: "aws:sqs",
  eventSourceARN: `arn:aws:sqs:${REGION}:${ACCOUNT}:${queueName}`,
  awsRegion: REGION,
});

const toAttribute = ({
  StringValue,
  BinaryValue,
  DataType = "String",
}: MessageAttributeValue): SQSMessageAttribute => ({
  dataType: DataType,
  ...(StringValue !== undefined && { stringValue: StringValue }),
  ...(BinaryValue !== undefined && { binaryValue: Buffer.from(BinaryValue).toString("base64") }),
});
