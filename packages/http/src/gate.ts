import { rateLimits } from "@intents/contract/rate-limits.ts";
import type { Route } from "@intents/contract/route.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { type Maintenance, readMaintenance } from "@intents/storage/maintenance.ts";
import type { Table } from "@intents/storage/table.ts";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { verifyApiKey } from "./authorize.ts";
import { callerOf } from "./caller.ts";
import type { RateLimiter, Taken } from "./rate-limiter.ts";
import { headerOf } from "./request-body.ts";

/** What stands before a handler: who may pass now, and what the `X-RateLimit-*` headers tell a key. */
export type Passage = Readonly<{ refused?: Failure; headers: Readonly<Record<string, string>> }>;

export type Gate = (route: Route, event: APIGatewayProxyEvent, nowMs: number) => Promise<Passage>;

/** How long a container goes by what it last read of the maintenance switch (H51). */
const MAINTENANCE_CACHE_MS = 10_000;

/** Turns callers away during maintenance and past their rate limit. */
export function openGate(table: Table, limiter: RateLimiter): Gate {
  let known: { maintenance: Maintenance; untilMs: number } | undefined;
  const maintenanceAt = async (nowMs: number): Promise<Maintenance> => {
    if (known === undefined || known.untilMs <= nowMs) {
      known = { maintenance: await readMaintenance(table), untilMs: nowMs + MAINTENANCE_CACHE_MS };
    }
    return known.maintenance;
  };
  return async (route, event, nowMs) => {
    const name = route.limit ?? (route.auth === "key" ? "global" : undefined);
    const clientId = await clientIdOf(table, route, event);
    const [maintenance, taken] = await Promise.all([
      maintenanceAt(nowMs),
      name === undefined ? undefined : limiter(name, subjectOf(name, event, clientId), nowMs),
    ]);
    if (maintenance.on) {
      return { refused: { kind: "maintenance", retryAfterSeconds: maintenance.retryAfterSeconds }, headers: {} };
    }
    if (name === undefined) return { headers: {} };
    if (taken === undefined) {
      const busy = { kind: "busy", retryAfterSeconds: 1 } as const;
      return { headers: {}, ...(rateLimits[name].whenUnknown === "refuse" && { refused: busy }) };
    }
    const headers = rateHeaders(taken);
    if (taken.allowed) return { headers: clientId === undefined ? {} : headers };
    const retryAfterSeconds = Math.max(1, Math.ceil(taken.resetS - nowMs / 1000));
    return { refused: { kind: "rate_limited", retryAfterSeconds }, headers };
  };
}

/** Who calls, where that is known: an optional key is looked at here, since no authorizer did (H37). */
async function clientIdOf(table: Table, route: Route, event: APIGatewayProxyEvent): Promise<string | undefined> {
  if (route.auth === "key") return callerOf(event).clientId;
  if (route.auth === "public") return undefined;
  return (await verifyApiKey(table, headerOf(event, "x-api-key")))?.clientId;
}

function subjectOf(name: keyof typeof rateLimits, event: APIGatewayProxyEvent, clientId: string | undefined): string {
  const source = event.requestContext.identity.sourceIp;
  if (rateLimits[name].per === "token") return `${event.pathParameters?.["token"] ?? ""}#${source}`;
  return clientId === undefined ? `source#${source}` : `key#${clientId}`;
}

/** SPEC, "429 responses carry headers". */
const rateHeaders = ({ limit, remaining, resetS }: Taken): Record<string, string> => ({
  "X-RateLimit-Limit": String(limit),
  "X-RateLimit-Remaining": String(remaining),
  "X-RateLimit-Reset": String(resetS),
});
