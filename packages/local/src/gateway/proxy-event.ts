import type { IncomingMessage } from "node:http";
import { parse } from "node:querystring";
import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from "aws-lambda";
import { ACCOUNT, REGION } from "../functions.ts";
import type { Match } from "./route-matcher.ts";

const STAGE = "local";
const API_ID = "localapi00";
const DOMAIN = `${API_ID}.execute-api.${REGION}.amazonaws.com`;

/** An object without a prototype, in which `__proto__`, which a caller may send, is a name like any other. */
const record = <Value>(): Record<string, Value> => Object.create(null) as Record<string, Value>;

/** The event of a REST API that treats every media type as binary, so that bodies are always base64 (H41). */
export function toProxyEvent(
  request: IncomingMessage,
  requestId: string,
  target: Readonly<{ path: string; query: string }>,
  match: Match,
  body: Buffer | undefined,
): APIGatewayProxyEvent {
  const { path, query } = target;
  const httpMethod = request.method ?? "GET";
  return {
    resource: match.resource,
    path,
    httpMethod,
    ...headersOf(request),
    ...parametersOf(query),
    pathParameters: match.pathParameters,
    stageVariables: null,
    requestContext: contextOf(request, requestId, httpMethod, path, match.resource),
    body: body === undefined ? null : body.toString("base64"),
    isBase64Encoded: body !== undefined,
  };
}

/** The event for the authorizer: the same request without its body. */
export function toAuthorizerEvent(event: APIGatewayProxyEvent): APIGatewayRequestAuthorizerEvent {
  const { body: _body, isBase64Encoded: _encoded, requestContext, ...asked } = event;
  return {
    ...asked,
    type: "REQUEST",
    methodArn: methodArn(event),
    requestContext: { ...requestContext, authorizer: undefined },
  };
}

export const methodArn = ({ httpMethod, path }: APIGatewayProxyEvent): string =>
  `arn:aws:execute-api:${REGION}:${ACCOUNT}:${API_ID}/${STAGE}/${httpMethod}${path}`;

function headersOf({ rawHeaders, socket }: IncomingMessage) {
  const headers = record<string>();
  const multiValueHeaders = record<string[]>();
  const add = (name: string, value: string) => {
    headers[name] = value;
    const values = multiValueHeaders[name];
    if (values === undefined) multiValueHeaders[name] = [value];
    else values.push(value);
  };
  let forwarded = "";
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    const value = rawHeaders[index + 1] ?? "";
    if (name.toLowerCase() === "x-forwarded-for") forwarded = `${value}, `;
    else add(name, value);
  }
  add("X-Forwarded-For", forwarded + sourceOf(socket.remoteAddress));
  add("X-Forwarded-Port", String(socket.localPort));
  add("X-Forwarded-Proto", "http");
  return { headers, multiValueHeaders };
}

function parametersOf(query: string) {
  if (query === "") return { queryStringParameters: null, multiValueQueryStringParameters: null };
  const queryStringParameters = record<string>();
  const multiValueQueryStringParameters = record<string[]>();
  for (const [name, value = ""] of Object.entries(parse(query, "&", "=", { maxKeys: 0 }))) {
    const values = typeof value === "string" ? [value] : value;
    multiValueQueryStringParameters[name] = values;
    queryStringParameters[name] = values.at(-1) ?? "";
  }
  return { queryStringParameters, multiValueQueryStringParameters };
}

function contextOf(
  request: IncomingMessage,
  requestId: string,
  httpMethod: string,
  path: string,
  resourcePath: string,
) {
  const nowMs = Date.now();
  return {
    accountId: ACCOUNT,
    apiId: API_ID,
    authorizer: undefined,
    domainName: DOMAIN,
    domainPrefix: API_ID,
    extendedRequestId: requestId,
    httpMethod,
    identity: {
      ...noIdentity,
      sourceIp: sourceOf(request.socket.remoteAddress),
      userAgent: request.headers["user-agent"] ?? null,
    },
    path: `/${STAGE}${path}`,
    protocol: `HTTP/${request.httpVersion}`,
    requestId,
    requestTime: toLogTime(nowMs),
    requestTimeEpoch: nowMs,
    resourceId: resourcePath,
    resourcePath,
    stage: STAGE,
  };
}

const noIdentity = {
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
};

/** The time as web servers log it: `21/Nov/2026:10:28:56 +0000`. */
function toLogTime(nowMs: number): string {
  const text = new Date(nowMs).toUTCString();
  return `${text.slice(5, 16).replaceAll(" ", "/")}:${text.slice(17, 25)} +0000`;
}

/** The source address of a connection. An IPv4 address may be written as IPv6. */
const sourceOf = (address = ""): string => (address.startsWith("::ffff:") ? address.slice(7) : address);
