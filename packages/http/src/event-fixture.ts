import type { APIGatewayProxyEvent } from "aws-lambda";

/** For tests: what API Gateway would hand over for `on`, such as `GET /v2/students/{id}`, asked by key `acme-1`. */
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

/** An event of nobody who is known, from `sourceIp`. */
export const anonymous = (sourceIp: string): Pick<APIGatewayProxyEvent, "requestContext"> => ({
  requestContext: {
    requestId: "request",
    identity: { sourceIp },
    authorizer: null,
  } as unknown as APIGatewayProxyEvent["requestContext"],
});
