import * as z from "zod";
import {
  createDocument,
  type ZodOpenApiMediaTypeObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
} from "zod-openapi";
import { parametersOf } from "../parameters.ts";
import { PAYER_SECRET, PAYER_SECRET_HEADER } from "../payer-secret.ts";
import { PREVIEW_HASH, PREVIEW_HASH_HEADER } from "../preview-hash.ts";
import { type Route, type RouteGroup, routeGroups, scopeOf } from "../route.ts";
import { type Examples, exampleOf } from "./examples.ts";
import { answerHeaders } from "./headers.ts";
import { filterParameters, listParameters } from "./lists.ts";
import { toResponses } from "./responses.ts";
import { forTools } from "./sharing.ts";
import { toWebhooks, WEBHOOK_EVENTS } from "./webhooks.ts";

/** The OpenAPI 3.1 document of a route table. docs/openapi.json holds that of the service. */
export function toOpenApi(routes: Readonly<Record<string, Route>>, examples: Examples = {}) {
  const sendsWebhooks = Object.values(routes).some(({ group }) => group === "webhooks");
  return forTools(
    createDocument(
      {
        openapi: "3.1.1",
        info: {
          title: "Payment intents",
          version: "2.0.0",
          summary: "Cross-border payments around one resource, the payment intent",
          description,
          license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
          contact: { name: "Whoever gave you your API key" },
        },
        servers: [
          { url: "{baseUrl}", description: "Your stage", variables: { baseUrl: { default: "http://127.0.0.1:3000" } } },
        ],
        tags: [
          ...routeGroups.map((name) => ({ name, description: groups[name] })),
          ...(sendsWebhooks ? [{ name: WEBHOOK_EVENTS, description: "What is sent to those addresses" }] : []),
        ],
        components: {
          headers: answerHeaders,
          securitySchemes: {
            ApiKey: {
              type: "apiKey",
              in: "header",
              name: "X-API-Key",
              description: "`<CLIENT_ID>:<SECRET>`, joined by one colon and not encoded",
            },
          },
        },
        paths: toPaths(routes, examples),
        ...(sendsWebhooks && { webhooks: toWebhooks() }),
      },
      { override: toPublished },
    ),
  );
}

const description = `A payment intent is created as a draft, judged by dry-runs as often as you like, and paid by one
submit. Quotes lock its rates, payees receive it, links let others pay it.

**Requests.** Under \`/v2\`, unknown properties of a body, parts of a form and query parameters are refused with a 400
that names each of them. Bodies are not compressed. HEAD is answered wherever GET is; other methods are answered with
405, \`[GEN9005]\` and an \`Allow\` header.

**Answers.** Every answer has an \`X-Request-Id\`. Answers may gain fields: pass over those you do not know. Answers about
one resource carry an \`ETag\` for \`If-None-Match\`. Gateways may answer any request with 502 or 504 and the body of a
500, and one whose address or headers are too long (8 KB) with 414 or 431. The schema of an error says by \`x-retry\` when
the same request, by the same key, may succeed: \`told\`, as its \`Retry-After\` says; \`later\`, after a while.

**Keys.** A key may have an end, after which it is refused with 401, and may be limited to addresses that it is used from
and to scopes: \`read\`, \`write\`, \`pay\`, \`webhooks\`. Beyond those it is refused with 403 and \`[GEN9004]\`, whose
\`details.failedRequirements\` say \`source\` or, for example, \`scope:pay\`. Limits change within a minute. While an organization is suspended, its
keys may read; all else is refused with 403 and \`[GEN9006]\`.

**Following payments.** Poll one intent by its id, as often as \`Retry-After\` says, up to 20 % sooner or later. To hear of
everything that happens, once and in order, ask \`GET /v2/events\` for what came \`after\` the last event that you know. To
see how many payments stand, list what changed: ask for
\`filter[updatedAt][$gte]\` a minute before the newest \`updatedAt\` you have seen, with \`sort=updatedAt\`, follow
\`nextCursor\` to the end, and leave out what you know by \`id\` and \`updatedAt\`. It costs what changed, however many
records there are.`;

