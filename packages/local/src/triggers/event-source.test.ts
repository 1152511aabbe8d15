import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { SQSEvent } from "aws-lambda";
import { startFauxqs } from "fauxqs";
import { afterAll, expect, test } from "vitest";
import { startEventSource } from "./event-source.ts";

const server = await startFauxqs({ port: 0, logger: false });
afterAll(() => server.stop());

async function newQueue(name: string, bodies: readonly string[], receivesMax: number) {
  const dlq = server.createQueue(`${name}-dlq`);
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: dlq.queueArn, maxReceiveCount: receivesMax });
  server.createQueue(name, { attributes: { VisibilityTimeout: "1", RedrivePolicy } });
  const endpoint = `http://127.0.0.1:${server.port}`;
  const queue = { name, endpoint, url: `${endpoint}/000000000000/${name}` };
  const credentials = { accessKeyId: "x", secretAccessKey: "x" };
  const client = new SQSClient({ endpoint, region: "us-east-1", credentials, useQueueUrlAsEndpoint: false });
  const Entries = bodies.map((MessageBody, index) => ({
    Id: String(index),
    MessageBody,
    MessageAttributes: { tenant: { DataType: "String", StringValue: "T" } },
  }));
  await client.send(new SendMessageBatchCommand({ QueueUrl: queue.url, Entries }));
  client.destroy();
  return queue;
}

const messagesIn = (name: string) => {
  const { ready, delayed, inflight } = server.inspectQueue(name)!.messages;
  return [...ready, ...delayed, ...inflight.map(({ message }) => message)].map(({ body }) => body);
};

test("handled messages are deleted, failed ones stay until they become dead letters", async () => {
  const queue = await newQueue("partial", ["good", "bad", "fine"], 1);
  const received: string[] = [];
  const events: SQSEvent[] = [];
  const invoke = async (_name: string, event: unknown) => {
    events.push(event as SQSEvent);
    const { Records } = event as SQSEvent;
    received.push(...Records.map(({ body }) => body));
    const failed = Records.filter(({ body }) => body === "bad");
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
  const source = startEventSource({ functions: { invoke }, name: "advance", queue, report: () => undefined });
  await expect.poll(() => messagesIn("partial-dlq")).toHaveLength(1);
  await source.stop();

  expect(received.toSorted()).toEqual(["bad", "fine", "good"]);
  expect(messagesIn("partial")).toEqual([]);
  expect(events[0]?.Records[0]).toMatchObject({
    eventSource: "aws:sqs",
    eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:partial",
    awsRegion: "us-east-1",
    attributes: { ApproximateReceiveCount: "1", SentTimestamp: expect.stringMatching(/^\d+$/) },
    messageAttributes: { tenant: { dataType: "String", stringValue: "T" } },
  });
});

test("a function that throws keeps its messages, is reported, and does not end the source", async () => {
  const queue = await newQueue("thrown", ["one"], 2);
  const problems: string[] = [];
  let calls = 0;
  const invoke = async () => {
    calls += 1;
    if (calls === 1) throw new Error("broken");
  };
  const source = startEventSource({
    functions: { invoke },
    name: "advance",
    queue,
    report: (line) => problems.push(line),
  });
  await expect.poll(() => messagesIn("thrown")).toEqual([]);
  await source.stop();
  expect(problems).toEqual(["advance: Error: broken"]);
  expect(messagesIn("thrown-dlq")).toEqual([]);
});
