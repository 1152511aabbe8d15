import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

/** A file to send: its path, a Blob or File, or bytes or a stream under a name. */
export type Upload =
  | string
  | URL
  | Blob
  | Readonly<{ name: string; content: Blob | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> }>;

/** A part of a form. */
export type Part = Readonly<{ name: string; content: Blob }>;

/** An upload as a whole, so that it can be sent again; the reason of the signal is thrown as soon as it is aborted. */
export async function readUpload(upload: Upload, signal?: AbortSignal): Promise<Part> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal?.reason);
    signal?.addEventListener("abort", giveUp);
    toPart(upload, signal)
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener("abort", giveUp));
  });
}

async function toPart(upload: Upload, signal: AbortSignal | undefined): Promise<Part> {
  if (typeof upload === "string" || upload instanceof URL) {
    const path = typeof upload === "string" ? upload : fileURLToPath(upload);
    const bytes = await readFile(path, { signal });
    return { name: basename(path), content: new Blob([bytes]) };
  }
  if (upload instanceof Blob) return { name: upload instanceof File ? upload.name : "upload", content: upload };
  const { name, content } = upload;
  if (content instanceof Blob) return { name, content };
  return {
    name,
    content: new Blob(content instanceof Uint8Array ? [toBlobPart(content)] : await collect(content, signal)),
  };
}

async function collect(
  stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
) {
  const chunks: BlobPart[] = [];
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    signal?.throwIfAborted();
    chunks.push(toBlobPart(chunk));
  }
  return chunks;
}

/** Blobs are not made of memory that is shared with other threads, which types cannot tell apart. */
const toBlobPart = (bytes: Uint8Array): BlobPart => bytes as Uint8Array<ArrayBuffer>;
