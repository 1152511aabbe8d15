import { type Route, scopeOf } from "@intents/contract/route.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { type ApiKey, keyForUse } from "@intents/domain/parties/caller.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import type { SubmitStart } from "@intents/storage/intents/submissions.ts";
import { StoreBusy, StoreUnsure } from "@intents/storage/table/transact.ts";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { toAnswer, toRefusal } from "./answers.ts";
import type { Committed, Idempotency } from "./idempotency/idempotency.ts";
import { keyHashOf } from "./idempotency/key-hash.ts";
import type { Gate } from "./limits/gate.ts";
import type { SourceOf } from "./limits/source-address.ts";
import type { UploadBudget } from "./limits/upload-budget.ts";
import { isReading, represent } from "./representation.ts";
import { apiKeysOf } from "./request/authorize.ts";
import { callerOf } from "./request/caller.ts";
import { type AnyRequest, type ParseList, parseRequest, type Request } from "./request/request.ts";
import type { Told } from "./told.ts";

/** One function per route of a group; a route that is missing or misspelled does not compile. */
export type Implementation<Routes extends Record<string, Route>> = {
  [Name in keyof Routes]: (request: Request<Routes[Name]>) => Promise<Result<Told<Routes[Name]>, Failure>>;
};

type Handler = (request: AnyRequest) => Promise<Result<unknown, Failure>>;

/** What is read ahead by: of a request that cannot be read, its caller alone. */
type Known = Readonly<{ caller: AnyRequest["caller"]; params: Readonly<Record<string, string>> }>;

/** Means that only some groups need, so that the bundles of the others do without them. */
export type Extras = Readonly<{
  gate: Gate;
  parseList?: ParseList;
  idempotency?: Idempotency;
  /**
   * Reads what a request begins with that brings money nearer to somebody: at least the caller's key, and whether its
   * tenant is suspended. `keyHash` is undefined without an Idempotency-Key.
   */
  readAhead?: (request: Known, keyHash: string | undefined) => Promise<SubmitStart>;
  sourceOf?: SourceOf;
  uploadBudget?: UploadBudget;
}>;

