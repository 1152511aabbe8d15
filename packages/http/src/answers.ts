import { type Reader, toErrorAnswer } from "@intents/contract/error-answers.ts";
import type { ListPart } from "@intents/contract/parameters.ts";
import type { Route } from "@intents/contract/route.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { fileNameParameter } from "@intents/domain/parties/document.ts";
import type { APIGatewayProxyResult } from "aws-lambda";

/** A file as an answer; always a download, so that no browser runs a stranger's upload (H58). */
export type FileAnswer = Readonly<{ bytes: Uint8Array; contentType: string; fileName: string }>;
/** The address of a file that is too large for an answer. */
export type LinkAnswer = Readonly<{ location: string }>;
/**
 * A web page with the security headers it needs. A page for a missing link has a status of its own, and so has a page
 * at an address that differs by a slash, from which a `location` header leads to its own. What stands beside pages is no
 * HTML, as its `content-type` says, and may be bytes.
 */
export type PageAnswer = Readonly<{
  html: string;
  isBase64?: true;
  headers: Readonly<Record<string, string>>;
  status?: 404 | 308;
}>;
/** A script or style of web pages, or another text as it is. */
export type AssetAnswer = Readonly<{ text: string; contentType: string }>;
/** A page of a list; `explain` tells how it was read, if the caller asked for that. */
export type ListAnswer<Item = unknown> = Readonly<{
  items: readonly Item[];
  hasMore: boolean;
  nextCursor?: string;
  total: number;
  explain?: object;
}>;

/** A page of a feed, which always tells where to go on. */
export type FeedAnswer<Item> = Readonly<{ items: readonly Item[]; hasMore: boolean; nextCursor: string }>;

/** The request values that an answer needs. */
type AnsweredRequest = Readonly<{ part: ListPart; params: Readonly<Record<string, unknown>>; path: string }>;

/** The answer to a handler's value, in the form that its route states. */
export function toAnswer(
  route: Route,
  value: unknown,
  asked: AnsweredRequest = { part: {}, params: {}, path: "" },
): APIGatewayProxyResult {
  const { answers, cacheSeconds } = route;
  if ("data" in answers) {
    // An address is relative to that of the request, and one with a slash at its end is a folder deeper.
    const base = asked.path.endsWith("/") ? "../" : "";
    const location = locationOf(answers.location, base, { ...asked.params, ...Object(value) });
    const headers = { ...cacheHeaders(route), ...location };
    return json(answers.status, { data: partOf(answers.listed, value, asked.part) }, headers);
  }
  if ("list" in answers) {
    const { items, hasMore, nextCursor, total, explain } = value as ListAnswer;
    const data = { [answers.list]: items };
    return json(200, { data, hasMore, nextCursor, count: items.length, total, explain });
  }
  if ("file" in answers) {
    if (isLink(value)) {
      const headers = { Location: value.location, "Content-Type": "text/plain", "Cache-Control": "no-store" };
      return { statusCode: 303, headers, body: value.location };
    }
    const { bytes, contentType, fileName } = value as FileAnswer;
    return {
      statusCode: 200,
      headers: {
        "Content-Type": contentType,
        "Content-Disposition": `attachment; ${fileNameParameter(fileName)}`,
        "Cache-Control": "no-store",
      },
      body: Buffer.from(bytes).toString("base64"),
      isBase64Encoded: true,
    };
  }
  if ("asset" in answers) {
    const { text, contentType } = value as AssetAnswer;
    return {
      statusCode: 200,
      headers: {
        "Content-Type": contentType.startsWith("text/") ? `${contentType}; charset=utf-8` : contentType,
        "Cache-Control":
          cacheSeconds === undefined ? "public, max-age=31536000, immutable" : `public, max-age=${cacheSeconds}`,
      },
      body: text,
    };
  }
  const { html, isBase64, headers, status = 200 } = value as PageAnswer;
  const isKept = status === 200 && cacheSeconds !== undefined;
  const kept = isKept ? { "cache-control": `private, max-age=${cacheSeconds}` } : {};
  return {
    statusCode: status,
    headers: { ...headers, ...kept },
    body: html,
    ...(isBase64 && { isBase64Encoded: true }),
  };
}

/** The address of what was created, its placeholders filled with `fields`. */
const locationOf = (
  template: string | undefined,
  base: string,
  fields: Readonly<Record<string, unknown>>,
): Record<string, string> =>
  template === undefined
    ? {}
    : {
        Location: base + template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(fields[name]))),
      };

/** The value with the asked part of its list; where it says whether it has more, it goes by that part. */
function partOf(listed: string | undefined, value: unknown, { skip = 0, limit }: ListPart): unknown {
  if (listed === undefined) return value;
  const fields: Readonly<Record<string, unknown>> = { ...Object(value) };
  const items: unknown = fields[listed];
  if (!Array.isArray(items)) throw new Error(`An answer lacks its list ${listed}`);
  const part = items.slice(skip, limit === undefined ? undefined : skip + limit);
  const hasMore = fields["hasMore"] === true || skip + part.length < items.length;
  return { ...fields, [listed]: part, ...("hasMore" in fields && { hasMore }) };
}

const isLink = (value: unknown): value is LinkAnswer =>
  typeof value === "object" && value !== null && "location" in value;

export function toRefusal(failure: Failure, nowMs: number, reader?: Reader): APIGatewayProxyResult {
  const { statusCode, headers, body } = toErrorAnswer(failure, nowMs, reader);
  return { statusCode, headers: { ...headers }, body };
}

export function json(statusCode: number, body: object | string, headers: Record<string, string> = {}) {
  return {
    statusCode,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
}

function cacheHeaders({ cacheSeconds, shared }: Route): Record<string, string> {
  if (shared !== undefined) return { "Cache-Control": `public, max-age=0, s-maxage=${shared.seconds}` };
  return cacheSeconds === undefined ? {} : { "Cache-Control": `private, max-age=${cacheSeconds}` };
}
