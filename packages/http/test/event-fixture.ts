import type { APIGatewayProxyEvent } from "aws-lambda";

/** For tests: the event that API Gateway would pass for `on`, such as `GET /v2/students/{id}`, with key `acme-1`. */
export function eventFor(on: string, changes: Partial<APIGatewayProxyEvent> = {}): APIGatewayProxyEvent {
  const [httpMethod = "", resource = ""] = on.split(" ");
  const event: Partial<APIGatewayProxyEvent> = {
    httpMethod,
    resource,
    path: resource,
    headers: {},
    body: null,
    isBase64Encoded: false,
    pathParameters: null,
    multiValueQueryStringParameters: null,
    requestContext: {
      requestId: "request",
      identity: { sourceIp: "203.0.113.7" },
      authorizer: { tenantId: "1001", userId: "user", clientId: "acme-1", permissions: "AllowSplitPayment" },
    } as unknown as APIGatewayProxyEvent["requestContext"],
    ...changes,
  };
  return event as APIGatewayProxyEvent;
}

/** An event from `sourceIp` without a known caller. */
export const anonymous = (sourceIp: string): Pick<APIGatewayProxyEvent, "requestContext"> => ({
  requestContext: {
    requestId: "request",
    identity: { sourceIp },
    authorizer: null,
  } as unknown as APIGatewayProxyEvent["requestContext"],
});
