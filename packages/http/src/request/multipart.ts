import { toWord } from "@intents/contract/problems.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { getMultipartBoundary, MultipartParseError, parseMultipart } from "@remix-run/multipart-parser";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { bodyBytes, headerOf } from "./body.ts";

/** A file as it was sent; its name is the sender's, and nothing is said of it yet. */
export type SentFile = Readonly<{ fileName: string; bytes: Uint8Array }>;
/** The parts of a form by their names. */
export type Parts = Readonly<{ files: ReadonlyMap<string, SentFile>; fields: ReadonlyMap<string, string> }>;

const PARTS_MAX = 20;

/** The parts of a multipart form, none of whose files is larger than `fileBytesMax`. */
export function parseParts(event: APIGatewayProxyEvent, fileBytesMax: number): Result<Parts, Failure> {
  const contentType = headerOf(event, "content-type") ?? "";
  const boundary = /^multipart\/form-data/i.test(contentType) ? getMultipartBoundary(contentType) : null;
  if (boundary === null) return fail({ kind: "media_type", expected: ["multipart/form-data"] });
  const files = new Map<string, SentFile>();
  const fields = new Map<string, string>();
  const limits = { maxFileSize: fileBytesMax, maxParts: PARTS_MAX, maxTotalSize: fileBytesMax + 1_000_000 };
  try {
    for (const part of parseMultipart(bodyBytes(event), { boundary, ...limits })) {
      const name = part.name ?? "";
      // Two parts of one name are ambiguous.
      if (files.has(name) || fields.has(name))
        return fail({ kind: "shape", problems: [`${toWord(name)} must be given once`] });
      if (part.isFile) files.set(name, { fileName: part.filename ?? "", bytes: part.bytes });
      else fields.set(name, part.text);
    }
  } catch (error) {
    if (isNotUtf8(error)) return fail({ kind: "shape", problems: ["body must be UTF-8 outside of its files"] });
    if (!(error instanceof MultipartParseError)) throw error;
    return error.name.startsWith("Max")
      ? fail({ kind: "too_large", limitBytes: fileBytesMax })
      : fail({ kind: "shape", problems: ["body must be a complete multipart form"] });
  }
  return ok({ files, fields });
}

/** Whether an error is the one that the parser's decoder throws for a name or a text field. */
const isNotUtf8 = (error: unknown): boolean =>
  error instanceof TypeError && "code" in error && error.code === "ERR_ENCODING_INVALID_ENCODED_DATA";