const groups: Readonly<Record<RouteGroup, string>> = {
  "payment-intents": "Create, judge and submit payment intents",
  parties: "Saved students and payers, and their documents",
  documents: "Uploads",
  payees: "Payees, and who the key belongs to",
  rates: "Exchange rates and quotes",
  lookup: "Read-only lists",
  commissions: "What completed payments earned, exports of it, and requests to be paid it",
  "payment-links": "What payers of a link call, without a key",
  webhooks: "Addresses to which events are sent",
  "payer-page": "The page on which payers pay, and what it is made of",
  home: "The page at the service's own address",
  docs: "The documentation, where the deployment has it",
  openapi: "This document, and whether the service takes requests",
  reserved: "Paths whose bodies are not specified yet",
  "sandbox-rail": "The simulated rail: on one machine and in sandbox stages only",
  "sandbox-testing": "What testers make happen, now: on one machine and in sandbox stages only",
};

function toPaths(routes: Readonly<Record<string, Route>>, examples: Examples): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, route] of Object.entries(routes)) {
    const [method = "", path = ""] = route.on.split(" ");
    paths[path] = { ...paths[path], [method.toLowerCase()]: toOperation(name, route, examples) };
  }
  return paths;
}

const toOperation = (operationId: string, route: Route, examples: Examples): ZodOpenApiOperationObject => ({
  operationId,
  summary: route.summary,
  description: [
    route.description,
    ...(route.auth === "key" ? [`Scope: \`${scopeOf(route)}\`.`] : []),
    ...(isCreate(route) ? ["An `Idempotency-Key` has no effect: a repeat is a request of its own."] : []),
    ...(route.permission === undefined ? [] : [`May need the permission \`${route.permission}\`.`]),
  ].join(" "),
  tags: [route.group],
  security: securityOf[route.auth],
  ...requestParams(route),
  parameters: [
    ...(route.query !== undefined ? listParameters(route.query.list) : []),
    ...(route.idempotency === "by_key" ? [idempotencyKey] : []),
    ...(route.heldToPreview === true ? [previewHash] : []),
    ...(route.payerSecret === undefined ? [] : [payerSecret]),
    ...(route.on.startsWith("GET ") && ("data" in route.answers || "asset" in route.answers) ? [ifNoneMatch] : []),
    ...(route.errors?.includes("stale") ? [ifMatch] : []),
  ],
  ...requestBody(operationId, route, examples),
  responses: toResponses(operationId, route, examples),
});

/** Whether a caller from elsewhere would expect that an `Idempotency-Key` holds a repeat. */
const isCreate = ({ auth, answers, idempotency }: Route): boolean =>
  auth === "key" && answers.status === 201 && idempotency === undefined;

/** The security requirements by `auth`. An empty requirement beside the key's says that the key may be left out. */
const securityOf: Readonly<Record<Route["auth"], Record<string, string[]>[]>> = {
  key: [{ ApiKey: [] }],
  optional: [{}, { ApiKey: [] }],
  public: [],
};

function requestParams(route: Route): Pick<ZodOpenApiOperationObject, "requestParams"> {
  const query = route.query === undefined ? parametersOf(route) : filterParameters(route.query.list);
  const known = {
    ...pathParameters(route),
    ...(query instanceof z.ZodObject && Object.keys(query.shape).length > 0 && { query }),
  };
  return Object.keys(known).length === 0 ? {} : { requestParams: known };
}

/** Descriptions of path placeholders, where a route has no schema of its own for them. */
const placeholders: Readonly<Record<string, string>> = {
  id: "The id of the resource",
  legacyDocumentId: "The id of a saved document",
  token: "The token of the link, its `publicLinkId`, or of a checkout",
  file: "The name of a file, as the page has it",
  page: "The name of a page, as `/docs` has it",
  conversationId: "The id of a conversation",
  deliveryId: "The id of a delivery, which is its event's",
};

function pathParameters(route: Route): { path?: z.ZodObject } {
  const names = [...route.on.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  if (names.length === 0) return {};
  const params = route.params?.();
  const shape: Readonly<Record<string, z.ZodType>> = params instanceof z.ZodObject ? params.shape : {};
  const read = (name: string) => shape[name] ?? z.string().describe(placeholders[name] ?? name);
  return { path: z.object(Object.fromEntries(names.map((name) => [name, read(name)]))) };
}

const idempotencyKey = {
  in: "header",
  name: "Idempotency-Key",
  description: "Always send one: for 24 hours, a replay with the same key gets the first answer again",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e][\\x20-\\x7e]*$" },
  example: "tuition-2026-1187",
} as const;

