/** The generator's part of an OpenAPI document. */
export type Schema = Readonly<{
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: unknown;
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  contentSchema?: Schema;
  format?: string;
  description?: string;
  "x-retry"?: "told" | "later";
}>;

export type Parameter = Readonly<{
  in: "path" | "query" | "header";
  name: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}>;

type Content = Readonly<Record<string, Readonly<{ schema: Schema }>>>;

export type Operation = Readonly<{
  operationId: string;
  summary: string;
  description: string;
  tags: readonly string[];
  security: readonly Readonly<Record<string, unknown>>[];
  parameters?: readonly Parameter[];
  requestBody?: Readonly<{ content: Content }>;
  responses: Readonly<Record<string, Readonly<{ $ref?: string; content?: Content }>>>;
}>;

/** An operation as the document has it: headers of requests stand among its components. */
type Written = Omit<Operation, "parameters"> & Readonly<{ parameters?: readonly (Parameter | Reference)[] }>;
type Reference = Readonly<{ $ref: string }>;

export type Document = Readonly<{
  tags: readonly Readonly<{ name: string; description: string }>[];
  paths: Readonly<Record<string, Readonly<Record<string, Written>>>>;
  webhooks: Readonly<Record<string, Readonly<{ post: Operation }>>>;
  components: Readonly<{
    schemas: Readonly<Record<string, Schema>>;
    parameters: Readonly<Record<string, Parameter>>;
    responses: Readonly<Record<string, Readonly<{ content?: Content }>>>;
  }>;
}>;

/** An operation at its method and path: `POST /v2/students`. */
export type Endpoint = Readonly<{ on: string; path: string; operation: Operation }>;

/** The endpoints that only a key opens; payers, browsers and unspecified paths are left out. */
export const endpointsOf = ({ paths, components }: Document): Endpoint[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { parameters = [], ...operation }]) => {
      if (operation.security.length === 0 || !operation.security.every((one) => "ApiKey" in one)) return [];
      const resolved = parameters.flatMap((one) =>
        "$ref" in one ? (components.parameters[one.$ref.split("/").at(-1) ?? ""] ?? []) : one,
      );
      return [{ on: `${method.toUpperCase()} ${path}`, path, operation: { ...operation, parameters: resolved } }];
    }),
  );

/** The name of the component that a schema refers to. */
export const refOf = ({ $ref }: Schema): string | undefined => /^#\/components\/schemas\/(\w+)$/.exec($ref ?? "")?.[1];

/** The names of all schemas that a part of the document is made of, each once, the deepest first. */
export function componentsOf(schema: unknown, document: Document, found = new Set<string>()): Set<string> {
  if (typeof schema !== "object" || schema === null) return found;
  const shared = /^#\/components\/responses\/(\w+)$/.exec((schema as Schema).$ref ?? "")?.[1];
  if (shared !== undefined) return componentsOf(document.components.responses[shared], document, found);
  const name = refOf(schema);
  if (name !== undefined && !found.has(name)) {
    componentsOf(document.components.schemas[name], document, found);
    found.add(name);
  }
  for (const part of Object.values(schema)) componentsOf(part, document, found);
  return found;
}
