import type { S3Client } from "@aws-sdk/client-s3";
import { once } from "@intents/domain/once.ts";

/** The bucket that documents live in. The client is loaded on first use: most requests need none. */
export type Files = Readonly<{ client: () => Promise<S3Client>; bucket: string }>;

export const openFiles = (bucket: string): Files => ({
  bucket,
  client: once(async () => {
    const { S3Client } = await import("./s3-sdk.ts");
    return new S3Client({ forcePathStyle: process.env["AWS_ENDPOINT_URL_S3"] !== undefined });
  }),
});

/** Stores a file. A link to it downloads it under `fileName`, if that is given. */
export async function putFile(
  files: Files,
  key: string,
  bytes: Uint8Array,
  contentType: string,
  fileName?: string,
): Promise<void> {
  const [client, { PutObjectCommand }] = await Promise.all([files.client(), import("./s3-sdk.ts")]);
  const described = { ContentType: contentType, ...(fileName !== undefined && asDownload(fileName)) };
  await client.send(new PutObjectCommand({ Bucket: files.bucket, Key: key, Body: bytes, ...described }));
}

/** The header by which a browser saves an object under this name, which must be of plain characters. */
export const asDownload = (fileName: string) => ({ ContentDisposition: `attachment; filename="${fileName}"` });

/** Copies an object inside the bucket; doing it again changes nothing. */
export async function copyFile(files: Files, from: string, to: string): Promise<void> {
  const [client, { CopyObjectCommand }] = await Promise.all([files.client(), import("./s3-sdk.ts")]);
  await client.send(new CopyObjectCommand({ Bucket: files.bucket, Key: to, CopySource: `${files.bucket}/${from}` }));
}

/** When an object was stored; undefined if there is none. */
export async function findStoredAtMs(files: Files, key: string): Promise<number | undefined> {
  const [client, { HeadObjectCommand, S3ServiceException }] = await Promise.all([
    files.client(),
    import("./s3-sdk.ts"),
  ]);
  try {
    const { LastModified } = await client.send(new HeadObjectCommand({ Bucket: files.bucket, Key: key }));
    return LastModified?.getTime();
  } catch (error) {
    // S3 says "forbidden" of an object that does not exist to those who may not list the bucket.
    const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
    if (status === 403 || status === 404) return undefined;
    throw error;
  }
}

export async function readFile(files: Files, key: string): Promise<Uint8Array> {
  const [client, { GetObjectCommand }] = await Promise.all([files.client(), import("./s3-sdk.ts")]);
  const { Body } = await client.send(new GetObjectCommand({ Bucket: files.bucket, Key: key }));
  if (Body === undefined) throw new Error(`The stored file ${key} has no content`);
  return Body.transformToByteArray();
}

/** The same; undefined when the object is gone. */
export async function findFile(files: Files, key: string): Promise<Uint8Array | undefined> {
  const { NoSuchKey } = await import("./s3-sdk.ts");
  try {
    return await readFile(files, key);
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}

/** Replaces a text file by what `change` makes of it, under the same name for downloads, unless it was changed since. */
export async function changeFile(files: Files, key: string, change: (text: string) => string): Promise<void> {
  const [client, { GetObjectCommand, PutObjectCommand }] = await Promise.all([files.client(), import("./s3-sdk.ts")]);
  const stored = { Bucket: files.bucket, Key: key };
  const { Body, ETag: IfMatch, ContentType, ContentDisposition } = await client.send(new GetObjectCommand(stored));
  // The default decoding would drop the mark by which spreadsheets know the encoding.
  const before = Buffer.from((await Body?.transformToByteArray()) ?? []).toString();
  const after = change(before);
  if (after === before) return;
  await client.send(new PutObjectCommand({ ...stored, Body: after, IfMatch, ContentType, ContentDisposition }));
}

/** Deletes an object. It is no error if the object does not exist. */
export async function deleteFile(files: Files, key: string): Promise<void> {
  const [client, { DeleteObjectCommand }] = await Promise.all([files.client(), import("./s3-sdk.ts")]);
  await client.send(new DeleteObjectCommand({ Bucket: files.bucket, Key: key }));
}

/** An object by its key, and when it was stored. */
export type StoredFile = Readonly<{ key: string; storedAtMs: number }>;

/** The objects below `prefix` whose keys come after `after`, in the order of their keys, a thousand at a time. */
export async function* listFiles(files: Files, prefix: string, after?: string): AsyncGenerator<StoredFile[]> {
  const [client, { paginateListObjectsV2 }] = await Promise.all([files.client(), import("./s3-sdk.ts")]);
  const pages = paginateListObjectsV2({ client }, { Bucket: files.bucket, Prefix: prefix, StartAfter: after });
  for await (const { Contents = [] } of pages) {
    if (Contents.length > 0)
      yield Contents.map(({ Key = "", LastModified }) => ({ key: Key, storedAtMs: LastModified?.getTime() ?? 0 }));
  }
}

/** The first parts of the names below `prefix`, up to their "/", in their order, a thousand at a time. */
export async function* listFolders(files: Files, prefix: string): AsyncGenerator<string[]> {
  const [client, { paginateListObjectsV2 }] = await Promise.all([files.client(), import("./s3-sdk.ts")]);
  const pages = paginateListObjectsV2({ client }, { Bucket: files.bucket, Prefix: prefix, Delimiter: "/" });
  for await (const { CommonPrefixes = [] } of pages)
    yield CommonPrefixes.flatMap(({ Prefix }) => Prefix?.slice(0, -1) ?? []);
}
