import type { createDocument, oas31 } from "zod-openapi";

type Document = ReturnType<typeof createDocument>;
type Responses = Record<string, oas31.ResponseObject | oas31.ReferenceObject>;

/** The same document, shorter, and with descriptions where tools look for them. */
export const forTools = (document: Document): Document =>
  describeOnce(shareParameters(describeParameters(shareRefusals(document))));

/**
 * The same document with each refusal that several operations answer as one component. Answers that tell the same and
 * differ in their example alone are the same refusal: the first example stands for all.
 */
function shareRefusals(document: Document): Document {
  const seen = Map.groupBy(refusalsOf(document), ({ response }) => JSON.stringify(response, withoutExample));
  const shared: Record<string, oas31.ResponseObject> = {};
  for (const uses of [...seen.values()].filter(({ length }) => length > 1)) {
    const [{ response }] = uses as [Use, ...Use[]];
    const name = nameOf(response);
    if (name in shared) throw new Error(`Two refusals are named ${name}`);
    shared[name] = uses.find(({ response: one }) => exampleIn(one) !== undefined)?.response ?? response;
    for (const { responses, status } of uses) responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return { ...document, components: { ...document.components, responses: shared } };
}

type Use = Readonly<{ responses: Responses; status: string; response: oas31.ResponseObject }>;

const refusalsOf = ({ paths = {} }: Document): Use[] =>
  Object.values(paths)
    .flatMap((item) => Object.values(item) as oas31.OperationObject[])
    .flatMap(({ responses = {} }) =>
      Object.entries(responses as Responses)
        .filter(([status]) => status >= "304")
        .map(([status, response]) => ({
          responses: responses as Responses,
          status,
          response: response as Use["response"],
        })),
    );

const withoutExample = (key: string, value: unknown): unknown => (key === "example" ? undefined : value);

const exampleIn = ({ content }: oas31.ResponseObject): unknown => content?.["application/json"]?.example;

/** Names a refusal by its errors and by whom it is told: a browser, or a caller without a key. */
function nameOf({ content = {}, headers = {} }: oas31.ResponseObject): string {
  const schema = content["application/json"]?.schema ?? {};
  const choices = "anyOf" in schema && schema.anyOf !== undefined ? schema.anyOf : [schema];
  const errors = choices.map((one) => /(\w+)Error$/.exec(("$ref" in one && one.$ref) || "")?.[1] ?? "");
  const describer = [...("text/html" in content ? ["Page"] : []), ...("X-RateLimit-Limit" in headers ? [] : ["Open"])];
  return `${describer.join("")}${errors[0] === "" ? "NotModified" : `${errors.join("Or")}Refusal`}`;
}

/** Puts the description of a parameter's schema where tools look for it: at the parameter. */
function describeParameters(document: Document): Document {
  const { paths = {}, webhooks = {}, components = {} } = document;
  const operations = Object.values({ ...paths, ...webhooks }).flatMap(
    (item) => Object.values(item) as oas31.OperationObject[],
  );
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    if (!("schema" in parameter) || parameter.schema === undefined || parameter.description !== undefined) continue;
    const { schema } = parameter;
    const named = "$ref" in schema ? components.schemas?.[schema.$ref?.split("/").at(-1) ?? ""] : undefined;
    const { description } = (named ?? schema) as oas31.SchemaObject;
    if (description !== undefined) parameter.description = description;
    if (named === undefined) delete (schema as oas31.SchemaObject).description;
  }
  return document;
}

/** The same document with each parameter that several operations take as one component; of those of one name, one. */
function shareParameters(document: Document): Document {
  const operations = Object.values(document.paths ?? {}).flatMap(
    (item) => Object.values(item) as oas31.OperationObject[],
  );
  const all = operations.flatMap(({ parameters = [] }) => parameters as oas31.ParameterObject[]);
  const alike = [...Map.groupBy(all, (one) => JSON.stringify(one)).values()].filter(({ length }) => length > 1);
  const shared: Record<string, oas31.ParameterObject> = {};
  for (const [first] of alike.toSorted((one, other) => other.length - one.length))
    if (first !== undefined) shared[componentOf(first)] ??= first;
  for (const operation of operations) {
    operation.parameters = (operation.parameters as oas31.ParameterObject[] | undefined)?.map((one) =>
      JSON.stringify(shared[componentOf(one)]) === JSON.stringify(one)
        ? { $ref: `#/components/parameters/${componentOf(one)}` }
        : one,
    ) as NonNullable<oas31.OperationObject["parameters"]>;
  }
  return { ...document, components: { ...document.components, parameters: shared } };
}

/** The name of a parameter as a component, in the letters that such a name may have. */
const componentOf = ({ name }: oas31.ParameterObject): string => name.replaceAll(/[^\w.-]+/g, ".").replace(/\.$/, "");

/** Leaves out the descriptions of a selection's fields that the item's own schema tells already. */
function describeOnce(document: Document): Document {
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {}))
    if (name.endsWith("Selection")) for (const field of fieldsOf(schema as oas31.SchemaObject)) silence(field);
  return document;
}

function silence(schema: oas31.SchemaObject | oas31.ReferenceObject): void {
  const fields = fieldsOf(schema);
  // A field without a type is an id or the record in its place: the item does not tell that.
  if ("type" in schema) delete schema.description;
  for (const field of fields) silence(field);
}

function fieldsOf(schema: oas31.SchemaObject | oas31.ReferenceObject) {
  const { properties = {}, items } = schema as oas31.SchemaObject;
  return [...Object.values(properties), ...(items === undefined ? [] : [items])] as oas31.SchemaObject[];
}
