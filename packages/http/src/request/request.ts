import { createHash } from "node:crypto";
import type { ListPart } from "@intents/contract/parameters.ts";
import { PAYER_SECRET, PAYER_SECRET_HEADER } from "@intents/contract/payer-secret.ts";
import { PREVIEW_HASH, PREVIEW_HASH_HEADER } from "@intents/contract/preview-hash.ts";
import type { LazySchema, Route } from "@intents/contract/route.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { ID_LENGTH_MAX, toOneSpelling } from "@intents/domain/ids.ts";
import type { ListQuery } from "@intents/domain/lists/query.ts";
import type { ListKind } from "@intents/domain/lists/resources.ts";
import type { Caller } from "@intents/domain/parties/caller.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import type { SubmitStart } from "@intents/storage/intents/submissions.ts";
import type { APIGatewayProxyEvent } from "aws-lambda";
import type * as z from "zod";
import { bodyBytes, headerOf, parseBody, parseShape } from "./body.ts";
import { callerOf } from "./caller.ts";
import { type FormFile, parseForm } from "./form.ts";
import { parseParameters } from "./parameters.ts";
import { valuesOf } from "./repeated.ts";
import { isCurrent } from "./tags.ts";

/** A request as its handler sees it: all of it parsed, with the caller that the authorizer found. */
export type Request<R extends Route> = Readonly<{
  caller: R["auth"] extends "key" ? Caller : undefined;
  params: Params<R>;
  body: Read<R["body"], undefined>;
  form: R["form"] extends "multipart" | "urlencoded" ? Read<R["fields"], object> & Files<R["parts"]> : undefined;
  parameters: Read<R["parameters"], undefined>;
  query: R["query"] extends object ? ListQuery : undefined;
  /** The asked part of the list in an answer, on routes that have one. */
  part: ListPart;
  /** Whether `X-Explain: true` asks how a list was read. */
  isExplained: boolean;
  acceptLanguage: string | undefined;
  /** The digest of the payer's secret, on routes that one belongs to. */
  secretHash: string | undefined;
  /** The hash of the preview that the request is held to, on routes that know it. */
  previewHash: string | undefined;
  /** Whether the caller's If-Match, if there is one, stands for a resource as it is now. */
  isCurrent: (data: object) => boolean;
  /** Hash of the Idempotency-Key, on routes that take one. */
  keyHash: string | undefined;
  /** The records read while the request was counted, on routes of scope `pay`. */
  preloaded: Promise<SubmitStart> | undefined;
  /** The id of the request, which its answer and its log line tell. */
  requestId: string;
  /** The path as it was sent, with whatever stands before that of the route. */
  sentPath: string;
  /** The address that the request comes from, in groups of routes that count by it. */
  source: string | undefined;
  nowMs: number;
}>;

/** The type that a schema of the route gives its part of a request. */
type Read<Schema, Otherwise> = Schema extends LazySchema<infer Known> ? z.output<Known> : Otherwise;

/** The parameters that the path names, as the route's schema reads them or as text. */
type Params<R extends Route> = Readonly<{
  [Name in NamesIn<R["on"]>]: Name extends keyof Read<R["params"], object> ? Read<R["params"], object>[Name] : string;
}>;
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

type Files<Parts> = Readonly<{
  [Name in keyof Parts as Parts[Name] extends { file: object } ? Name : never]: Parts[Name] extends { required: true }
    ? FormFile
    : FormFile | undefined;
}>;

/** Reads the query of a list; only functions that have lists carry it. */
export type ParseList = (event: APIGatewayProxyEvent, kind: ListKind) => Result<ListQuery, Failure>;

/** The request of a route of which only the table is known. */
export type AnyRequest = Request<Route & { auth: "key"; query: { list: ListKind } }>;

