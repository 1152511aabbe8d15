import { S3Client } from "@aws-sdk/client-s3";
import { startS3AndSqs } from "@intents/local/stores/s3-and-sqs.ts";
import { type Files, listFiles } from "../src/files/files.ts";

/** For tests: an empty bucket in an embedded S3 of its own, a list of its keys, and how to end it. */
export async function startFiles(): Promise<
  Readonly<{ files: Files; keysBelow: (prefix: string) => Promise<string[]>; stop: () => Promise<void> }>
> {
  const bucket = "documents";
  const store = await startS3AndSqs(undefined, [bucket]);
  const client = new S3Client({
    endpoint: store.endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    forcePathStyle: true,
  });
  const files: Files = { bucket, client: async () => client };
  return {
    files,
    keysBelow: async (prefix) => {
      const found: string[] = [];
      for await (const page of listFiles(files, prefix)) found.push(...page.map(({ key }) => key));
      return found;
    },
    stop: async () => {
      client.destroy();
      await store.stop();
    },
  };
}
