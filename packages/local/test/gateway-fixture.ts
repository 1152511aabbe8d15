import { once } from "node:events";
import { connect } from "node:net";
import type { Route } from "@intents/contract/route.ts";
import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from "aws-lambda";
import { listenHere } from "../src/free-port.ts";
import { type Answered, createGateway } from "../src/gateway/gateway.ts";

const answers = { status: 200, page: "text/html" } as const;
const routes: Readonly<Record<string, Route>> = {
  getThing: { on: "GET /v2/things/{id}", group: "payees", summary: "", description: "", auth: "key", answers },
  addThing: { on: "POST /v2/things", group: "payees", summary: "", description: "", auth: "public", answers },
};

const ALLOW_ALL = "arn:aws:execute-api:us-east-1:000000000000:*/local/*";
export const permitFor = (
  resource = ALLOW_ALL,
  context: Record<string, unknown> = { tenantId: 1001, admin: true },
) => ({
  principalId: "someone",
  policyDocument: {
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Action: "execute-api:Invoke", Resource: [resource] }],
  },
  context,
});

export type Calls = {
  authorizer: APIGatewayRequestAuthorizerEvent[];
  payees: APIGatewayProxyEvent[];
  fallback: APIGatewayProxyEvent[];
};
type Handlers = Readonly<{
  authorizer?: (event: APIGatewayRequestAuthorizerEvent) => unknown;
  payees?: (event: APIGatewayProxyEvent) => unknown;
}>;

/** A gateway in front of a test's own functions, with the events that they were called with. */
export async function startTestGateway(handlers: Handlers = {}) {
  const calls: Calls = { authorizer: [], payees: [], fallback: [] };
  const problems: string[] = [];
  const answered: Answered[] = [];
  const invoke = async (name: string, event: unknown): Promise<unknown> => {
    if (name === "authorizer") {
      calls.authorizer.push(event as APIGatewayRequestAuthorizerEvent);
      return (handlers.authorizer ?? (() => permitFor()))(event as APIGatewayRequestAuthorizerEvent);
    }
    if (name === "fallback") {
      calls.fallback.push(event as APIGatewayProxyEvent);
      return { statusCode: 404, body: "" };
    }
    calls.payees.push(event as APIGatewayProxyEvent);
    return (handlers.payees ?? (() => ({ statusCode: 200, body: "{}" })))(event as APIGatewayProxyEvent);
  };
  const { server, finish } = createGateway({
    routes,
    functions: { invoke },
    hostnames: ["pay.example"],
    report: (problem) => problems.push(problem),
    answered: (request) => answered.push(request),
  });
  const url = await listenHere(server);
  return { url, port: Number(new URL(url).port), calls, problems, answered, stop: (msMax = 0) => finish(msMax) };
}

/** Sends bytes as they are, and resolves with all that came back before the connection ended. */
export async function sendRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    received += chunk;
  });
  socket.on("error", () => undefined);
  socket.write(text);
  await once(socket, "close");
  return received;
}
