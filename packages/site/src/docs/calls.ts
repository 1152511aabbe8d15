import { type Endpoint, groupsOf, type OpenApi, type Response } from "./openapi.ts";
import { openShapes, type Shape } from "./shapes.ts";

/** The body of a call: of a form, also what types of files its parts take. */
type Body = Readonly<{ type: string; shape: Shape; example: unknown; files: Readonly<Record<string, string>> }>;
type Success = Readonly<{ status: string; type: string | undefined; shape: Shape | undefined; example: unknown }>;

/** A call as its page tells it. */
export type Call = Endpoint &
  Readonly<{
    body: Body | undefined;
    success: Success | undefined;
    refusals: readonly (readonly [status: string, response: Response])[];
  }>;

/** The groups of the reference, each a page with its calls. */
export const readGroups = (document: OpenApi) =>
  groupsOf(document).map(({ endpoints, ...group }) => {
    const toShape = openShapes(document);
    return { ...group, calls: endpoints.map((endpoint) => toCall(endpoint, toShape)) };
  });
export type Group = ReturnType<typeof readGroups>[number];

function toCall(endpoint: Endpoint, toShape: ReturnType<typeof openShapes>): Call {
  const { operation } = endpoint;
  // The body comes first on the page.
  const body = bodyOf(operation, toShape);
  return {
    ...endpoint,
    body,
    success: successOf(operation, toShape),
    refusals: Object.entries(operation.responses).filter(([status]) => Number(status) >= 300),
  };
}

function bodyOf(
  { operationId, requestBody }: Endpoint["operation"],
  toShape: ReturnType<typeof openShapes>,
): Body | undefined {
  const [[type, content] = []] = Object.entries(requestBody?.content ?? {});
  if (type === undefined || content?.schema === undefined) return undefined;
  const files = Object.entries(content.encoding ?? {}).map(([name, { contentType }]) => [name, contentType] as const);
  return {
    type,
    example: content.example,
    files: Object.fromEntries(files),
    shape: toShape(content.schema, operationId),
  };
}

function successOf(
  { operationId, responses }: Endpoint["operation"],
  toShape: ReturnType<typeof openShapes>,
): Success | undefined {
  const [[status, response] = []] = Object.entries(responses).filter(([code]) => code.startsWith("2"));
  if (status === undefined) return undefined;
  const [[type, content] = []] = Object.entries(response?.content ?? {});
  const schema = type === "application/json" ? content?.schema : undefined;
  return { status, type, example: content?.example, shape: schema && toShape(schema, `${operationId}.${status}`) };
}
