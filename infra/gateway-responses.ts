import { type ErrorAnswer, gatewayError, toErrorAnswer } from "@intents/contract/errors.ts";
import { rateLimits } from "@intents/contract/rate-limits.ts";
import { ResponseType, type RestApi } from "aws-cdk-lib/aws-apigateway";

const requestId = "$context.requestId";
const fault = (name: Parameters<typeof gatewayError>[0]): ErrorAnswer => gatewayError(name, requestId, 0);
const notFound = toErrorAnswer({ kind: "not_found", resource: "path" }, 0);
const tooMany = toErrorAnswer({ kind: "rate_limited", retryAfterSeconds: 1 }, 0);
const forbidden = toErrorAnswer({ kind: "permission", reason: "", legacyConstraint: "", failedRequirements: [] }, 0);

/** What API Gateway answers by itself, and as which of our errors. */
const answers: readonly (readonly [ResponseType, ErrorAnswer])[] = [
  [ResponseType.UNAUTHORIZED, fault("unauthorized")],
  // The client's key is good, its gateway key is not: an operator's work that was left half done (H46).
  [ResponseType.INVALID_API_KEY, fault("unauthorized")],
  [ResponseType.ACCESS_DENIED, forbidden],
  [ResponseType.WAF_FILTERED, forbidden],
  // What REST APIs call an address that does not exist, with and without an Authorization header (H38).
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, notFound],
  [ResponseType.INVALID_SIGNATURE, notFound],
  [ResponseType.EXPIRED_TOKEN, notFound],
  [ResponseType.RESOURCE_NOT_FOUND, notFound],
  [ResponseType.REQUEST_TOO_LARGE, fault("too_large")],
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, toErrorAnswer({ kind: "media_type", expected: [] }, 0)],
  [ResponseType.THROTTLED, tooMany],
  [ResponseType.QUOTA_EXCEEDED, tooMany],
  [ResponseType.BAD_REQUEST_BODY, fault("bad_request")],
  [ResponseType.BAD_REQUEST_PARAMETERS, fault("bad_request")],
  [ResponseType.API_CONFIGURATION_ERROR, fault("internal")],
  [ResponseType.AUTHORIZER_CONFIGURATION_ERROR, fault("internal")],
  [ResponseType.AUTHORIZER_FAILURE, fault("internal")],
  [ResponseType.INTEGRATION_FAILURE, fault("bad_gateway")],
  [ResponseType.INTEGRATION_TIMEOUT, fault("timeout")],
  // A body cannot tell which error it is given for: what has no row of its own takes one status for all.
  [ResponseType.DEFAULT_4XX, fault("bad_request")],
  [ResponseType.DEFAULT_5XX, fault("bad_gateway")],
];

/** Lets the errors that API Gateway makes wear the envelope of our own (DESIGN 14). */
export function addGatewayResponses(api: RestApi): void {
  for (const [type, answer] of answers) {
    const headers = {
      ...answer.headers,
      ...(answer === tooMany && {
        "X-RateLimit-Limit": String(rateLimits.global.limit),
        // The fourth, X-RateLimit-Reset, is not for the gateway to say: it knows no time in seconds (H47).
        "X-RateLimit-Remaining": "0",
      }),
    };
    const constants = Object.entries(headers).filter(([name]) => name !== "Content-Type");
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(answer.statusCode),
      responseHeaders: {
        ...Object.fromEntries(constants.map(([name, value]) => [name, `'${value}'`])),
        "X-Request-Id": "context.requestId",
      },
      templates: { "application/json": bodyOf(answer) },
    });
  }
}

/** The envelope with what only the gateway knows; of times it has the milliseconds since 1970. */
const bodyOf = ({ body }: ErrorAnswer): string =>
  JSON.stringify({ ...JSON.parse(body), timestamp: "$context.requestTimeEpoch", details: { requestId } });
