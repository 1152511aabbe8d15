import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { answerHeaders } from "../src/openapi/headers.ts";

type Json = Readonly<Record<string, unknown>>;
type Answer = Readonly<{ $ref?: string; headers?: Json; content?: Json }>;
type Operation = Readonly<{
  parameters?: readonly (Parameter | Readonly<{ $ref: string }>)[];
  requestBody?: Readonly<{ content: Readonly<Record<string, unknown>> }>;
  responses: Readonly<Record<string, Answer>>;
}>;
type Parameter = Readonly<{ in: string; name: string }>;
type Document = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: Readonly<{
    parameters: Readonly<Record<string, Parameter>>;
    responses: Readonly<Record<string, Answer>>;
  }>;
}>;

/** A request and its answer, as they were on the wire. Bodies are parsed where they are JSON. */
export type Exchange = Readonly<{
  method: string;
  /** With the query. */
  path: string;
  sent?: unknown;
  status: number;
  headers: Headers;
  body: unknown;
}>;

/** The answers of gateways, whatever was asked for. */
const gatewayStatuses = new Set([405, 414, 431, 502, 504]);

/**
 * For tests: tells what of an exchange an OpenAPI document does not say. It is read strictly: a field, header, status
 * or parameter that the document does not name is a problem.
 */
export function openDocument(published: object): (exchange: Exchange) => readonly string[] {
  const document = closed(published) as Document & object;
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
  ajv.addSchema(document, "document");
  const validators = new Map<string, ValidateFunction>();
  const check = (value: unknown, ...at: readonly string[]): string[] => {
    const $ref = `document#/${at
      .map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1"))
      .map(encodeURIComponent)
      .join("/")}`;
    const validate = validators.get($ref) ?? ajv.compile({ $ref });
    validators.set($ref, validate);
    return validate(value)
      ? []
      : (validate.errors ?? []).map(
          (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
        );
  };

  return ({ method, path, sent, status, headers, body }) => {
    const [pathname = "", query = ""] = path.split("?");
    const template = templateOf(Object.keys(document.paths), pathname);
    const verb = method === "HEAD" ? "get" : method.toLowerCase();
    const operation = template === undefined ? undefined : document.paths[template]?.[verb];
    if (template === undefined || operation === undefined || gatewayStatuses.has(status)) return [];
    const response = operation.responses[String(status)];
    const shared = response?.$ref?.split("/").at(-1);
    const answer = shared === undefined ? response : document.components.responses[shared];
    const at =
      shared === undefined
        ? ["paths", template, verb, "responses", String(status)]
        : ["components", "responses", shared];
    if (answer === undefined) return [`the status ${status}`];
    const type = headers.get("content-type")?.split(";")[0] ?? "";
    const isEmpty = method === "HEAD" || answer.content === undefined;
    const isSuccess = status < 300;
    return [
      ...Object.keys(answerHeaders)
        .filter((name) => headers.has(name) && answer.headers?.[name] === undefined)
        .map((name) => `the header ${name}`),
      ...(isEmpty ||
      answer.content?.[type] !== undefined ||
      answer.content?.[headers.get("content-type") ?? ""] !== undefined
        ? []
        : [`the content type ${type}`]),
      ...(isEmpty || type !== "application/json" ? [] : check(body, ...at, "content", type, "schema")),
      ...(isSuccess && sent !== undefined && operation.requestBody?.content["application/json"] !== undefined
        ? check(sent, "paths", template, verb, "requestBody", "content", "application/json", "schema")
        : []),
      ...(isSuccess && path.startsWith("/v2/") ? unnamed(document, operation, query) : []),
    ];
  };
}

/**
 * The parameters of a query that an operation does not name. A filter has as many names as there are conditions; an empty
 * list asks for nothing.
 */
function unnamed({ components }: Document, { parameters = [] }: Operation, query: string): string[] {
  const named = parameters.map((one) =>
    "$ref" in one ? components.parameters[one.$ref.split("/").at(-1) ?? ""]?.name : one.name,
  );
  const families = ["filter", "population"].filter((name) => named.includes(name));
  return [...new URLSearchParams(query)]
    .filter(([, value]) => value !== "[]")
    .map(([name]) => name)
    .filter((name) => !named.includes(name) && !families.includes(name.split(/[[.]/)[0] ?? ""))
    .map((name) => `the parameter ${name}`);
}

/** The template of a path; words that stand in a template win over placeholders. */
export function templateOf(templates: readonly string[], path: string): string | undefined {
  const parts = path.split("/");
  const fitting = templates.filter((template) => {
    const named = template.split("/");
    return named.length === parts.length && named.every((part, at) => part.startsWith("{") || part === parts[at]);
  });
  return fitting.toSorted((one, other) => one.split("{").length - other.split("{").length)[0];
}

/** A document whose objects have no fields but those that they name. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== "object" || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  const isOpen = "properties" in copy && copy["type"] === "object" && !("additionalProperties" in copy);
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}
