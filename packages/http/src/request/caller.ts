import { type Caller, type Permission, permissions } from "@intents/domain/parties/caller.ts";
import { scopes } from "@intents/domain/parties/key-limits.ts";
import type { APIGatewayProxyEvent } from "aws-lambda";

/** The authorizer's message to every function: API Gateway passes only scalars, so that lists travel as one string. */
export type CallerContext = Readonly<{
  tenantId: string;
  userId: string;
  clientId: string;
  permissions: string;
  expiresAt?: string;
  sources?: string;
  scopes?: string;
}>;

export const toCallerContext = ({ tenantId, userId, clientId, permissions: granted, ...limits }: Caller) =>
  ({
    tenantId,
    userId,
    clientId,
    permissions: granted.join(" "),
    ...(limits.expiresAt !== undefined && { expiresAt: limits.expiresAt }),
    ...(limits.sources !== undefined && { sources: limits.sources.join(" ") }),
    ...(limits.scopes !== undefined && { scopes: limits.scopes.join(" ") }),
  }) satisfies CallerContext;

/** The caller according to the authorizer. On a route behind it, a missing caller can only be a fault. */
export function callerOf(event: APIGatewayProxyEvent): Caller {
  const context = event.requestContext.authorizer as CallerContext | null | undefined;
  if (typeof context?.tenantId !== "string") throw new Error("The request reached a function without its authorizer");
  const { tenantId, userId, clientId, expiresAt, sources, scopes: scoped } = context;
  const granted = context.permissions.split(" ");
  return {
    tenantId,
    userId,
    clientId,
    permissions: permissions.filter((name: Permission) => granted.includes(name)),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(sources !== undefined && { sources: sources.split(" ") }),
    ...(scoped !== undefined && { scopes: scopes.filter((name) => scoped.split(" ").includes(name)) }),
  };
}
