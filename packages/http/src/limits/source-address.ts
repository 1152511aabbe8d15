import { createHash, timingSafeEqual } from "node:crypto";
import { ORIGIN_SECRET_HEADER } from "@intents/deployment/origin-secret.ts";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { headerOf } from "../request/body.ts";

/** The address that a request comes from. */
export type SourceOf = (event: APIGatewayProxyEvent) => string;

/**
 * The address that a request comes from, where `originSecrets` are CloudFront's proofs of itself: two while it changes.
 * Behind CloudFront it is the viewer's, which counts only beside a secret that only CloudFront was told. It is never
 * X-Forwarded-For, which callers write as they like (H39).
 */
export function sourceAddressOf(event: APIGatewayProxyEvent, originSecrets: readonly string[]): string {
  const viewer = viewerAddress.exec(headerOf(event, "cloudfront-viewer-address") ?? "")?.[1];
  const proof = headerOf(event, ORIGIN_SECRET_HEADER);
  const believed = proof !== undefined && originSecrets.some((secret) => isSame(proof, secret));
  return believed && viewer !== undefined ? viewer : event.requestContext.identity.sourceIp;
}

/** The form of a viewer's address: `198.51.100.10:46532`; CloudFront writes IPv6 without brackets. */
const viewerAddress = /^\[?([\da-f.:]+?)\]?:\d{1,5}$/i;

/** Compares in constant time, wherever the two differ. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
