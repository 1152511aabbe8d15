import type { ZodOpenApiHeaderObject, ZodOpenApiResponseObject } from "zod-openapi";
import { type BodyName, errorRetry } from "../error-bodies.ts";
import { errorTable } from "../errors.ts";
import type { Route } from "../route.ts";
import { securityHeaders } from "../security-headers.ts";

/** The headers of answers, each a component under its own name. */
export const answerHeaders: Readonly<Record<AnswerHeader, ZodOpenApiHeaderObject>> = {
  "X-Request-Id": { description: "The id under which the logs know the request", schema: { type: "string" } },
  "Strict-Transport-Security": {
    description: "That browsers are to come by TLS alone",
    schema: { type: "string", enum: [securityHeaders["Strict-Transport-Security"]] },
  },
  "X-Content-Type-Options": {
    description: "That browsers must not guess at a content type",
    schema: { type: "string", enum: [securityHeaders["X-Content-Type-Options"]] },
  },
  ETag: { description: "Changes whenever the body does; weak when the body is compressed", schema: { type: "string" } },
  Location: { description: "The address of what was created, or of the file", schema: { type: "string" } },
  "Cache-Control": { description: "How long a client may keep the answer", schema: { type: "string" } },
  "Content-Disposition": { description: "A download under the file's name", schema: { type: "string" } },
  "Idempotent-Replayed": {
    description: "Present when the answer is that of an earlier request with the same key",
    schema: { type: "string", enum: ["true"] },
  },
  "X-RateLimit-Limit": { description: "The requests that the key may send in a window", schema: { type: "integer" } },
  "X-RateLimit-Remaining": { description: "The requests that are left of them", schema: { type: "integer" } },
  "X-RateLimit-Reset": { description: "When the window ends, in seconds since 1970", schema: { type: "integer" } },
  "Retry-After": {
    description: "The seconds to wait before trying again, or before asking again how a payment stands",
    schema: { type: "integer", minimum: 1 },
  },
  "WWW-Authenticate": { description: "That a key is asked for", schema: { type: "string", enum: ["ApiKey"] } },
  "Accept-Encoding": {
    description: "That bodies are not to be compressed",
    schema: { type: "string", enum: ["identity"] },
  },
};
export type AnswerHeader =
  | (typeof always)[number]
  | "ETag"
  | "Location"
  | "Cache-Control"
  | "Content-Disposition"
  | "Idempotent-Replayed"
  | `X-RateLimit-${"Limit" | "Remaining" | "Reset"}`
  | "Retry-After"
  | "WWW-Authenticate"
  | "Accept-Encoding";

/** The headers of every answer. */
const always = ["X-Request-Id", "Strict-Transport-Security", "X-Content-Type-Options"] as const;

type Headers = NonNullable<ZodOpenApiResponseObject["headers"]>;

/** References to headers, for one answer. */
export const headersOf = (names: readonly AnswerHeader[]): Headers =>
  Object.fromEntries(
    [...new Set<AnswerHeader>([...always, ...names])].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  ) as Headers;

const rateLimit: readonly AnswerHeader[] = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

/** The headers that a key's requests are told their limit by. */
export const limitHeaders = ({ auth, limit }: Route): readonly AnswerHeader[] =>
  auth === "key" || (auth === "optional" && limit !== undefined) ? rateLimit : [];

/** The headers of a route's refusal. */
export function refusalHeaders(route: Route, names: readonly BodyName[]): readonly AnswerHeader[] {
  return [
    "Cache-Control",
    ...(names.some(waits) ? (["Retry-After"] as const) : []),
    ...(names.includes("rate_limited") ? rateLimit : limitHeaders(route)),
    ...(names.includes("unauthorized") ? (["WWW-Authenticate"] as const) : []),
    ...(names.includes("content_encoding") ? (["Accept-Encoding"] as const) : []),
    ...(route.idempotency === "by_key" && names.some(binds) ? (["Idempotent-Replayed"] as const) : []),
  ];
}

/** Whether an error says when to try again. */
const waits = (name: BodyName): boolean => errorRetry(name) === "told";

const binds = (name: BodyName): boolean => name !== "internal" && name !== "bad_request" && errorTable[name].bindsKey;
