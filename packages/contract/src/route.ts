import type { ListKind } from "@intents/domain/lists/resources.ts";
import { once } from "@intents/domain/once.ts";
import type { Permission } from "@intents/domain/parties/caller.ts";
import type { DocumentType } from "@intents/domain/parties/document.ts";
import type { Scope } from "@intents/domain/parties/key-limits.ts";
import type * as z from "zod";
import type { ErrorName } from "./errors.ts";
import type { RateLimitName } from "./rate-limits.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The groups of routes. Each is one Lambda, whose entry is the file of the same name under functions/. */
export const routeGroups = [
  "payment-intents",
  "parties",
  "documents",
  "payees",
  "rates",
  "lookup",
  "commissions",
  "payment-links",
  "webhooks",
  "payer-page",
  "home",
  "docs",
  "openapi",
  "reserved",
  "sandbox-rail",
  "sandbox-testing",
] as const;
export type RouteGroup = (typeof routeGroups)[number];

/** Groups that only local and sandbox stages have. */
const sandboxGroups: readonly RouteGroup[] = ["sandbox-rail", "sandbox-testing"];

/** Whether a stage has a route: production knows nothing of the simulated rails. */
export const isServedIn = (stage: string, { group }: Pick<Route, "group">): boolean =>
  stage !== "production" || !sandboxGroups.includes(group);

/** A schema that is built when it is first asked for: building them all costs a cold start 50 ms. */
export type LazySchema<Schema extends z.ZodType = z.ZodType> = () => Schema;

export const lazily = <Schema extends z.ZodType>(build: () => Schema): LazySchema<Schema> => once(build);

/** Schemas by name, each built when it is first asked for, so that a component has one schema wherever it is used. */
export function lazilyByName(build: (name: string) => z.ZodType): (name: string) => z.ZodType {
  const built = new Map<string, z.ZodType>();
  return (name) => {
    const schema = built.get(name) ?? build(name);
    built.set(name, schema);
    return schema;
  };
}

/** The content of a successful answer: a `{ data }` body, a list page, a file, a web page, or a part of web pages. */
export type Answers =
  | Readonly<{
      status: 200 | 201;
      data: LazySchema;
      /** The field of `data` that is a list, of which `skip` and `limit` ask for a part. */
      listed?: string;
      /** The address of what was created, relative to the request's: `students/{_id}`, from its fields and parameters. */
      location?: string;
      /** It is an intent that callers follow: until its status is final, the answer says when to ask again. */
      polled?: true;
    }>
  | Readonly<{
      status: 200;
      list: string;
      item: LazySchema;
      /** It grows at its end alone, and every page says where to go on, now or later. */
      feed?: true;
    }>
  | Readonly<{
      status: 200;
      file: readonly string[];
      /** A file that is too large for an answer is answered with 303 and a link to it. */
      orLink?: true;
    }>
  /** `beside`: the types of what has an address like that of a page, and is for programs. */
  | Readonly<{ status: 200; page: "text/html"; beside?: readonly string[] }>
  | Readonly<{ status: 200; asset: readonly string[] }>
  /** The shape of a success is not specified yet. */
  | Readonly<{ status: 501 }>;

/** A part of a multipart form: a file of one of these types and of at most so many bytes, or a text field. */
export type FormPart = Readonly<{ required?: boolean; description: string }> &
  (
    | Readonly<{ file: readonly DocumentType[]; bytesMax: number }>
    | Readonly<{ file?: undefined; bytesMax?: undefined }>
  );

/**
 * One endpoint, declared once: its handler is typed by it, requests are parsed by it, and the local gateway, the
 * OpenAPI document and the deployed API are built from it.
 */
export type Route = Readonly<{
  /** Method and path exactly as API Gateway reports them in `httpMethod` and `resource`. */
  on: `${Method} /${string}`;
  group: RouteGroup;
  summary: string;
  /** Facts for a stranger beside the summary. */
  description: string;
  /** `key`: behind the authorizer. `public`: no key is needed. `optional`: the function itself checks a key (H37). */
  auth: "key" | "public" | "optional";
  /** A rate limit of its own. Without one, routes behind the authorizer have the global limit. */
  limit?: RateLimitName;
  /** `by_key`: one answer per Idempotency-Key for 24 hours. */
  idempotency?: "by_key";
  /** Whether a request may say by `Preview-Hash` what alone it is to do. */
  heldToPreview?: true;
  permission?: Permission;
  /** A request's effect, where its method does not tell: see `scopeOf`. */
  scope?: Scope;
  /** The forms of path parameters; a parameter without one is text. */
  params?: LazySchema;
  /** Set for list endpoints, which take the query language: the kind of records that it is about. */
  query?: Readonly<{ list: ListKind }>;
  /** Plain query parameters, each of them sent once; under /v2 others are refused, and pages pass over them. */
  parameters?: LazySchema;
  /** A JSON body. Without one, a body is refused. */
  body?: LazySchema;
  /** Set in place of `body`: a multipart form, a plain HTML form, or a body that is not specified yet. */
  form?: "multipart" | "urlencoded" | "any";
  /** The parts of a multipart form by their names. */
  parts?: Readonly<Record<string, FormPart>>;
  /** The text fields of a form. */
  fields?: LazySchema;
  answers: Answers;
  /** How long a client may keep the answer; of a page, before it asks whether that is still the same. */
  cacheSeconds?: number;
  /**
   * How long what stands between clients and service may keep the answer for everybody; clients themselves ask again.
   * The length of a token in the path tells the path from those that begin with it.
   */
  shared?: Readonly<{ seconds: number; tokenLength?: number }>;
  /** Set where callers are answered during maintenance too. */
  inMaintenance?: true;
  /**
   * Whether a payer's secret belongs to the request: one that was just made, so that the payment can be come back to, or
   * one that is asked for, where whatever is no secret counts as none.
   */
  payerSecret?: "made" | "asked";
  /** The refusals of this route beyond those that every route has. */
  errors?: readonly ErrorName[];
  example?: unknown;
}>;

/**
 * Whether answers have an ETag, by which a client learns that nothing changed: one resource, also after a PUT or PATCH,
 * assets, and pages that a client may keep.
 */
export const isTagged = ({ on, answers, cacheSeconds }: Route): boolean =>
  "asset" in answers ||
  ("data" in answers && /^(GET|PUT|PATCH) /.test(on)) ||
  ("page" in answers && cacheSeconds !== undefined);

export const defineRoutes = <const Table extends Record<string, Route>>(table: Table): Table => table;

/** The scope that a key which is limited to scopes needs: GET reads, everything else writes unless its row says more. */
export const scopeOf = ({ on, scope }: Pick<Route, "on" | "scope">): Scope =>
  scope ?? (on.startsWith("GET ") ? "read" : "write");

/** The methods under which a route is asked for: HEAD is GET without the body. */
export const methodsOf = ({ on }: Pick<Route, "on">): readonly string[] => {
  const [method = ""] = on.split(" ");
  return method === "GET" ? ["GET", "HEAD"] : [method];
};
