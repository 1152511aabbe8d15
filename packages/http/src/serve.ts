import { type Route, scopeOf } from "@intents/contract/route.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { type ApiKey, keyForUse } from "@intents/domain/parties/caller.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import type { SubmitStart } from "@intents/storage/intents/submissions.ts";
import { StoreBusy, StoreUnsure } from "@intents/storage/table/transact.ts";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { toAnswer, toRefusal } from "./answers.ts";
import type { HandlerResult } from "./handler-result.ts";
import type { Committed, Idempotency } from "./idempotency/idempotency.ts";
import { keyHashOf } from "./idempotency/key-hash.ts";
import type { Gate } from "./limits/gate.ts";
import type { SourceOf } from "./limits/source-address.ts";
import type { UploadBudget } from "./limits/upload-budget.ts";
import { isReading, represent } from "./representation.ts";
import { apiKeysOf } from "./request/authorize.ts";
import { callerOf } from "./request/caller.ts";
import { type AnyRequest, type ParseList, parseRequest, type Request } from "./request/request.ts";

/** One function per route of a group; a route that is missing or misspelled does not compile. */
export type Implementation<Routes extends Record<string, Route>> = {
  [Name in keyof Routes]: (request: Request<Routes[Name]>) => Promise<Result<HandlerResult<Routes[Name]>, Failure>>;
};

type Handler = (request: AnyRequest) => Promise<Result<unknown, Failure>>;

/** The input of `preload`: of an unreadable request, its caller alone. */
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
  preload?: (request: Known, keyHash: string | undefined) => Promise<SubmitStart>;
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
    if (scopeOf(route) === "pay" && (extras.preload === undefined || extras.sourceOf === undefined))
      throw new Error(`${route.on} needs preload and sourceOf`);
  }
  return async (event, context) => {
    const nowMs = Date.now();
    const method = isReading(event) ? "GET" : event.httpMethod;
    const matched = byResource.get(`${method} ${event.resource}`);
    if (matched === undefined) return toRefusal({ kind: "not_found", resource: "path" }, nowMs);
    // The authorizer's answer may have been kept for one of two keys.
    if (matched.route.auth === "key" && apiKeysOf(event).length > 1) return toRefusal({ kind: "unauthorized" }, nowMs);
    const passing = extras.gate(matched.route, event, nowMs);
    const arrive = () => readRequest(matched, { event, context, nowMs }, extras);
    // Reads may run while a request is counted, and nothing else (H52).
    const begun = scopeOf(matched.route) === "pay" ? arrive() : undefined;
    const respond = () => answer(begun ?? arrive(), extras);
    const changesNothing = isReading(event) || scopeOf(matched.route) === "read";
    const reading = changesNothing && passing instanceof Promise ? respond() : undefined;
    const [{ refused, headers }] = await Promise.all([passing, Promise.allSettled([reading])]);
    const result = refused === undefined ? await (reading ?? respond()) : toRefusal(refused, nowMs);
    // A refusal's own headers tell more than those of the gate.
    return represent(matched.route, event, { ...result, headers: { ...headers, ...result.headers } }, nowMs);
  };
}

type Matched = Readonly<{ route: Route; run: Handler }>;

type Invocation = Readonly<{ event: APIGatewayProxyEvent; context: Context; nowMs: number }>;

/** A request that its route answers: parsed, or the problems of its shape. */
type Arrived = Matched &
  Invocation &
  Readonly<{
    request: Result<AnyRequest, Failure>;
    /** The address that the request comes from, where its group judges it. */
    source: string | undefined;
    /** The records that a request begins with that brings money nearer to somebody. */
    preloaded: Promise<SubmitStart> | undefined;
  }>;

/** Parses a request, and begins to read what one needs that brings money nearer to somebody. */
function readRequest(matched: Matched, invocation: Invocation, extras: Extras): Arrived {
  const { event, nowMs } = invocation;
  const request = parseRequest(matched.route, event, extras.parseList, nowMs);
  const preloaded =
    scopeOf(matched.route) === "pay" ? extras.preload?.(known(request, event), keyHashOf(event)) : undefined;
  // A request that is turned away waits for nothing.
  preloaded?.catch(() => undefined);
  return { ...matched, ...invocation, request, source: extras.sourceOf?.(event), preloaded };
}

