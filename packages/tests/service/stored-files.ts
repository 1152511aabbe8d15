import { readFileSync } from "node:fs";
import { GetObjectCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { runningFile } from "@intents/deployment/running-file.ts";
import { storeCredentials } from "./store-credentials.ts";

/** The service's own S3, and the name of its bucket. */
function openBucket(url: string) {
  const running = JSON.parse(readFileSync(runningFile(new URL(url).port), "utf8")) as Record<string, string>;
  const client = new S3Client({
    endpoint: running["AWS_ENDPOINT_URL_S3"] ?? "",
    region: "us-east-1",
    credentials: storeCredentials(running),
    forcePathStyle: true,
  });
  return { client, Bucket: running["BUCKET_NAME"] };
}

/** The keys of the files that the service at `url` has stored below a prefix, as its own S3 lists them. */
export async function storedFiles(url: string, prefix: string): Promise<string[]> {
  const { client, Bucket } = openBucket(url);
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix }));
  client.destroy();
  return Contents.flatMap(({ Key }) => Key ?? []);
}

/** All files that the service at `url` has stored, by their keys. */
export async function readStoredFiles(url: string): Promise<Map<string, Uint8Array>> {
  const { client, Bucket } = openBucket(url);
  const files = new Map<string, Uint8Array>();
  for (const Key of await storedFiles(url, "")) {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    files.set(Key, (await Body?.transformToByteArray()) ?? new Uint8Array());
  }
  client.destroy();
  return files;
}
