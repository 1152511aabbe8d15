import { createHash } from "node:crypto";
import type { S3Client } from "@aws-sdk/client-s3";
import { asDownload, copyFile, type Files, findStoredAtMs, putFile } from "./files.ts";

/** Larger files are answered by a link: as base64, an answer must fit into the 6 MB that Lambda answers at most. */
const DIRECT_BYTES_MAX = 4 * 1024 * 1024;
/** The smallest part of an upload that S3 takes; one part at a time is held in memory. */
const PART_BYTES_MIN = 5 * 1024 * 1024;
/** A link to an export works for so long (H59). */
const LINK_SECONDS = 300;
/** S3 deletes an export after 90 days. One that is older than this is stored again, so that a link to it stays good. */
const GOOD_FOR_MS = 80 * 86_400_000;

export type ExportFile = Readonly<{
  /** The key for its parts, new each time. */
  uploadKey: string;
  /** The key of the object with this hash of name and content. */
  keyOf: (hash: string) => string;
  contentType: string;
  fileName: string;
}>;

/** A stored export: its bytes when they are few, else a link to it. */
export type StoredExport = Readonly<{ bytes: Uint8Array }> | Readonly<{ location: string }>;

/**
 * Stores text while it arrives, with at most one part in memory, as one object for each name and content: the same
 * export asked for again is the same object. Parts are sent to `exporting/`, because the content is known only at their end.
 * The bucket's own rules remove what lies there, and uploads that failed.
 */
export async function storeExport(
  files: Files,
  file: ExportFile,
  texts: AsyncIterable<string>,
  nowMs: number,
): Promise<StoredExport> {
  const hash = createHash("sha256").update(`${file.fileName}\n`);
  let upload: Upload | undefined;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  for await (const text of texts) {
    const bytes = Buffer.from(text);
    hash.update(bytes);
    waiting.push(bytes);
    waitingBytes += bytes.length;
    if (waitingBytes < PART_BYTES_MIN) continue;
    upload ??= await startUpload(files, file);
    await upload.add(Buffer.concat(waiting));
    waiting = [];
    waitingBytes = 0;
  }
  const rest = Buffer.concat(waiting);
  const key = file.keyOf(hash.digest("hex"));
  const isStored = ((await findStoredAtMs(files, key)) ?? 0) > nowMs - GOOD_FOR_MS;
  if (isStored) await upload?.abort();
  else if (upload === undefined) await putFile(files, key, rest, file.contentType, file.fileName);
  else {
    if (rest.length > 0) await upload.add(rest);
    await upload.complete();
    await copyFile(files, upload.key, key);
  }
  if (upload === undefined && rest.length <= DIRECT_BYTES_MAX) return { bytes: rest };
  return { location: await linkTo(files, key) };
}

type Upload = Readonly<{
  key: string;
  add: (bytes: Uint8Array) => Promise<void>;
  complete: () => Promise<void>;
  abort: () => Promise<void>;
}>;

async function startUpload(
  { client: load, bucket: Bucket }: Files,
  { uploadKey: Key, contentType, fileName }: ExportFile,
): Promise<Upload> {
  const client: S3Client = await load();
  const {
    AbortMultipartUploadCommand,
    CompleteMultipartUploadCommand,
    CreateMultipartUploadCommand,
    UploadPartCommand,
  } = await import("./s3-sdk.ts");
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ Bucket, Key, ContentType: contentType, ...asDownload(fileName) }),
  );
  const parts: { PartNumber: number; ETag: string | undefined }[] = [];
  return {
    key: Key,
    add: async (Body) => {
      const PartNumber = parts.length + 1;
      const { ETag } = await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
      parts.push({ PartNumber, ETag });
    },
    complete: async () => {
      const MultipartUpload = { Parts: parts };
      await client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }));
    },
    abort: async () => {
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    },
  };
}

/** A link that lets anybody download the file for a while; give it only to callers with access. */
async function linkTo({ client: load, bucket: Bucket }: Files, Key: string): Promise<string> {
  const [client, { GetObjectCommand, getSignedUrl }] = await Promise.all([load(), import("./s3-sdk.ts")]);
  return getSignedUrl(client, new GetObjectCommand({ Bucket, Key }), { expiresIn: LINK_SECONDS });
}
