import { readFileSync } from "node:fs";
import { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { runningFile } from "@intents/deployment/running-file.ts";

/** The keys of the files that the service at `url` has stored below a prefix, as its own S3 lists them. */
export async function storedFiles(url: string, prefix: string): Promise<string[]> {
  const told = JSON.parse(readFileSync(runningFile(new URL(url).port), "utf8")) as Record<string, string>;
  const client = new S3Client({
    endpoint: told["AWS_ENDPOINT_URL_S3"] ?? "",
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    forcePathStyle: true,
  });
  const { Contents = [] } = await client.send(
    new ListObjectsV2Command({ Bucket: told["BUCKET_NAME"], Prefix: prefix }),
  );
  client.destroy();
  return Contents.flatMap(({ Key }) => Key ?? []);
}
