import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX, LIST_NAMES_MAX, LIST_SKIP_MAX } from "@intents/domain/lists/query.ts";
import { type ListKind, listResources } from "@intents/domain/lists/resources.ts";
import * as z from "zod";
import {
  createDocument,
  type ZodOpenApiMediaTypeObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiParameterObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import { ErrorEnvelope, ShapeError } from "./error-bodies.ts";
import { type ErrorName, errorTable, faultTable } from "./errors.ts";
import { parametersOf } from "./parameters.ts";
import type { FormPart, Route, RouteGroup } from "./route.ts";

/** The OpenAPI 3.1 document of a route table. docs/openapi.json holds that of the service. */
export const toOpenApi = (routes: Readonly<Record<string, Route>>) =>
  createDocument(
    {
      openapi: "3.1.1",
      info: {
        title: "Payment intents",
        version: "2.0.0",
        description: [
          "Cross-border payments around one resource, the payment intent.",
          "Every answer carries the id of its request as `X-Request-Id`. Under /v2, unknown properties of a body, parts",
          "of a form and query parameters are refused. HEAD is answered wherever GET is, and answers about one resource",
          "carry an `ETag` for `If-None-Match`.",
        ].join(" "),
      },
      servers: [{ url: "{base_url}", variables: { base_url: { default: "http://127.0.0.1:3000" } } }],
      tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          ApiKey: {
            type: "apiKey",
            in: "header",
            name: "X-API-Key",
            description: "`<CLIENT_ID>:<SECRET>`, joined by one colon and not encoded",
          },
        },
      },
      paths: toPaths(routes),
    },
    { override: dropRedundantPattern },
  );

const groups: Readonly<Record<RouteGroup, string>> = {
  "payment-intents": "Create, judge and submit payment intents",
  parties: "Saved students and payers, and their documents",
  documents: "Uploads",
  payees: "Payees, and who the key belongs to",
  rates: "Exchange rates and quotes",
  lookup: "Read-only lists",
  commissions: "What completed payments earned, exports of it, and requests to be paid it",
  "payment-links": "What payers of a link call, without a key",
  "payer-page": "The page on which payers pay, and what it is made of",
  reserved: "Paths whose bodies are not specified yet",
  "sandbox-rail": "The simulated rail: on one machine and in sandbox stages only",
};

function toPaths(routes: Readonly<Record<string, Route>>): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, route] of Object.entries(routes)) {
    const [method = "", path = ""] = route.on.split(" ");
    paths[path] = { ...paths[path], [method.toLowerCase()]: toOperation(name, route) };
  }
  return paths;
}

const toOperation = (operationId: string, route: Route): ZodOpenApiOperationObject => ({
  operationId,
  summary: route.summary,
  ...(route.permission !== undefined && { description: `May need the permission \`${route.permission}\`.` }),
  tags: [route.group],
  security: securityOf[route.auth],
  ...requestParams(route),
  parameters: [
    ...(route.query !== undefined ? listParameters(route.query.list) : []),
    ...(route.idempotency === "by_key" ? [idempotencyKey] : []),
    ...(route.errors?.includes("stale") ? [ifMatch] : []),
  ],
  ...requestBody(route),
  responses: { [route.answers.status]: toSuccess(route), ...toLink(route), ...toRefusals(route) },
});

/** The security requirements by `auth`. An empty requirement beside the key's says that the key may be left out. */
const securityOf: Readonly<Record<Route["auth"], Record<string, string[]>[]>> = {
  key: [{ ApiKey: [] }],
  optional: [{}, { ApiKey: [] }],
  public: [],
};

function requestParams(route: Route): Pick<ZodOpenApiOperationObject, "requestParams"> {
  const query = parametersOf(route);
  const known = {
    ...pathParameters(route),
    ...(query instanceof z.ZodObject && Object.keys(query.shape).length > 0 && { query }),
  };
  return Object.keys(known).length === 0 ? {} : { requestParams: known };
}

