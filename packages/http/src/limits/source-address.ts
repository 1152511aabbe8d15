import { createHash, timingSafeEqual } from "node:crypto";
import { ORIGIN_SECRET_HEADER } from "@intents/deployment/origin-secret.ts";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { headerOf } from "../request/body.ts";

/**
 * The address a request comes from. Behind CloudFront that is the viewer's, which is believed only beside the secret
 * that CloudFront alone was told; never X-Forwarded-For, which callers write as they like (H39).
 */
export function sourceAddressOf(event: APIGatewayProxyEvent, originSecret: string | undefined): string {
  const viewer = viewerAddress.exec(headerOf(event, "cloudfront-viewer-address") ?? "")?.[1];
  const proof = headerOf(event, ORIGIN_SECRET_HEADER);
  const believed = originSecret !== undefined && proof !== undefined && isSame(proof, originSecret);
  return believed && viewer !== undefined ? viewer : event.requestContext.identity.sourceIp;
}

/** `198.51.100.10:46532`; CloudFront writes IPv6 without brackets. */
const viewerAddress = /^\[?([\da-f.:]+?)\]?:\d{1,5}$/i;

/** In the same time wherever they differ. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
