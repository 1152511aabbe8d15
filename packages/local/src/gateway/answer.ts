import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { acceptsCoding, COMPRESSION_BYTES_MIN } from "@intents/contract/compression.ts";
import type { APIGatewayProxyResult } from "aws-lambda";

export type Answer = Readonly<Pick<APIGatewayProxyResult, "statusCode" | "headers" | "multiValueHeaders" | "body">> &
  Readonly<{ isBase64Encoded?: boolean | undefined }>;

/** Lambda's limit for what a function may answer with. */
const ANSWER_BYTES_MAX = 6_291_556;
/** JSON may write one character as six. */
const JSON_GROWTH_MAX = 6;

/** A function's answer, or undefined where API Gateway and Lambda would refuse it (502). */
export function toAnswer(result: unknown): Answer | undefined {
  if (typeof result !== "object" || result === null) return undefined;
  const { statusCode, body } = result as Partial<Answer>;
  if (statusCode === undefined || !Number.isInteger(statusCode) || statusCode < 200 || statusCode > 599)
    return undefined;
  if (body !== undefined && body !== null && typeof body !== "string") return undefined;
  const mayBeLarge = body !== undefined && body !== null && body.length * JSON_GROWTH_MAX > ANSWER_BYTES_MAX;
  if (mayBeLarge && Buffer.byteLength(JSON.stringify(result)) > ANSWER_BYTES_MAX) return undefined;
  return result as Answer;
}

/** An answer that leads elsewhere, with another address in its header and its body. */
export function withLocation(answer: Answer, toLocation: (location: string) => string): Answer {
  const { Location } = answer.headers ?? {};
  if (typeof Location !== "string") return answer;
  const target = toLocation(Location);
  return { ...answer, headers: { ...answer.headers, Location: target }, body: answer.body.replace(Location, target) };
}

/** Headers that belong to the connection, and that a function cannot set. */
const connectionHeaders = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding"]);

/** Sends `answer`, compressed if its caller accepts that. Throws, before anything is sent, when a header cannot be sent. */
export function sendAnswer(response: ServerResponse, requestId: string, answer: Answer): void {
  const { req: request } = response;
  const whole = answer.isBase64Encoded === true ? Buffer.from(answer.body, "base64") : Buffer.from(answer.body ?? "");
  const isCompressed =
    whole.length >= COMPRESSION_BYTES_MIN && acceptsCoding(String(request.headers["accept-encoding"] ?? ""), ["gzip"]);
  const body = isCompressed ? gzipSync(whole, { level: 1 }) : whole;
  response.setHeader("X-Request-Id", requestId);
  response.setHeader("Content-Type", "application/json");
  // An answer without a body must not tell the length of one.
  if (request.method !== "HEAD" && answer.statusCode !== 304) response.setHeader("Content-Length", body.length);
  for (const [name, value] of Object.entries({ ...answer.headers, ...answer.multiValueHeaders })) {
    if (!connectionHeaders.has(name.toLowerCase()))
      response.setHeader(name, Array.isArray(value) ? value.map(String) : String(value));
  }
  if (isCompressed) response.setHeader("Content-Encoding", "gzip");
  response.writeHead(answer.statusCode);
  response.end(body);
}
