import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { startS3AndSqs } from "@intents/local/stores/s3-and-sqs.ts";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { findDeadLetters, peek, readDepth, redrive } from "./dead-letters.ts";
import { type Message, openQueue, parseMessage, type Queue, sendMessages } from "./queue.ts";

let queue: Queue;
let deadLetters: Queue;
let stop: () => Promise<void>;
beforeEach(async () => {
  const store = await startS3AndSqs(undefined, ["documents"]);
  vi.stubEnv("AWS_ENDPOINT_URL_SQS", store.endpoint);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
  queue = openQueue(store.queue.url);
  deadLetters = await findDeadLetters(queue);
  stop = store.stop;
});
afterEach(async () => {
  queue.client.destroy();
  vi.unstubAllEnvs();
  await stop();
});

const messages = (count: number): { message: Message }[] =>
  Array.from({ length: count }, (_, shard) => ({ message: { kind: "shard", shard } }));

describe("dead letters", () => {
  test("are another queue, whose depth and oldest messages can be seen without taking them", async () => {
    expect(deadLetters.url).not.toBe(queue.url);
    await sendMessages(deadLetters, messages(3));
    for (const _look of [1, 2]) {
      const seen = await peek(deadLetters);
      expect(seen.map(({ body }) => parseMessage(body))).toHaveLength(3);
      expect(seen.map(({ sentAt }) => sentAt)).toEqual(seen.map(({ sentAt }) => sentAt).toSorted());
    }
    // A store may count messages that it has just shown as in flight for a moment.
    const { visible, inFlight } = await readDepth(deadLetters);
    expect(visible + inFlight).toBe(3);
    expect(await readDepth(queue)).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
    expect(await redrive(deadLetters, queue, 10)).toBe(3);
  });

  test.each([
    { there: 0, max: 100, moved: 0 },
    { there: 25, max: 100, moved: 25 },
    { there: 25, max: 12, moved: 12 },
  ])("of $there, at most $max are sent again, each once", async ({ there, max, moved }) => {
    await sendMessages(deadLetters, messages(there));
    const batches: number[] = [];
    expect(await redrive(deadLetters, queue, max, (batch) => batches.push(batch))).toBe(moved);
    expect(batches.reduce((sum, batch) => sum + batch, 0)).toBe(moved);
    expect(await readDepth(queue)).toMatchObject({ visible: moved });
    expect(await readDepth(deadLetters)).toEqual({ visible: there - moved, inFlight: 0, delayed: 0 });
  });

  test("stay where they are when the queue does not take them, and are not tried for ever", async () => {
    const refusing = mockClient(SQSClient);
    refusing.on(ReceiveMessageCommand).resolves({ Messages: [{ Body: "{}", ReceiptHandle: "handle" }] });
    refusing
      .on(SendMessageBatchCommand)
      .resolves({ Successful: [], Failed: [{ Id: "0", Code: "Down", SenderFault: false }] });
    const refused = { ...queue, client: new SQSClient({}) };
    await expect(redrive(refused, refused, 100)).rejects.toThrow("SQS took none of 1 messages");
    refusing.on(GetQueueAttributesCommand).resolves({});
    refusing.on(GetQueueUrlCommand).resolves({});
    await expect(findDeadLetters(refused)).rejects.toThrow(/has no dead letters/);
    refusing.restore();
  });
});
