import { createHash } from "node:crypto";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { headerOf } from "../request/body.ts";

/** Printable ASCII of 1 to 255 characters. */
const KEY_PATTERN = /^[\x21-\x7e][\x20-\x7e]{0,254}$/;

/** The hash of a request's Idempotency-Key, if one was sent. */
export function keyHashOf(event: APIGatewayProxyEvent): string | undefined {
  const key = headerOf(event, "idempotency-key");
  if (key === undefined) return undefined;
  return KEY_PATTERN.test(key) ? createHash("sha256").update(key).digest("hex") : "malformed";
}
