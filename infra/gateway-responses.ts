import { type ErrorAnswer, gatewayError, toErrorAnswer } from "@intents/contract/error-answers.ts";
import { rateLimits } from "@intents/contract/rate-limits.ts";
import { ResponseType, type RestApi } from "aws-cdk-lib/aws-apigateway";

const requestId = "$context.requestId";
const fault = (name: Parameters<typeof gatewayError>[0]): ErrorAnswer => gatewayError(name, requestId, 0);
const notFound = toErrorAnswer({ kind: "not_found", resource: "path" }, 0);
const tooMany = toErrorAnswer({ kind: "rate_limited", retryAfterSeconds: 1 }, 0);
const forbidden = toErrorAnswer({ kind: "permission", reason: "", legacyConstraint: "", failedRequirements: [] }, 0);

/** API Gateway's own answers, and the errors of ours that they become. */
const answers: readonly (readonly [ResponseType, ErrorAnswer])[] = [
  [ResponseType.UNAUTHORIZED, fault("unauthorized")],
  // The client's key is valid, but its gateway key is not: an operator's change was left half done (H46).
  [ResponseType.INVALID_API_KEY, fault("unauthorized")],
  [ResponseType.ACCESS_DENIED, forbidden],
  [ResponseType.WAF_FILTERED, fault("firewall")],
  // REST APIs give this name to an address that does not exist, with and without an Authorization header (H38).
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
  // A body cannot tell which error it is given for: all errors without a row of their own get one status.
  [ResponseType.DEFAULT_4XX, fault("bad_request")],
  [ResponseType.DEFAULT_5XX, fault("bad_gateway")],
];

/** Gives the errors that API Gateway makes the envelope of our own errors (DESIGN 14). */
export function addGatewayResponses(api: RestApi): void {
  for (const [type, answer] of answers) {
    const headers = {
      ...answer.headers,
      ...(answer === tooMany && {
        "X-RateLimit-Limit": String(rateLimits.global.limit),
        // The fourth header, X-RateLimit-Reset, is left out: the gateway knows no time in seconds (H47).
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

/** The envelope with the fields that only the gateway knows; its one form of time is milliseconds since 1970. */
const bodyOf = ({ body }: ErrorAnswer): string =>
  JSON.stringify({ ...JSON.parse(body), timestamp: "$context.requestTimeEpoch", details: { requestId } });