function pathParameters(route: Route): { path?: z.ZodObject } {
  const names = [...route.on.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  if (names.length === 0) return {};
  const params = route.params?.();
  const shape: Readonly<Record<string, z.ZodType>> = params instanceof z.ZodObject ? params.shape : {};
  return { path: z.object(Object.fromEntries(names.map((name) => [name, shape[name] ?? z.string()]))) };
}

const deepObject = { in: "query", style: "deepObject", explode: true } as const;

const listParameters = (kind: ListKind): readonly ZodOpenApiParameterObject[] => [
  {
    ...deepObject,
    name: "filter",
    description: [
      "A MongoDB filter in brackets or dots, by the fields of the items: `filter[status]=draft`,",
      "`filter[createdAt][$gte]=2026-01-01`, `filter[$or][0][payer.role]=student`. Operators: `$eq $gt $gte $lt $lte",
      "$ne $in $nin $or $and $not $nor $exists $type $elemMatch $size $all`. Several values mean any of them.",
    ].join(" "),
    schema: { type: "object", additionalProperties: true },
    example: { createdAt: { $gte: "2026-01-01" } },
  },
  {
    in: "query",
    name: "skip",
    description: "So many records of the list as it stands are left out; not together with `cursor`",
    schema: { type: "integer", minimum: 0, maximum: LIST_SKIP_MAX, default: 0 },
  },
  {
    in: "query",
    name: "cursor",
    description:
      "The `nextCursor` of an earlier page with the same filter and sort: the page begins behind that one, whatever was added meanwhile",
    schema: { type: "string" },
  },
  {
    in: "query",
    name: "limit",
    schema: { type: "integer", minimum: 0, maximum: LIST_LIMIT_MAX, default: LIST_LIMIT_DEFAULT },
  },
  names("sort", "Order by these fields, a leading hyphen means descending; the newest first otherwise", "-createdAt"),
  names("projection", "Only these fields and the id, or with leading hyphens all but these", "-updatedAt"),
  ...populationParameter(listResources[kind].populations),
  {
    in: "header",
    name: "X-Explain",
    description: "`true` adds `explain` beside `data`: how the page was read, and what that took",
    schema: { type: "boolean", default: false },
  },
];

const names = (name: string, description: string, example: string): ZodOpenApiParameterObject => ({
  in: "query",
  name,
  description: `${description}; at most ${LIST_NAMES_MAX}, with spaces between them`,
  schema: { type: "string" },
  example,
});

const populationParameter = (paths: readonly string[]): ZodOpenApiParameterObject[] =>
  paths.length === 0
    ? []
    : [
        {
          ...deepObject,
          name: "population",
          description: "Puts what is referred to in place of its id: `population[0][path]=payer.partyId`",
          schema: {
            type: "array",
            items: {
              type: "object",
              properties: {
                path: { enum: [...paths] },
                select: { type: "string", description: "The fields wanted, with spaces between them; all without it" },
              },
              required: ["path"],
            },
          },
        },
      ];

const idempotencyKey: ZodOpenApiParameterObject = {
  in: "header",
  name: "Idempotency-Key",
  description: "Always send one: for 24 hours, a replay with the same key gets the first answer again",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

const ifMatch: ZodOpenApiParameterObject = {
  in: "header",
  name: "If-Match",
  description: "The `ETag` of the resource as it was read: 412 if it has changed since",
  schema: { type: "string" },
};

function requestBody(route: Route): Pick<ZodOpenApiOperationObject, "requestBody"> {
  if (route.form === "multipart")
    return { requestBody: { required: true, content: { "multipart/form-data": toForm(route.parts ?? {}) } } };
  if (route.form === "urlencoded") {
    const schema = { type: "object", additionalProperties: { type: "string" } } as const;
    return { requestBody: { required: true, content: { "application/x-www-form-urlencoded": { schema } } } };
  }
  if (route.body === undefined) return {};
  const json = { schema: route.body(), ...(route.example !== undefined && { example: route.example }) };
  return { requestBody: { required: true, content: { "application/json": json } } };
}

function toForm(parts: Readonly<Record<string, FormPart>>): ZodOpenApiMediaTypeObject {
  const named = Object.entries(parts);
  const properties = named.map(([name, { description, file }]) => [
    name,
    { type: "string", description, ...(file !== undefined && { format: "binary" }) },
  ]);
  const encoding = named.flatMap(([name, { file }]) =>
    file === undefined ? [] : [[name, { contentType: file.join(", ") }]],
  );
  const required = named.filter(([, part]) => part.required === true).map(([name]) => name);
  return {
    schema: { type: "object", properties: Object.fromEntries(properties), required },
    encoding: Object.fromEntries(encoding),
  };
}

function toSuccess({ answers, cacheSeconds }: Route): ZodOpenApiResponseObject {
  const description = answers.status === 201 ? "Created" : "OK";
  if ("file" in answers) return { description, content: contentOf(answers.file, { type: "string", format: "binary" }) };
  if ("page" in answers) return { description, content: contentOf([answers.page], { type: "string" }) };
  if ("asset" in answers) return { description, content: contentOf(answers.asset, { type: "string" }) };
  if ("list" in answers) {
    const data = z.looseObject({ [answers.list]: z.array(answers.item()) });
    const nextCursor = z.string().optional().describe("Present when there is more: the next page's `cursor`");
    const page = z.looseObject({ data, hasMore: z.boolean(), nextCursor, count: z.int(), total: z.int() });
    return { description, content: contentOf(["application/json"], page) };
  }
  const cacheControl = { "Cache-Control": { schema: { const: `private, max-age=${cacheSeconds}` } } };
  return {
    description,
    ...(cacheSeconds !== undefined && { headers: cacheControl }),
    content: contentOf(["application/json"], z.looseObject({ data: answers.data() })),
  };
}

const toLink = ({ answers }: Route): ZodOpenApiResponsesObject => {
  const headers = { Location: { schema: { type: "string", format: "uri" } as const } };
  return "file" in answers && answers.orLink === true ? { "303": { description: "Where the file is", headers } } : {};
};

const contentOf = (types: readonly string[], schema: z.ZodType | { type: "string"; format?: "binary" }) =>
  Object.fromEntries(types.map((type) => [type, { schema }]));

/** The refusals of a route by status: its own errors, those that every route has, and our faults. */
function toRefusals(route: Route): ZodOpenApiResponsesObject {
  const rows = { ...errorTable, internal: faultTable.internal };
  const names = new Set<keyof typeof rows>([
    ...everyRoute,
    ...(route.auth === "public" ? [] : authenticated),
    ...(route.auth === "key" || route.limit !== undefined ? limited : []),
    ...(route.on.startsWith("GET ") ? [] : withBody),
    ...(route.errors ?? []),
    "internal",
  ]);
  const byStatus = Map.groupBy(names, (name) => rows[name].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      String(status),
      {
        description: group.map((name) => describeError(rows[name])).join("; "),
        content: contentOf(["application/json"], errorBody(group)),
      },
    ]),
  );
}

const everyRoute: readonly ErrorName[] = ["shape", "maintenance", "busy"];
const authenticated: readonly ErrorName[] = ["unauthorized"];
const limited: readonly ErrorName[] = ["rate_limited"];
const withBody: readonly ErrorName[] = ["too_large", "media_type", "content_encoding"];

const describeError = (row: Readonly<{ code?: string; message: string }>): string =>
  row.code === undefined ? row.message : `\`${row.code}\` ${row.message}`;

function errorBody(names: readonly string[]): z.ZodType {
  if (!names.includes("shape")) return ErrorEnvelope;
  return names.length === 1 ? ShapeError : z.union([ShapeError, ErrorEnvelope]);
}

/** Drops the pattern of a standard format: it is long, and says no more than the format's name. */
const dropRedundantPattern: ZodOpenApiOverride = ({ jsonSchema }) => {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
};
