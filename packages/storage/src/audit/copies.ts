import type { Files } from "../files/files.ts";
import { historyCopyKey } from "../table/key-owners.ts";
import type { Key } from "../table/keys.ts";

/** Copies an entry of the audit or of the ledger to where nobody can change it (Decision 023). */
export async function copyEntry(history: Files, key: Key, doc: string): Promise<void> {
  const [client, { HistoryPutObjectCommand }] = await Promise.all([history.client(), import("../files/s3-sdk.ts")]);
  const copy = { Bucket: history.bucket, Key: historyCopyKey(key, doc), Body: doc, ContentType: "application/json" };
  await client.send(new HistoryPutObjectCommand(copy));
}

/** The errors by which S3 refuses an object for what it is. */
const refusals = ["EntityTooLarge", "InvalidArgument", "KeyTooLongError"];

/** Whether S3 refuses a copy for what it is, so that it would refuse it again. */
export const isRefused = (error: unknown): boolean => error instanceof Error && refusals.includes(error.name);
