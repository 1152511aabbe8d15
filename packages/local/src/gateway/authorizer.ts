import type { FaultName } from "@intents/contract/faults.ts";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { type Functions, FunctionTimeout } from "../functions.ts";
import { methodArn, toAuthorizerEvent } from "./proxy-event.ts";

/** The authorizer's context about the caller, as functions get it: strings only. */
export type AuthorizerContext = Readonly<Record<string, string>>;

type Permit = Readonly<{ allowed: readonly RegExp[]; context: AuthorizerContext; untilMs: number }>;

export type Authorize = (
  event: APIGatewayProxyEvent,
  apiKey: string | undefined,
) => Promise<AuthorizerContext | FaultName>;

const CACHE_MS = 60_000;
const CACHED_MAX = 1_000;
const AUTHORIZER = "authorizer";

/** Asks the authorizer function for a permit, at most once a minute per key, as API Gateway does. */
export function openAuthorizer(functions: Functions, report: (problem: string) => void): Authorize {
  const permits = new Map<string, Permit>();

  const ask = async (event: APIGatewayProxyEvent, apiKey: string): Promise<Permit | FaultName> => {
    try {
      const permit = toPermit(await functions.invoke(AUTHORIZER, toAuthorizerEvent(event)));
      const [oldest] = permits.keys();
      if (oldest !== undefined && permits.size >= CACHED_MAX) permits.delete(oldest);
      permits.set(apiKey, permit);
      return permit;
    } catch (error) {
      if (error === "Unauthorized" || (error instanceof Error && error.message === "Unauthorized"))
        return "unauthorized";
      report(`authorizer: ${String(error)}`);
      return error instanceof FunctionTimeout ? "timeout" : "internal";
    }
  };

  return async (event, apiKey) => {
    if (apiKey === undefined || apiKey === "") return "unauthorized";
    let permit: Permit | FaultName | undefined = permits.get(apiKey);
    if (permit === undefined || permit.untilMs <= Date.now()) permit = await ask(event, apiKey);
    if (typeof permit === "string") return permit;
    const arn = methodArn(event);
    return permit.allowed.some((pattern) => pattern.test(arn)) ? permit.context : "unauthorized";
  };
}

type Statement = Readonly<{ Effect: string; Resource: string | readonly string[] }>;
type AuthorizerAnswer = Readonly<{
  principalId: string;
  policyDocument: Readonly<{ Statement: readonly Statement[] }>;
  context?: Readonly<Record<string, unknown>> | null;
}>;

/** Throws when the answer is not one that API Gateway takes. */
function toPermit(answer: unknown): Permit {
  const { principalId, policyDocument, context } = answer as AuthorizerAnswer;
  const entries = Object.entries(context ?? {}).map(([name, value]) => {
    if (typeof value === "object") throw new Error(`context.${name} is neither a string, a number nor a boolean`);
    return [name, String(value)] as const;
  });
  const allowed = policyDocument.Statement.filter(({ Effect }) => Effect === "Allow").flatMap(
    ({ Resource }) => Resource,
  );
  return {
    allowed: allowed.map(toPattern),
    context: { principalId, ...Object.fromEntries(entries) },
    untilMs: Date.now() + CACHE_MS,
  };
}

/** `*` stands for any characters, `?` for any one. */
const toPattern = (resource: string): RegExp => {
  const literal = resource.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${literal.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s");
};
