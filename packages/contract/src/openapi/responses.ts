import * as z from "zod";
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from "zod-openapi";
import { type BodyName, describeError, errorBody, errorStatus } from "../error-bodies.ts";
import { isTagged, type Route, scopeOf } from "../route.ts";
import { type Examples, exampleOf } from "./examples.ts";
import { type AnswerHeader, headersOf, limitHeaders, refusalHeaders } from "./headers.ts";
import { pageOf } from "./lists.ts";

/** All answers of a route by status: its success, and how it refuses. */
export const toResponses = (operationId: string, route: Route, examples: Examples): ZodOpenApiResponsesObject => ({
  ...toSuccess(operationId, route, examples),
  ...toLink(route),
  ...toRefusals(operationId, route, examples),
});

function toSuccess(operationId: string, route: Route, examples: Examples): ZodOpenApiResponsesObject {
  const { answers } = route;
  if (answers.status === 501) return {};
  const description = answers.status === 201 ? "Created" : "OK";
  const json = (schema: z.ZodType) => {
    const example = exampleOf(examples, operationId, String(answers.status));
    return { "application/json": { schema, ...(example !== undefined && { example }) } };
  };
  const success = { description, headers: headersOf(successHeaders(route)) };
  const known = isTagged(route) && route.on.startsWith("GET ") ? { "304": unchanged(route) } : {};
  if ("list" in answers) return { "200": { ...success, content: json(pageOf(answers)) } };
  if ("data" in answers) {
    return { [answers.status]: { ...success, content: json(envelopeOf(answers.data())) }, ...known };
  }
  if ("file" in answers) return { "200": { ...success, content: textOf(answers.file) } };
  if ("page" in answers)
    return { "200": { ...success, content: textOf([answers.page, ...(answers.beside ?? [])]) }, ...known };
  return { "200": { ...success, content: textOf(answers.asset) }, ...known };
}

const unchanged = (route: Route): ZodOpenApiResponseObject => ({
  description: "The caller has this answer",
  headers: headersOf(["ETag", "Cache-Control", ...limitHeaders(route), ...paceHeaders(route)]),
});

/** The header that a payment is followed by; a payment that has ended goes without it. */
const paceHeaders = ({ answers }: Route): readonly AnswerHeader[] =>
  "data" in answers && answers.polled === true ? ["Retry-After"] : [];

/** `{ data }`, under a name of its own. */
function envelopeOf(data: z.ZodType): z.ZodType {
  const { id = "", description = "" } = z.globalRegistry.get(data) ?? {};
  const known = envelopes.get(data) ?? z.object({ data }).meta({ id: `${id}Answer`, description });
  envelopes.set(data, known);
  return known;
}
const envelopes = new Map<z.ZodType, z.ZodType>();

function successHeaders(route: Route): readonly AnswerHeader[] {
  const { answers } = route;
  return [
    "Cache-Control",
    ...limitHeaders(route),
    ...paceHeaders(route),
    ...(isTagged(route) ? (["ETag"] as const) : []),
    ...("data" in answers && answers.location !== undefined ? (["Location"] as const) : []),
    ...("file" in answers ? (["Content-Disposition"] as const) : []),
    ...(route.idempotency === "by_key" ? (["Idempotent-Replayed"] as const) : []),
  ];
}

const toLink = (route: Route): ZodOpenApiResponsesObject =>
  "file" in route.answers && route.answers.orLink === true
    ? {
        "303": {
          description: "The file is too large for an answer: `Location` is where it is, for 5 minutes",
          headers: headersOf(["Location", "Cache-Control", ...limitHeaders(route)]),
        },
      }
    : {};

/** The content of texts and files. */
const textOf = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: contentOf(type) }]));

function contentOf(type: string) {
  if (type === "application/json") return { type: "object" } as const;
  return type.startsWith("text/") ? ({ type: "string" } as const) : ({ type: "string", format: "binary" } as const);
}

/** The refusals of a route by status: its own errors, those that every route has, and our faults. */
function toRefusals(operationId: string, route: Route, examples: Examples): ZodOpenApiResponsesObject {
  const names = new Set<BodyName>([
    ...everyRoute,
    ...(route.auth === "public" ? [] : authenticated),
    ...(route.auth === "key" ? limitedKeys : []),
    ...(route.auth === "key" && scopeOf(route) !== "read" ? changing : []),
    ...(route.auth === "key" || route.limit !== undefined ? limited : []),
    ...(route.on.startsWith("GET ") ? [] : withBody),
    ...(route.form === "multipart" ? uploading : []),
    ...(route.errors ?? []),
    "internal",
  ]);
  const byStatus = Map.groupBy(names, errorStatus);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => {
      const example = exampleOf(examples, operationId, String(status));
      const [first, ...others] = group.map(errorBody);
      const schema = first === undefined || others.length === 0 ? first : z.union([first, ...others]);
      return [
        String(status),
        {
          description: group.map(describeError).join("; "),
          headers: headersOf(refusalHeaders(route, group)),
          content: {
            "application/json": { schema, ...(example !== undefined && { example }) },
            // Browsers are told by a page what went wrong; API Gateway itself answers in JSON.
            ...("page" in route.answers && textOf([route.answers.page])),
          },
        },
      ];
    }),
  ) as ZodOpenApiResponsesObject;
}

const everyRoute: readonly BodyName[] = ["shape", "bad_request", "maintenance", "busy", "store_failed"];
const authenticated: readonly BodyName[] = ["unauthorized"];
const limitedKeys: readonly BodyName[] = ["permission"];
const changing: readonly BodyName[] = ["tenant_suspended"];
const limited: readonly BodyName[] = ["rate_limited"];
const uploading: readonly BodyName[] = ["upload_budget"];
const withBody: readonly BodyName[] = ["too_large", "media_type", "content_encoding"];
