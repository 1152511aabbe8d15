import type { MiddlewareObj } from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import type { PageAnswer } from "./answers.ts";
import { headerOf } from "./request/body.ts";

/** A refusal or a fault that a browser is to be told of, and how its visitor wants to be spoken to. */
type Refused = Readonly<{
  statusCode: number;
  retryAfterSeconds: number | undefined;
  lang: string | undefined;
  acceptLanguage: string | undefined;
}>;

/** Writes the page that a browser gets in place of the error envelope. */
export type NoticePage = (refused: Refused) => Pick<PageAnswer, "html" | "headers">;

/** Whether a request asks for a page, and the page that it gets when it is refused. */
export type Notices = Readonly<{ isPage: (event: APIGatewayProxyEvent) => boolean; noticePage: NoticePage }>;

/** Tells a browser that asked for a page what went wrong by a page as well: with the status and headers as they are. */
export function answerNotices({
  isPage,
  noticePage,
}: Notices): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  const show = (event: APIGatewayProxyEvent, response: APIGatewayProxyResult): APIGatewayProxyResult => {
    const answered = response.headers ?? {};
    if (answered["Content-Type"] !== "application/json" || !isPage(event)) return response;
    const { html, headers } = noticePage({
      statusCode: response.statusCode,
      retryAfterSeconds: answered["Retry-After"] === undefined ? undefined : Number(answered["Retry-After"]),
      lang: event.queryStringParameters?.["lang"],
      acceptLanguage: headerOf(event, "accept-language"),
    });
    const kept = Object.entries(answered).filter(([name]) => !Object.hasOwn(headers, name.toLowerCase()));
    const body = event.httpMethod === "HEAD" ? "" : html;
    return { ...response, headers: { ...Object.fromEntries(kept), ...headers }, body };
  };
  const edge = (request: {
    event: APIGatewayProxyEvent;
    response?: APIGatewayProxyResult | null | undefined;
  }): void => {
    if (request.response) request.response = show(request.event, request.response);
  };
  return { after: edge, onError: edge };
}
