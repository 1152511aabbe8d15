import { acceptsCoding, COMPRESSION_BYTES_MIN } from "@intents/contract/compression.ts";
import { isTagged, type Route } from "@intents/contract/route.ts";
import { askAgainAfter, type Followed } from "@intents/domain/intents/pace.ts";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { headerOf } from "./request/body.ts";
import { standsFor, tagOf } from "./request/tags.ts";

/**
 * A route's answer as HTTP has it: with the tag of its content, 304 for a caller who has that content, and for HEAD
 * without a body. The tag is weak where a gateway will compress the body. A payment that goes on says when to ask again.
 */
export function represent(
  route: Route,
  event: APIGatewayProxyEvent,
  answer: APIGatewayProxyResult,
  nowMs: number,
): APIGatewayProxyResult {
  const isRead = isReading(event);
  const body = event.httpMethod === "HEAD" ? { body: "", isBase64Encoded: false } : {};
  const headers = { ...answer.headers, ...paceOf(route, answer, nowMs), Vary: "Accept-Encoding" };
  if (answer.statusCode !== 200 || !isTagged(route)) return { ...answer, headers, ...body };
  const tag = tagOf(answer.body);
  const isWeak = Buffer.byteLength(answer.body) >= COMPRESSION_BYTES_MIN && acceptsCompression(event);
  const tagged = { ...headers, ETag: `${isWeak ? "W/" : ""}"${tag}"` };
  const known = isRead ? headerOf(event, "if-none-match") : undefined;
  if (known !== undefined && standsFor(known, tag)) return { statusCode: 304, headers: tagged, body: "" };
  return { ...answer, headers: tagged, ...body };
}

/** Goes by the body, because a replayed one tells how the payment stood when it was first answered. */
function paceOf({ answers }: Route, { statusCode, body }: APIGatewayProxyResult, nowMs: number) {
  if (!("data" in answers && answers.polled === true && statusCode === 200)) return {};
  const seconds = askAgainAfter((JSON.parse(body) as { data: Followed }).data, nowMs);
  return seconds === undefined ? {} : { "Retry-After": String(seconds) };
}

export const isReading = ({ httpMethod }: APIGatewayProxyEvent): boolean =>
  httpMethod === "GET" || httpMethod === "HEAD";

const acceptsCompression = (event: APIGatewayProxyEvent): boolean =>
  acceptsCoding(headerOf(event, "accept-encoding") ?? "", ["gzip", "deflate"]);
