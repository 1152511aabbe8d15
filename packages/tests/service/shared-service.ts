import { readFileSync } from "node:fs";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DeleteObjectsCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { BatchWriteCommand, DynamoDBDocumentClient, paginateScan } from "@aws-sdk/lib-dynamodb";
import { runningFile } from "@intents/deployment/running-file.ts";
import { seed } from "@intents/local/seed.ts";
import { afterAll } from "vitest";
import { noRateLimit } from "./client.ts";
import { launchService, type RunningService } from "./service.ts";
import { storeCredentials } from "./store-credentials.ts";

type Environment = Parameters<typeof launchService>[0];

/** The settings of most files: payments settle within a moment, and every answer tells its limit on a busy machine, too. */
export const usual: Environment = {
  ...noRateLimit,
  RATE_LIMIT_BUDGET_MS: "60000",
  SANDBOX_SETTLE_SECONDS: "0.2",
  POLL_INTERVAL_SECONDS: "0.5",
  PAYER_APP_URL: "https://pay.example",
};

/** A service of which a test sees no more than its own part: others use its process before and after it. */
export type SharedService = Pick<RunningService, "url" | "pid" | "output">;

const running = new Map<string, Promise<RunningService>>();

/**
 * A service with the demo's data alone. All files of a worker that want the same settings share its process, whose
 * functions are loaded and compiled once; each file finds its stores as those of a new service. It ends with the worker.
 */
export async function shareService(env: Environment = usual): Promise<SharedService> {
  const name = JSON.stringify(env);
  const known = running.get(name);
  const service = known ?? launchService(env);
  running.set(name, service);
  const { url, pid, output } = await service;
  // While no file uses it, it sleeps: its schedule would take a share of the cores from others.
  process.kill(pid, "SIGCONT");
  afterAll(() => process.kill(pid, "SIGSTOP"));
  if (known !== undefined) await beginAnew(url);
  const before = output().length;
  return { url, pid, output: () => output().slice(before) };
}

/** Empties the stores of the service at `url`, and stores the demo's data again. */
async function beginAnew(url: string): Promise<void> {
  const running = JSON.parse(readFileSync(runningFile(new URL(url).port), "utf8")) as Record<string, string>;
  const access = { region: "us-east-1", credentials: storeCredentials(running) };
  const client = new DynamoDBClient({ ...access, endpoint: running["AWS_ENDPOINT_URL_DYNAMODB"] ?? "" });
  const s3 = new S3Client({ ...access, endpoint: running["AWS_ENDPOINT_URL_S3"] ?? "", forcePathStyle: true });
  const db = DynamoDBDocumentClient.from(client);
  const name = running["TABLE_NAME"] ?? "";
  const tables = [name, running["RAIL_TABLE_NAME"] ?? "", running["WINDOW_TABLE_NAME"] ?? ""];
  await Promise.all([...tables.map((table) => emptyTable(db, table)), emptyBucket(s3, running["BUCKET_NAME"] ?? "")]);
  await seed({ client, db, name });
  client.destroy();
  s3.destroy();
}

/** The most writes that one call of BatchWriteItem takes. */
const WRITES_MAX = 25;

/**
 * Empties a table until nothing is found in it: a payment of the file before may end meanwhile, and be counted once more.
 */
async function emptyTable(db: DynamoDBDocumentClient, name: string): Promise<void> {
  while ((await deleteItems(db, name)) > 0);
}

async function deleteItems(db: DynamoDBDocumentClient, name: string): Promise<number> {
  let deleted = 0;
  const pages = paginateScan({ client: db }, { TableName: name, ProjectionExpression: "PK, SK", ConsistentRead: true });
  for await (const { Items = [] } of pages) {
    for (let at = 0; at < Items.length; at += WRITES_MAX) {
      const requests = Items.slice(at, at + WRITES_MAX).map((Key) => ({ DeleteRequest: { Key } }));
      await db.send(new BatchWriteCommand({ RequestItems: { [name]: requests } }));
    }
    deleted += Items.length;
  }
  return deleted;
}

async function emptyBucket(s3: S3Client, Bucket: string): Promise<void> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
  const Objects = Contents.map(({ Key }) => ({ Key }));
  if (Objects.length > 0) await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
}