const previewHash = {
  in: "header",
  name: PREVIEW_HASH_HEADER,
  description: "The `hash` of a preview: 409 `[GEN9009]`, and nothing is done, if it would not be exactly that",
  schema: { type: "string", pattern: PREVIEW_HASH.source },
} as const;

const payerSecret = {
  in: "header",
  name: PAYER_SECRET_HEADER,
  description: "Made by the payer's browser, at random, before the payment is begun: only its digest is kept",
  schema: { type: "string", pattern: PAYER_SECRET.source },
  example: "q8Zr1xJm0dVb5sYt3uWn7pLk2cHf9gEa4iOo6MvXjQB",
} as const;

const ifMatch = {
  in: "header",
  name: "If-Match",
  description: "The `ETag` of the resource as it was read: 412 if it has changed since",
  schema: { type: "string" },
} as const;

const ifNoneMatch = {
  in: "header",
  name: "If-None-Match",
  description: "The `ETag` of an answer that the caller has: 304 as long as it is the same",
  schema: { type: "string" },
} as const;

function requestBody(
  operationId: string,
  route: Route,
  examples: Examples,
): Pick<ZodOpenApiOperationObject, "requestBody"> {
  if (route.form === "multipart")
    return { requestBody: { required: true, content: { "multipart/form-data": toForm(operationId, route) } } };
  if (route.form === "urlencoded") {
    const fields = { schema: route.fields?.() ?? z.object({}) };
    return { requestBody: { required: true, content: { "application/x-www-form-urlencoded": fields } } };
  }
  if (route.body === undefined) return {};
  const example = exampleOf(examples, operationId, "request") ?? route.example;
  const json = { schema: route.body(), ...(example !== undefined && { example }) };
  return { requestBody: { required: true, content: { "application/json": json } } };
}

/** The form of an operation, under a name of its own: files by their parts, and text as its schema has it. */
function toForm(operationId: string, { parts = {}, fields }: Route): ZodOpenApiMediaTypeObject {
  const known = fields?.();
  const texts: Readonly<Record<string, z.ZodType>> = known instanceof z.ZodObject ? known.shape : {};
  const shape = Object.entries(parts).map(([name, { description, file, required }]) => {
    const text = (texts[name] ?? z.string()).meta({ description });
    const part = file === undefined ? text : z.string().meta({ format: "binary", description });
    return [name, required === true ? part : part.exactOptional()] as const;
  });
  const encoding = Object.entries(parts).flatMap(([name, { file }]) =>
    file === undefined ? [] : [[name, { contentType: file.join(", ") }]],
  );
  const id = `${operationId.replace(/^\w/, (letter) => letter.toUpperCase())}Form`;
  return {
    schema: z.strictObject(Object.fromEntries(shape)).meta({ id, description: "A form" }),
    encoding: Object.fromEntries(encoding),
  };
}

/**
 * Writes schemas for generators of clients. A standard format needs no pattern, except for email addresses; answers may
 * gain fields, so that only requests are closed. Integers without a bound are `int64`, and decimals `double`, because some
 * languages would take 32 bits; statuses are integers, not decimals; and a flag that must be true is a boolean, because
 * no enum has a name for one truth.
 */
const toPublished: ZodOpenApiOverride = ({ jsonSchema, zodSchema }) => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
    delete jsonSchema.maximum;
    jsonSchema.format = "int64";
  }
  if (typeof jsonSchema.const === "boolean") delete jsonSchema.const;
  if (Number.isInteger(jsonSchema.const)) jsonSchema.type = "integer";
  if (jsonSchema.type === "number") jsonSchema.format = "double";
  const [value, nothing] = zodSchema instanceof z.ZodNullable ? (jsonSchema.anyOf ?? []) : [];
  if (value?.type === "string" && nothing?.type === "null") {
    delete jsonSchema.anyOf;
    Object.assign(jsonSchema, { ...value, ...jsonSchema, type: ["string", "null"] });
  }
  if (jsonSchema.format !== undefined && jsonSchema.format !== "email") delete jsonSchema.pattern;
  if (zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined) delete jsonSchema.additionalProperties;
};