/** The request that an event brings to its route, or all its problems. */
export function parseRequest(
  route: Route,
  event: APIGatewayProxyEvent,
  parseList: ParseList | undefined,
  nowMs: number,
): Result<AnyRequest, Failure> {
  const sent = spelledOnce(event.pathParameters ?? {});
  const contentEncoding = headerOf(event, "content-encoding") ?? "identity";
  if (contentEncoding.toLowerCase() !== "identity" && bodyBytes(event).length > 0)
    return fail({ kind: "content_encoding", contentEncoding });
  const params = route.params === undefined ? ok({}) : parseShape(route.params(), sent, "path");
  if (!params.ok) return params;
  // A reserved path has nothing, whatever its id.
  const isReserved = route.errors?.includes("not_implemented") === true;
  const tooLong = isReserved ? undefined : Object.values(sent).find((value) => value.length > ID_LENGTH_MAX);
  if (tooLong !== undefined) return fail(noneOf(route, tooLong));
  const parameters = parseParameters(route, event);
  const query =
    route.query !== undefined && parseList !== undefined ? parseList(event, route.query.list) : ok(undefined);
  const body = parseBody(route, event);
  const form = parseForm(route, event);
  const isExplained = parseExplain(route, event);
  const secretHash = parseSecret(route, event);
  const previewHash = parsePreviewHash(route, event);
  const problems = [parameters, query, isExplained, secretHash, previewHash, body, form].flatMap((part) =>
    part.ok || part.failure.kind !== "shape" ? [] : part.failure.problems,
  );
  if (problems.length > 0) return fail({ kind: "shape", problems });
  if (!parameters.ok) return parameters;
  if (!query.ok) return query;
  if (!isExplained.ok) return isExplained;
  if (!secretHash.ok) return secretHash;
  if (!previewHash.ok) return previewHash;
  if (!body.ok) return body;
  if (!form.ok) return form;
  return ok({
    caller: route.auth === "key" ? callerOf(event) : undefined,
    params: { ...sent, ...Object(params.value) },
    parameters: parameters.value,
    part: Object(parameters.value),
    body: body.value,
    form: form.value,
    query: query.value,
    isExplained: isExplained.value,
    isCurrent: (data: object) => isCurrent(headerOf(event, "if-match"), data),
    acceptLanguage: headerOf(event, "accept-language"),
    secretHash: secretHash.value,
    previewHash: previewHash.value,
    keyHash: undefined,
    preloaded: undefined,
    requestId: event.requestContext.requestId,
    sentPath: event.requestContext.path,
    source: undefined,
    nowMs,
  } as AnyRequest);
}

/** Whether the caller asks how a list is read; routes without one pass over the header. */
function parseExplain(route: Route, event: APIGatewayProxyEvent): Result<boolean, Failure> {
  const asked = route.query === undefined ? undefined : headerOf(event, "x-explain");
  if (asked === undefined || asked === "true" || asked === "false") return ok(asked === "true");
  return fail({ kind: "shape", problems: ["X-Explain must be true or false"] });
}

/** The digest of a payer's secret: the secret itself goes no further, so that nothing can keep it. */
function parseSecret({ payerSecret }: Route, event: APIGatewayProxyEvent): Result<string | undefined, Failure> {
  const sent = payerSecret === undefined ? undefined : headerOf(event, PAYER_SECRET_HEADER.toLowerCase());
  if (sent !== undefined && PAYER_SECRET.test(sent)) return ok(createHash("sha256").update(sent).digest("base64url"));
  const isRefused = sent !== undefined && payerSecret === "made";
  const problem = `${PAYER_SECRET_HEADER} must be 32 to 128 letters, digits, - or _`;
  return isRefused ? fail({ kind: "shape", problems: [problem] }) : ok(undefined);
}

/** The hash of the preview that a request is held to. One that is no hash is no wish to pay whatever it costs. */
function parsePreviewHash({ heldToPreview }: Route, event: APIGatewayProxyEvent): Result<string | undefined, Failure> {
  const name = PREVIEW_HASH_HEADER.toLowerCase();
  const sent = heldToPreview === undefined ? undefined : headerOf(event, name);
  if (sent === undefined) return ok(undefined);
  if (PREVIEW_HASH.test(sent) && valuesOf(event, name).length <= 1) return ok(sent);
  return fail({ kind: "shape", problems: [`${PREVIEW_HASH_HEADER} must be the hash of a preview, given once`] });
}

/** The refusal of an id that names nothing, as the route refuses others. */
function noneOf({ errors = [] }: Route, quoteId: string): Failure {
  if (errors.includes("link_not_found")) return { kind: "link_not_found" };
  if (errors.includes("quote_not_found")) return { kind: "quote_not_found", quoteId };
  return { kind: "not_found", resource: "resource" };
}

/** The parameters of a path, with ids in their one spelling. */
const spelledOnce = (parameters: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(parameters).map(([name, value = ""]) => [name, toOneSpelling(value)]));
