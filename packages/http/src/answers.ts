import { toErrorAnswer } from "@intents/contract/errors.ts";
import type { Route } from "@intents/contract/route.ts";
import type { Failure } from "@intents/domain/failure.ts";
import type { APIGatewayProxyResult } from "aws-lambda";

/** A file to answer with; always as a download, so that no browser runs what a stranger uploaded (H58). */
export type FileAnswer = Readonly<{ bytes: Uint8Array; contentType: string; fileName: string }>;
/** A web page with the security headers it needs. */
export type PageAnswer = Readonly<{ html: string; headers: Readonly<Record<string, string>> }>;
export type ListAnswer = Readonly<{ items: readonly unknown[]; hasMore: boolean; total: number }>;

/** What a handler came to, as its route says that it is answered. */
export function toAnswer(route: Route, value: unknown): APIGatewayProxyResult {
  const { answers } = route;
  if ("data" in answers) return json(answers.status, { data: value }, cacheHeaders(route));
  if ("list" in answers) {
    const { items, hasMore, total } = value as ListAnswer;
    return json(200, { data: { [answers.list]: items }, hasMore, count: items.length, total });
  }
  if ("file" in answers) {
    const { bytes, contentType, fileName } = value as FileAnswer;
    return {
      statusCode: 200,
      headers: {
        "Content-Type": contentType,
        "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`,
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
      },
      body: Buffer.from(bytes).toString("base64"),
      isBase64Encoded: true,
    };
  }
  const { html, headers } = value as PageAnswer;
  return { statusCode: 200, headers: { ...headers }, body: html };
}

export function toRefusal(failure: Failure, nowMs: number): APIGatewayProxyResult {
  const { statusCode, headers, body } = toErrorAnswer(failure, nowMs);
  return { statusCode, headers: { ...headers }, body };
}

export function json(statusCode: number, body: object | string, headers: Record<string, string> = {}) {
  return {
    statusCode,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
}

const cacheHeaders = ({ cacheSeconds }: Route): Record<string, string> =>
  cacheSeconds === undefined ? {} : { "Cache-Control": `private, max-age=${cacheSeconds}` };