/** Matches, parses, runs and answers the requests of one group of routes. */
export function serve<Routes extends Record<string, Route>>(
  routes: Routes,
  implementation: Implementation<Routes>,
  extras: Extras,
): (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult> {
  const byResource = new Map(
    Object.entries(routes).map(([name, route]) => [
      route.on as string,
      { route: route as Route, run: implementation[name as keyof Routes] as unknown as Handler },
    ]),
  );
  for (const { route } of byResource.values()) {
    if (route.query !== undefined && extras.parseList === undefined) throw new Error(`${route.on} needs parseList`);
    if (route.idempotency !== undefined && extras.idempotency === undefined)
      throw new Error(`${route.on} needs idempotency`);
    if (route.form === "multipart" && extras.uploadBudget === undefined)
      throw new Error(`${route.on} needs uploadBudget`);
    if (scopeOf(route) === "pay" && (extras.readAhead === undefined || extras.sourceOf === undefined))
      throw new Error(`${route.on} needs readAhead and sourceOf`);
  }
  return async (event, context) => {
    const nowMs = Date.now();
    const method = isReading(event) ? "GET" : event.httpMethod;
    const matched = byResource.get(`${method} ${event.resource}`);
    if (matched === undefined) return toRefusal({ kind: "not_found", resource: "path" }, nowMs);
    // The authorizer's answer may have been kept for one of two keys.
    if (matched.route.auth === "key" && apiKeysOf(event).length > 1) return toRefusal({ kind: "unauthorized" }, nowMs);
    const passing = extras.gate(matched.route, event, nowMs);
    // Reads may run while a request is counted, and nothing else (H52).
    const begun = scopeOf(matched.route) === "pay" ? begin(matched.route, event, extras, nowMs) : undefined;
    const respond = () => answer(matched, event, context, extras, nowMs, begun);
    const changesNothing = isReading(event) || scopeOf(matched.route) === "read";
    const reading = changesNothing && passing instanceof Promise ? respond() : undefined;
    const [{ refused, headers }] = await Promise.all([passing, Promise.allSettled([reading])]);
    const result = refused === undefined ? await (reading ?? respond()) : toRefusal(refused, nowMs);
    // A refusal's own headers tell more than those of the gate.
    return represent(matched.route, event, { ...result, headers: { ...headers, ...result.headers } }, nowMs);
  };
}

type Matched = Readonly<{ route: Route; run: Handler }>;

type Begun = Readonly<{ request: Result<AnyRequest, Failure>; ahead: Promise<SubmitStart> | undefined }>;

/** Parses a request, and begins to read what one needs that brings money nearer to somebody. */
function begin(route: Route, event: APIGatewayProxyEvent, extras: Extras, nowMs: number): Begun {
  const request = parseRequest(route, event, extras.parseList, nowMs);
  // One that cannot be read is judged by its key as well, because the key may stand for an answer that was kept. What it
  // names is nothing to look for: it may be longer than the store's keys.
  const known: Known = request.ok ? request.value : { caller: callerOf(event), params: {} };
  const ahead = extras.readAhead?.(known, keyHashOf(event));
  // A request that is turned away waits for nothing.
  ahead?.catch(() => undefined);
  return { request, ahead };
}

/**
 * The key as it is stored now, if it allows the request and its tenant is not suspended; undefined where none was read.
 * The authorizer's answer may be a minute old: a key that was revoked or limited since must not pay (H45), nor one whose
 * tenant was suspended since the gate has looked.
 */
function keyOfNow(
  route: Route,
  start: SubmitStart | undefined,
  source: string | undefined,
  nowMs: number,
): Result<ApiKey | undefined, Failure> {
  if (start === undefined) return ok(undefined);
  const key = keyForUse(start.apiKey, { scope: scopeOf(route), source: source ?? "", nowMs });
  return key.ok && start.suspension !== undefined ? fail({ kind: "tenant_suspended" }) : key;
}

const withPermissions = (request: AnyRequest, { permissions }: ApiKey): AnyRequest => ({
  ...request,
  caller: { ...request.caller, permissions },
});

async function answer(
  { route, run }: Matched,
  event: APIGatewayProxyEvent,
  context: Context,
  extras: Extras,
  nowMs: number,
  begun: Begun | undefined,
): Promise<APIGatewayProxyResult> {
  const sent = begun?.request ?? parseRequest(route, event, extras.parseList, nowMs);
  const ahead = begun?.ahead;
  const source = extras.sourceOf?.(event);
  const refuse = (failure: Failure) => toRefusal(failure, nowMs, route.auth === "public" ? "payer" : "tenant");
  try {
    const key = keyOfNow(route, await ahead, source, nowMs);
    // A key that is refused neither binds an Idempotency-Key nor hears what one stands for.
    if (!key.ok) return refuse(key.failure);
    const request = sent.ok && key.value !== undefined ? ok(withPermissions(sent.value, key.value)) : sent;
    const runWith = async (keyHash: string | undefined) =>
      request.ok ? run({ ...request.value, keyHash, ahead, source }) : request;
    if (route.idempotency === "by_key" && extras.idempotency !== undefined) {
      const { tenantId } = callerOf(event);
      // A wrong shape binds its key like any other validation error (SPEC, "Idempotency behavior on a retry").
      const body = request.ok ? request.value.body : event.body;
      const keyed = runWith as (keyHash: string | undefined) => Promise<Result<Committed, Failure>>;
      return await extras.idempotency({ event, context, tenantId, body, nowMs, ahead }, keyed);
    }
    const budget = request.ok ? await extras.uploadBudget?.(request.value) : undefined;
    if (budget?.refused !== undefined) {
      const refusal = refuse(budget.refused);
      return { ...refusal, headers: { ...refusal.headers, ...budget.headers } };
    }
    const outcome = await runWith(undefined);
    if (!outcome.ok) return refuse(outcome.failure);
    return toAnswer(route, outcome.value, request.ok ? { ...request.value, path: event.path } : undefined);
  } catch (error) {
    if (error instanceof StoreBusy) return refuse({ kind: "busy", retryAfterSeconds: 1 });
    // On other routes this is a fault, whose answer does not tell what was changed.
    const isUnsure = error instanceof StoreUnsure && route.errors?.includes("outcome_unknown") === true;
    if (isUnsure) return refuse({ kind: "outcome_unknown" });
    throw error;
  }
}
