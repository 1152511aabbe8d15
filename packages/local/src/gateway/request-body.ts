import type { IncomingMessage } from "node:http";

/** The whole event must fit into Lambda's 6 MB: the body as base64, and everything else. */
const EVENT_BYTES_MAX = 6_291_556;
const EVENT_REST_BYTES = 64 * 1024;
export const BODY_BYTES_MAX = Math.floor(((EVENT_BYTES_MAX - EVENT_REST_BYTES) * 3) / 4);
/** A sender may send so much before it is refused, because many senders never read an earlier answer. */
export const READ_BYTES_MAX = 16 * 1024 * 1024;

export type Body = Buffer | "none" | "too_large" | "cut_off";

/** Reads a request's body, keeping no more of it than a function could be given. */
export function readBody(request: IncomingMessage): Body | Promise<Body> {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (encoding === undefined && (length === undefined || length === "0")) return "none";
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
      else chunks = [];
      // The rest of the body is discarded as it arrives.
      if (bytes > READ_BYTES_MAX) resolve("too_large");
    });
    request.on("end", () => resolve(bytes > BODY_BYTES_MAX ? "too_large" : wholeOf(chunks)));
    request.on("error", () => resolve("cut_off"));
    request.on("close", () => resolve("cut_off"));
  });
}

const wholeOf = (chunks: Buffer[]): Body => {
  const [first] = chunks;
  if (first === undefined) return "none";
  return chunks.length === 1 ? first : Buffer.concat(chunks);
};
