import { byStep, byStop, titleOfGroup } from "./journey.ts";

// The reference's part of docs/openapi.json, which tests hold to the standard.

export type Schema = Readonly<{
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  const?: unknown;
  enum?: readonly unknown[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  examples?: readonly unknown[];
}>;

export type Parameter = Readonly<{
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
}>;

type Content = Readonly<
  Record<
    string,
    Readonly<{
      schema?: Schema;
      example?: unknown;
      encoding?: Readonly<Record<string, Readonly<{ contentType: string }>>>;
    }>
  >
>;
export type Response = Readonly<{ description: string; content?: Content }>;

export type Operation = Readonly<{
  operationId: string;
  summary: string;
  description: string;
  tags: readonly string[];
  security: readonly object[];
  parameters?: readonly Parameter[];
  requestBody?: Readonly<{ content: Content }>;
  responses: Readonly<Record<string, Response>>;
}>;

/** An operation as the document has it: refusals and headers that several operations share stand among its components. */
type Written = Omit<Operation, "parameters" | "responses"> &
  Readonly<{
    parameters?: readonly (Parameter | Reference)[];
    responses: Readonly<Record<string, Response | Reference>>;
  }>;
type Reference = Readonly<{ $ref: string }>;

export type OpenApi = Readonly<{
  info: Readonly<{ description: string }>;
  tags: readonly Readonly<{ name: string; description: string }>[];
  paths: Readonly<Record<string, Readonly<Record<string, Written>>>>;
  components: Readonly<{
    schemas: Readonly<Record<string, Schema>>;
    parameters?: Readonly<Record<string, Parameter>>;
    responses?: Readonly<Record<string, Response>>;
  }>;
}>;

/** An operation with its method and path. */
export type Endpoint = Readonly<{ method: string; path: string; operation: Operation }>;

/** The part that is written there, or that it refers to. Throws if the document lacks it. */
function resolve<Part extends object>(part: Part | Reference, shared: Readonly<Record<string, Part>> = {}): Part {
  const found = "$ref" in part ? shared[part.$ref.split("/").at(-1) ?? ""] : part;
  if (found === undefined) throw new Error(`The document lacks ${JSON.stringify(part)}`);
  return found;
}

const endpointsOf = ({ paths, components }: OpenApi): Endpoint[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { parameters = [], responses, ...operation }]) => ({
      method: method.toUpperCase(),
      path,
      operation: {
        ...operation,
        parameters: parameters.map((one) => resolve(one, components.parameters)),
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, one]) => [status, resolve(one, components.responses)]),
        ),
      },
    })),
  );

/** The groups of the reference, each a page, with those operations that callers of an API ask for. */
export function groupsOf(document: OpenApi) {
  const endpoints = endpointsOf(document).filter(isCalled);
  return document.tags
    .toSorted((one, other) => byStop(one.name, other.name))
    .map(({ name: tag, description }) => ({
      name: titleOfGroup(tag),
      description,
      page: `reference-${tag}`,
      endpoints: endpoints
        .filter(({ operation }) => operation.tags.includes(tag))
        .toSorted((one, other) => byStep(tag)(one.operation.operationId, other.operation.operationId)),
    }))
    .filter((group) => group.endpoints.length > 0);
}

/** Pages are opened by browsers, and reserved paths have nothing yet. */
const isCalled = ({ operation: { responses } }: Endpoint): boolean => {
  const { "200": answered, "501": reserved } = responses;
  return (
    reserved === undefined && !Object.keys(answered?.content ?? {}).some((type) => /^text\/(html|css)$/.test(type))
  );
};
