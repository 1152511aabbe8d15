import { ReceiveMessageCommand, SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { startQueue } from "../../test/queue-fixture.ts";
import { type Message, parseMessage, sendMessages } from "./queue.ts";

const { queue, receive, stop } = await startQueue();
afterAll(stop);

const shards = (count: number): { message: Message }[] =>
  Array.from({ length: count }, (_, shard) => ({ message: { kind: "shard", shard } }));

describe("messages", () => {
  test.each([0, 1, 10, 11, 64])("%i of them arrive, each once and as it was sent", async (count) => {
    await sendMessages(queue, shards(count));
    const received = await receive();
    const numbers = received.map((message) => (message.kind === "shard" ? message.shard : undefined));
    expect(numbers.toSorted((left, right) => Number(left) - Number(right))).toEqual(
      Array.from({ length: count }, (_, shard) => shard),
    );
  });

  test("of a timer carry its owner and the token of its lease", async () => {
    const message = { kind: "timer", tenantId: "1001", id: "i", leaseMs: Date.UTC(2026, 10, 21) } as const;
    await sendMessages(queue, [{ message }]);
    expect(await receive()).toEqual([message]);
  });

  test("arrive after their delay, not before", async () => {
    const [now, later] = shards(2);
    await sendMessages(queue, [now!, { ...later!, delaySeconds: 0.5 }]);
    expect(await receive()).toEqual([now!.message]);
    const { Messages } = await queue.client.send(
      new ReceiveMessageCommand({ QueueUrl: queue.url, WaitTimeSeconds: 5 }),
    );
    expect(Messages?.map(({ Body = "" }) => parseMessage(Body))).toEqual([later!.message]);
  });
});

describe("towards SQS", () => {
  const client = new SQSClient({ region: "us-east-1" });
  const sqs = mockClient(client);
  const send = (messages: Parameters<typeof sendMessages>[1]) => sendMessages({ client, url: "queue" }, messages);
  const sent = () => sqs.commandCalls(SendMessageBatchCommand).map(({ args }) => args[0].input.Entries ?? []);
  beforeEach(() => {
    sqs.reset();
    sqs.on(SendMessageBatchCommand).resolves({});
  });
  afterAll(() => client.destroy());

  test("a delay is in whole seconds, from none to SQS's limit of 15 minutes", async () => {
    const delays = [-5, 0, 0.2, 69.5, 900, 4_000];
    await send(delays.map((delaySeconds) => ({ message: { kind: "shard", shard: 0 }, delaySeconds })));
    const entries = sent().flat();
    expect(entries.map(({ DelaySeconds }) => DelaySeconds)).toEqual([0, 0, 1, 70, 900, 900]);
  });

  test("messages go ten at a time, under ids that differ within a batch", async () => {
    await send(shards(23));
    expect(sent().map((entries) => new Set(entries.map(({ Id }) => Id)).size)).toEqual([10, 10, 3]);
  });

  test("a message that SQS refuses for good keeps no other from being sent, and is thrown at last", async () => {
    const refused = { Id: "1", Code: "InternalError", SenderFault: false };
    sqs.on(SendMessageBatchCommand).resolves({ Failed: [refused] });
    await expect(send(shards(23))).rejects.toThrow("SQS refused 3 messages: InternalError");
    expect(sent()).toHaveLength(3);
  });
});
