import type { S3Client } from "@aws-sdk/client-s3";
import { asDownload, type Files, putFile } from "./files.ts";

/** Larger files are answered by a link: as base64, an answer must fit into the 6 MB that Lambda answers at most. */
const DIRECT_BYTES_MAX = 4 * 1024 * 1024;
/** The smallest part of an upload that S3 takes; one part at a time is held in memory. */
const PART_BYTES_MIN = 5 * 1024 * 1024;
/** A link to an export works for so long (H59). */
const LINK_SECONDS = 300;

export type ExportFile = Readonly<{ key: string; contentType: string; fileName: string }>;

/** A stored export: its bytes when they are few, else a link to it. */
export type StoredExport = Readonly<{ bytes: Uint8Array }> | Readonly<{ location: string }>;

/** Stores text while it arrives, with at most one part in memory. The bucket's own rule removes uploads that failed. */
export async function storeExport(files: Files, file: ExportFile, texts: AsyncIterable<string>): Promise<StoredExport> {
  let upload: Upload | undefined;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  for await (const text of texts) {
    const bytes = Buffer.from(text);
    waiting.push(bytes);
    waitingBytes += bytes.length;
    if (waitingBytes < PART_BYTES_MIN) continue;
    upload ??= await startUpload(files, file);
    await upload.add(Buffer.concat(waiting));
    waiting = [];
    waitingBytes = 0;
  }
  const rest = Buffer.concat(waiting);
  if (upload === undefined) {
    await putFile(files, file.key, rest, file.contentType, file.fileName);
    if (rest.length <= DIRECT_BYTES_MAX) return { bytes: rest };
  } else {
    if (rest.length > 0) await upload.add(rest);
    await upload.complete();
  }
  return { location: await linkTo(files, file) };
}

type Upload = Readonly<{ add: (bytes: Uint8Array) => Promise<void>; complete: () => Promise<void> }>;

async function startUpload(
  { client: load, bucket: Bucket }: Files,
  { key: Key, contentType, fileName }: ExportFile,
): Promise<Upload> {
  const client: S3Client = await load();
  const { CompleteMultipartUploadCommand, CreateMultipartUploadCommand, UploadPartCommand } = await import(
    "@aws-sdk/client-s3"
  );
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ Bucket, Key, ContentType: contentType, ...asDownload(fileName) }),
  );
  const parts: { PartNumber: number; ETag: string | undefined }[] = [];
  return {
    add: async (Body) => {
      const PartNumber = parts.length + 1;
      const { ETag } = await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
      parts.push({ PartNumber, ETag });
    },
    complete: async () => {
      const MultipartUpload = { Parts: parts };
      await client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }));
    },
  };
}

/** A link by which anybody can download the file for a while; give it only to callers who may see the file. */
async function linkTo({ client: load, bucket: Bucket }: Files, { key: Key }: ExportFile): Promise<string> {
  const [client, { GetObjectCommand }, { getSignedUrl }] = await Promise.all([
    load(),
    import("@aws-sdk/client-s3"),
    import("@aws-sdk/s3-request-presigner"),
  ]);
  return getSignedUrl(client, new GetObjectCommand({ Bucket, Key }), { expiresIn: LINK_SECONDS });
}
