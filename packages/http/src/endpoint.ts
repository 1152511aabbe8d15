import { Logger } from "@aws-lambda-powertools/logger";
import { gatewayError, toErrorAnswer } from "@intents/contract/error-answers.ts";
import type { Route } from "@intents/contract/route.ts";
import { securityHeaders } from "@intents/contract/security-headers.ts";
import { measured } from "@intents/deployment/metrics.ts";
import { toLoggedFault } from "@intents/domain/logged-fault.ts";
import { isStoreFault } from "@intents/storage/table/store-fault.ts";
import middy, { type MiddlewareObj } from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import type { UndeclaredFields } from "./handler-result.ts";
import { answerNotices, type NoticePage, type Notices } from "./notices.ts";
import { isReading } from "./representation.ts";
import { type Extras, type Implementation, serve } from "./serve.ts";

type Edge = MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult>;

/**
 * The Lambda handler of one group of routes. Where a handler answers with a field that its route does not declare, the type
 * of `group` says so: as the error of the shortest argument, that is readable.
 */
export const endpoint = <Routes extends Record<string, Route>, Handlers extends Implementation<Routes>>(
  group: [UndeclaredFields<Routes, Handlers>["named"]] extends [never]
    ? string
    : UndeclaredFields<Routes, Handlers>["named"],
  routes: Routes,
  handlers: Handlers,
  { noticePage, ...extras }: Extras & Readonly<{ noticePage?: NoticePage }>,
) => atEdge(group, serve(routes, handlers, extras), noticesFor(routes, noticePage));

/** The work of every HTTP function around its own: it logs one line, answers faults and names the request. */
export function atEdge(
  group: string,
  handle: (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>,
  notices?: Notices,
) {
  const logger = new Logger({ serviceName: group });
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>(handle)
    .use(notices === undefined ? [] : [answerNotices(notices)])
    .use(completeHeaders())
    .use(logRequest(logger))
    .use(answerFault(logger));
}

/** The notices of a group, which needs them where a route of it answers with a page. */
function noticesFor(routes: Readonly<Record<string, Route>>, noticePage: NoticePage | undefined): Notices | undefined {
  const pages = new Set(
    Object.values(routes)
      .filter(({ answers }) => "page" in answers)
      .map(({ on }): string => on),
  );
  if (noticePage === undefined && pages.size > 0) throw new Error(`${[...pages]} need noticePage`);
  const isPage = (event: APIGatewayProxyEvent) =>
    pages.has(`${isReading(event) ? "GET" : event.httpMethod} ${event.resource}`);
  return noticePage && { isPage, noticePage };
}

/** Every answer carries the id under which the request is found in the logs, and what browsers must not do. */
const completeHeaders = (): Edge => ({
  after: ({ event, response }) => {
    if (response === undefined || response === null) return;
    const { requestId } = event.requestContext;
    response.headers = { ...response.headers, ...securityHeaders, "X-Request-Id": requestId };
  },
});

/** One line per request, of an allow-list of fields: never names, documents, amounts or keys (H58). */
const logRequest = (logger: Logger): Edge => {
  const startedMs = new WeakMap<object, number>();
  return {
    before: ({ event }) => {
      startedMs.set(event, performance.now());
    },
    after: ({ event, response }) => {
      const { requestContext, httpMethod, resource } = event;
      logger.info("request", {
        requestId: requestContext.requestId,
        route: `${httpMethod} ${resource}`,
        tenantId: requestContext.authorizer?.["tenantId"],
        clientId: requestContext.authorizer?.["clientId"],
        statusCode: response?.statusCode,
        durationMs: Math.round(performance.now() - (startedMs.get(event) ?? 0)),
        // This request passed the limiter because its count did not come in time (H54).
        ...(passedUncounted(event, response) && { uncounted: true }),
        ...refusalIn(response),
      });
    },
  };
};

/** The log fields of a refusal, counted by its code, or by its status where it has none. */
function refusalIn(answer: APIGatewayProxyResult | null | undefined): Readonly<Record<string, unknown>> {
  const { statusCode = 500, headers, body = "" } = answer ?? {};
  if (statusCode < 400) return {};
  const isJson = headers?.["Content-Type"] === "application/json" && body !== "";
  const { code } = (isJson ? JSON.parse(body) : {}) as { code?: string };
  const logged = { code: code?.slice(1, -1) ?? String(statusCode) };
  return { ...logged, ...measured("Refusals", 1, logged, Date.now()) };
}

const passedUncounted = (event: APIGatewayProxyEvent, response: APIGatewayProxyResult | null | undefined): boolean =>
  event.requestContext.authorizer?.["clientId"] !== undefined &&
  (response?.statusCode ?? 500) < 500 &&
  response?.headers?.["X-RateLimit-Limit"] === undefined;

/** Callers may try again after so long: a full or failing store is not mended in a moment. */
const STORE_RETRY_SECONDS = 5;

/** A fault is logged by its name, message and stack, and answered with nothing but the request id, or that a store fails. */
const answerFault = (logger: Logger): Edge => ({
  onError: (request) => {
    const { requestId } = request.event.requestContext;
    const isOfStore = isStoreFault(request.error);
    logger.error(isOfStore ? "a store fails" : "fault", { requestId, error: toLoggedFault(request.error) });
    const { statusCode, headers, body } = isOfStore
      ? toErrorAnswer({ kind: "store_failed", retryAfterSeconds: STORE_RETRY_SECONDS }, Date.now())
      : gatewayError("internal", requestId, Date.now());
    request.response = { statusCode, headers: { ...headers }, body };
  },
});
