import { mkdtempSync, rmSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { GetQueueAttributesCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3AndSqs, startS3AndSqs } from "./s3-and-sqs.ts";
import { drawSecret, toOwnLink } from "./secret.ts";

const BUCKET = "documents";
let folder: string;
let before: S3AndSqs;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "s3-and-sqs-"));
  before = await startS3AndSqs(folder, [BUCKET]);
});
afterAll(async () => {
  await before.stop();
  rmSync(folder, { recursive: true });
});

function clientsOf({ endpoint }: S3AndSqs) {
  const common = { endpoint, region: "us-east-1", credentials: { accessKeyId: "x", secretAccessKey: "x" } };
  return {
    s3: new S3Client({ ...common, forcePathStyle: true }),
    sqs: new SQSClient({ ...common, useQueueUrlAsEndpoint: false }),
  };
}

test("objects and messages survive a store that was not stopped in good order", async () => {
  const { s3, sqs } = clientsOf(before);
  await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: "T1/a", Body: "bytes" }));
  await sqs.send(new SendMessageCommand({ QueueUrl: before.queue.url, MessageBody: "message" }));

  const after = await startS3AndSqs(folder, [BUCKET]);
  const next = clientsOf(after);
  const { Body } = await next.s3.send(new GetObjectCommand({ Bucket: BUCKET, Key: "T1/a" }));
  expect(await Body?.transformToString()).toBe("bytes");
  const { Messages } = await next.sqs.send(new ReceiveMessageCommand({ QueueUrl: after.queue.url }));
  expect(Messages?.map((message) => message.Body)).toEqual(["message"]);
  await after.stop();
});

test("the queue sends to its dead letters after five receives", async () => {
  const { sqs } = clientsOf(before);
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: before.queue.url, AttributeNames: ["All"] }),
  );
  expect(JSON.parse(Attributes?.["RedrivePolicy"] ?? "")).toEqual({
    deadLetterTargetArn: "arn:aws:sqs:us-east-1:000000000000:advance-intents-dlq",
    maxReceiveCount: 5,
  });
  expect(Number(Attributes?.["VisibilityTimeout"])).toBeGreaterThan(28);
});

const elsewhere = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(({ internal, family }) => !internal && family === "IPv4");

test("a link to a file leads to it alone, as long as it is good, and tells no secret", async () => {
  const secret = drawSecret();
  const store = await startS3AndSqs(undefined, [BUCKET], secret);
  const credentials = { accessKeyId: "x", secretAccessKey: "x", sessionToken: secret };
  const s3 = new S3Client({ endpoint: store.endpoint, region: "us-east-1", credentials, forcePathStyle: true });
  await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: "T1/a", Body: "bytes" }));
  const linkFor = async (expiresIn: number) => {
    const signed = await getSignedUrl(s3, new GetObjectCommand({ Bucket: BUCKET, Key: "T1/a" }), { expiresIn });
    return toOwnLink(signed, secret);
  };
  const [link, ended] = [await linkFor(300), await linkFor(-1)];
  expect(link).not.toContain(secret);
  expect(await (await fetch(link)).text()).toBe("bytes");
  const pass = new URL(link).searchParams.get("X-Amz-Security-Token") ?? "";
  const asked: [string, RequestInit?][] = [
    [ended],
    [link.replace("T1/a", "T1/b")],
    [link.replace("Expires=300", "Expires=900")],
    [link, { method: "DELETE" }],
    [`${store.endpoint}/${BUCKET}`, { headers: { "X-Amz-Security-Token": pass } }],
  ];
  const answers = await Promise.all(asked.map((request) => fetch(...request)));
  expect(answers.map(({ status }) => status)).toEqual(asked.map(() => 403));
  await store.stop();
});

test.each(elsewhere)("no connection to the machine's address $address is accepted", async ({ address }) => {
  const { port } = new URL(before.endpoint);
  await expect(fetch(`http://${address}:${port}/${BUCKET}/T1/a`)).rejects.toThrow();
  expect((await fetch(`${before.endpoint}/health`)).ok).toBe(true);
});
