import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { LOCAL_ADDRESS } from "../free-port.ts";

/** Header by which AWS's SDKs send the session token with each call, and the parameter of a link that holds it. */
const TOKEN_HEADER = "x-amz-security-token";
const TOKEN = "X-Amz-Security-Token";

/** A secret of one start: its stores answer calls with this session token alone. */
export const drawSecret = (): string => randomBytes(32).toString("base64url");

/** Whether a call comes from the owner of the secret: no page of a browser sends it, and no other name leads to `port`. */
export function isOwn(headers: IncomingHttpHeaders, port: number | undefined, secret: string): boolean {
  return isByName(headers, port) && isSame(String(headers[TOKEN_HEADER]), secret);
}

/** Whether a download comes by a link of `toOwnLink` that is still good; browsers follow one, too. */
export function isOwnLink(
  url: string,
  headers: IncomingHttpHeaders,
  port: number | undefined,
  secret: string,
): boolean {
  const link = URL.parse(`http://${headers.host}${url}`);
  if (link === null || !isByName(headers, port)) return false;
  const token = link.searchParams.get(TOKEN) ?? "";
  return isSame(token, passOf(link, secret)) && endOf(link) > Date.now();
}

/** A presigned link with a pass for itself in place of the secret, so that its reader learns no secret. */
export function toOwnLink(location: string, secret: string): string {
  const link = URL.parse(location);
  if (link?.searchParams.get(TOKEN) !== secret) return location;
  link.searchParams.set(TOKEN, passOf(link, secret));
  return link.href;
}

const isByName = ({ origin, host }: IncomingHttpHeaders, port: number | undefined): boolean =>
  origin === undefined && host === `${LOCAL_ADDRESS}:${port}`;

/** The pass of a link: its path and its other parameters, signed with the secret. */
function passOf({ pathname, searchParams }: URL, secret: string): string {
  const others = [...searchParams].filter(([name]) => name !== TOKEN);
  return createHmac("sha256", secret)
    .update(JSON.stringify([pathname, others]))
    .digest("base64url");
}

/** The end of a link in milliseconds; NaN for a text that is no presigned link. */
function endOf({ searchParams }: URL): number {
  const [date = "", time = ""] = (searchParams.get("X-Amz-Date") ?? "").split("T");
  const iso = `${date.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3")}T${time.replace(/^(\d\d)(\d\d)(\d\d)Z$/, "$1:$2:$3Z")}`;
  return Date.parse(iso) + Number(searchParams.get("X-Amz-Expires")) * 1_000;
}

/** Compares digests, which have one length, so that the time of it tells nothing. */
const isSame = (given: string, secret: string): boolean => timingSafeEqual(digestOf(given), digestOf(secret));
const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest();
