import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { startS3AndSqs } from "@intents/local/stores/s3-and-sqs.ts";
import { type Message, parseMessage, type Queue } from "../src/queue/queue.ts";

/** For tests: an empty queue in an embedded SQS of its own, how to receive from it, and how to end it. */
export async function startQueue(): Promise<
  Readonly<{ queue: Queue; receive: () => Promise<Message[]>; stop: () => Promise<void> }>
> {
  const store = await startS3AndSqs(undefined, ["documents"]);
  const client = new SQSClient({
    endpoint: store.endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  const QueueUrl = store.queue.url;

  /** Everything that can be received now, in no order. */
  async function receive(): Promise<Message[]> {
    const received: Message[] = [];
    for (;;) {
      const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
      if (Messages.length === 0) return received;
      for (const { Body = "", ReceiptHandle } of Messages) {
        received.push(parseMessage(Body));
        await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      }
    }
  }

  return {
    queue: { client, url: QueueUrl },
    receive,
    stop: async () => {
      client.destroy();
      await store.stop();
    },
  };
}
