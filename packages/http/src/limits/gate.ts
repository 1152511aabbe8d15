import { type RateLimitName, rateLimits } from "@intents/contract/rate-limits.ts";
import { type Route, scopeOf } from "@intents/contract/route.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { ID_LENGTH_MAX } from "@intents/domain/ids.ts";
import type { Caller } from "@intents/domain/parties/caller.ts";
import { type KeyLimits, refuseUse } from "@intents/domain/parties/key-limits.ts";
import { type Maintenance, readMaintenance } from "@intents/storage/operations/maintenance.ts";
import type { Table } from "@intents/storage/table/table.ts";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { apiKeysOf, verifyApiKey } from "../request/authorize.ts";
import { callerOf } from "../request/caller.ts";
import type { NoteUse } from "./key-uses.ts";
import type { RateLimiter, Taken } from "./rate-limiter.ts";
import { type Remembered, remembered } from "./remembered.ts";
import type { SourceOf } from "./source-address.ts";

/** The verdict of the gate before a handler: a refusal if there is one, and a key's `X-RateLimit-*` headers. */
export type Passage = Readonly<{ refused?: Failure; headers: Readonly<Record<string, string>> }>;

/** Checks a request. The answer comes at once, without a promise, if the container knows it already. */
export type Gate = (route: Route, event: APIGatewayProxyEvent, nowMs: number) => Passage | Promise<Passage>;

/** The means of a gate. */
export type Gatekeeping = Readonly<{
  table: Table;
  limiter: RateLimiter;
  sourceOf: SourceOf;
  noteUse: NoteUse;
  /** Whether a tenant is suspended. */
  isSuspended: Remembered<boolean>;
  /** Whether a key was revoked since the authorizer took it, whose answer is kept for longer. */
  isRevoked: Remembered<boolean>;
}>;

/**
 * Turns callers away beyond the limits of their key, once it is revoked or while their tenant is suspended unless they
 * only read, during maintenance, and past their rate limit.
 */
export function openGate({ table, limiter, sourceOf, noteUse, isSuspended, isRevoked }: Gatekeeping): Gate {
  const maintenanceAt = remembered(() => readMaintenance(table));
  const pass = (route: Route, event: APIGatewayProxyEvent, caller: Partial<Caller>, nowMs: number) => {
    const { clientId, tenantId } = caller;
    const name = route.limit ?? (route.auth === "key" ? "global" : undefined);
    const judged = (...facts: Facts) => judge(facts, name, clientId, nowMs);
    const maintenance = route.inMaintenance === true ? notAsked : maintenanceAt("", nowMs);
    const isChange = tenantId !== undefined && scopeOf(route) !== "read";
    const revoked = isChange && clientId !== undefined && isRevoked(clientId, nowMs);
    const suspended = isChange && isSuspended(tenantId, nowMs);
    const taken = name === undefined ? undefined : limiter(name, subjectOf(name, event, clientId, sourceOf), nowMs);
    const known = !(maintenance instanceof Promise || revoked instanceof Promise || suspended instanceof Promise);
    if (known && !(taken instanceof Promise)) return judged(maintenance, revoked, suspended, taken);
    return Promise.all([maintenance, revoked, suspended, taken]).then((facts) => judged(...facts));
  };
  return (route, event, nowMs) => {
    if (route.auth === "public") return pass(route, event, {}, nowMs);
    const refusalOf = (limits: KeyLimits) =>
      refuseUse(limits, { scope: scopeOf(route), source: sourceOf(event), nowMs });
    if (route.auth === "key") {
      const caller = callerOf(event);
      const refused = refusalOf(caller);
      if (refused !== undefined) return { refused, headers: {} };
      noteUse(caller.clientId, nowMs);
      return pass(route, event, caller, nowMs);
    }
    // An optional key is verified here, because no authorizer has seen it (H37). One that is not good here is no key.
    return verifyApiKey(table, apiKeysOf(event), nowMs).then((key) => {
      const isGood = key !== undefined && refusalOf(key) === undefined;
      return pass(route, event, isGood ? { clientId: key.clientId } : {}, nowMs);
    });
  };
}

/** Routes that are answered during maintenance do not ask about it here. */
const notAsked: Maintenance = { on: false, retryAfterSeconds: 0 };

type Facts = [maintenance: Maintenance, revoked: boolean, suspended: boolean, taken: Taken | undefined];

function judge(
  [{ on, retryAfterSeconds }, revoked, suspended, taken]: Facts,
  name: RateLimitName | undefined,
  clientId: string | undefined,
  nowMs: number,
): Passage {
  if (on) return { refused: { kind: "maintenance", retryAfterSeconds }, headers: {} };
  if (revoked) return { refused: { kind: "unauthorized" }, headers: {} };
  if (suspended) return { refused: { kind: "tenant_suspended" }, headers: {} };
  if (name === undefined) return { headers: {} };
  if (taken === undefined) {
    const busy = { kind: "busy", retryAfterSeconds: 1 } as const;
    return { headers: {}, ...(rateLimits[name].whenUnknown === "refuse" && { refused: busy }) };
  }
  const headers = rateHeaders(taken);
  if (taken.allowed) return { headers: clientId === undefined ? {} : headers };
  const waitSeconds = Math.max(1, Math.ceil(taken.resetS - nowMs / 1000));
  return { refused: { kind: "rate_limited", retryAfterSeconds: waitSeconds }, headers };
}

function subjectOf(
  name: RateLimitName,
  event: APIGatewayProxyEvent,
  clientId: string | undefined,
  sourceOf: SourceOf,
): string {
  const { per } = rateLimits[name];
  if (per === "caller" && clientId !== undefined) return `key#${clientId}`;
  const source = sourceOf(event);
  if (per === "caller") return `source#${source}`;
  const [token = ""] = Object.values(event.pathParameters ?? {});
  return `${token.slice(0, ID_LENGTH_MAX)}#${source}`;
}

/** SPEC, "429 responses carry headers". */
export const rateHeaders = ({ limit, remaining, resetS }: Omit<Taken, "allowed">): Record<string, string> => ({
  "X-RateLimit-Limit": String(limit),
  "X-RateLimit-Remaining": String(remaining),
  "X-RateLimit-Reset": String(resetS),
});