/**
 * The key of an unreadable request is judged too, because an answer may be kept for it. The ids in its path are not
 * looked up: they may be longer than the store's keys.
 */
const known = (request: Result<AnyRequest, Failure>, event: APIGatewayProxyEvent): Known =>
  request.ok ? request.value : { caller: callerOf(event), params: {} };

type Refuse = (failure: Failure) => APIGatewayProxyResult;

/** Answers a request; a store that was too busy, or may have changed something unseen, is a refusal too. */
async function answer(arrived: Arrived, extras: Extras): Promise<APIGatewayProxyResult> {
  const { route, request, nowMs } = arrived;
  const refuse: Refuse = (failure) => toRefusal(failure, nowMs, route.auth === "public" ? "payer" : "tenant");
  try {
    const key = keyOfNow(arrived, await arrived.preloaded);
    // A key that is refused neither binds an Idempotency-Key nor hears what one stands for.
    if (!key.ok) return refuse(key.failure);
    const isKnown = request.ok && key.value !== undefined;
    const permitted = isKnown ? { ...arrived, request: ok(withPermissions(request.value, key.value)) } : arrived;
    return await (route.idempotency === undefined
      ? answerAnew(permitted, refuse, extras.uploadBudget)
      : answerOnce(permitted, extras.idempotency as Idempotency));
  } catch (error) {
    if (error instanceof StoreBusy) return refuse({ kind: "busy", retryAfterSeconds: 1 });
    // On other routes this is a fault, whose answer does not tell what was changed.
    const isUnsure = error instanceof StoreUnsure && route.errors?.includes("outcome_unknown") === true;
    if (isUnsure) return refuse({ kind: "outcome_unknown" });
    throw error;
  }
}

/**
 * The key as it is stored now, if it allows the request and its tenant is not suspended; undefined where none was read.
 * The authorizer's answer may be a minute old: a key that was revoked or limited since must not pay (H45), nor one whose
 * tenant was suspended since the gate has looked.
 */
function keyOfNow(
  { route, source = "", nowMs }: Arrived,
  start: SubmitStart | undefined,
): Result<ApiKey | undefined, Failure> {
  if (start === undefined) return ok(undefined);
  const key = keyForUse(start.apiKey, { scope: scopeOf(route), source, nowMs });
  return key.ok && start.suspension !== undefined ? fail({ kind: "tenant_suspended" }) : key;
}

const withPermissions = (request: AnyRequest, { permissions }: ApiKey): AnyRequest => ({
  ...request,
  caller: { ...request.caller, permissions },
});

/** Runs a request once for its Idempotency-Key: its repetitions get the first answer. */
function answerOnce(arrived: Arrived, idempotency: Idempotency): Promise<APIGatewayProxyResult> {
  const { event, context, request, nowMs, preloaded } = arrived;
  const { tenantId } = callerOf(event);
  // A wrong shape binds its key like any other validation error (SPEC, "Idempotency behavior on a retry").
  const body = request.ok ? request.value.body : event.body;
  const runOnce = (keyHash: string | undefined) => handle(arrived, keyHash) as Promise<Result<Committed, Failure>>;
  return idempotency({ event, context, tenantId, body, nowMs, preloaded }, runOnce);
}

/** Runs a request each time that it comes, within the day's budget of uploads. */
async function answerAnew(
  arrived: Arrived,
  refuse: Refuse,
  uploadBudget: UploadBudget | undefined,
): Promise<APIGatewayProxyResult> {
  const { route, request, event } = arrived;
  if (!request.ok) return refuse(request.failure);
  const budget = await uploadBudget?.(request.value);
  if (budget?.refused !== undefined) {
    const refusal = refuse(budget.refused);
    return { ...refusal, headers: { ...refusal.headers, ...budget.headers } };
  }
  const outcome = await handle(arrived, undefined);
  return outcome.ok ? toAnswer(route, outcome.value, { ...request.value, path: event.path }) : refuse(outcome.failure);
}

const handle = async ({ request, run, preloaded, source }: Arrived, keyHash: string | undefined) =>
  request.ok ? run({ ...request.value, keyHash, preloaded, source }) : request;
