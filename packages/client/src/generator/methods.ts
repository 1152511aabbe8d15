import { type Document, type Endpoint, endpointsOf, type Parameter, refOf, type Schema } from "./document.ts";
import { methodOf, optionOf, resourceOf } from "./names.ts";
import { commentOf, typeOf } from "./types.ts";

/** A method's types as they are written, and its row of the table of routes. */
export type Method = Readonly<{ resource: string; tag: string; name: string; declaration: string; row: string }>;

export const methodsOf = (document: Document): Method[] =>
  endpointsOf(document).map((endpoint) => {
    const { operation } = endpoint;
    const taken = takenBy(endpoint, document);
    const given = givenBy(endpoint, document);
    const name = methodOf(endpoint);
    const { headers, options } = headersOf(endpoint);
    const doc = commentOf([`${operation.summary}.`, operation.description], "  ");
    const declare = (query: string, result: string) => {
      const wanted = taken.query === undefined ? taken.parameters : [...taken.parameters, query];
      return `  ${name}(${[...wanted, options].join(", ")}): ${result};\n`;
    };
    const declarations =
      given.selected === undefined
        ? [declare(`query${taken.optional}: ${taken.query}`, given.result)]
        : [
            declare(`query?: Whole<${taken.query}>`, given.result),
            declare(`query: ${taken.query}`, `List<${given.selected}>`),
          ];
    const row = [
      `on: ${JSON.stringify(endpoint.on)}`,
      ...taken.row,
      ...given.row,
      ...("201" in operation.responses ? ["creates: true"] : []),
      ...(headers === "" ? [] : [`headers: { ${headers} }`]),
    ];
    return {
      resource: resourceOf(endpoint),
      tag: operation.tags[0] ?? "",
      name,
      declaration: doc + declarations.join(""),
      row: `    ${name}: { ${row.join(", ")} },\n`,
    };
  });

type Taken = Readonly<{ parameters: string[]; query?: string; optional: string; row: string[] }>;

/** A method's arguments: the parameters of the path, then a body, a form or a query. */
function takenBy({ path, operation }: Endpoint, document: Document): Taken {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => {
    const { schema } = operation.parameters?.find((one) => one.in === "path" && one.name === name) ?? { schema: {} };
    // Ids of payees are numbers in bodies.
    return `${name}: ${refOf(schema) ?? "string | number"}`;
  });
  const [[type = "", { schema }] = ["", { schema: {} }]] = Object.entries(operation.requestBody?.content ?? {});
  if (type === "application/json")
    return { parameters: [...parameters, `body: ${typeOf(schema)}`], optional: "", row: ['takes: "json"'] };
  if (type === "multipart/form-data") {
    const form = document.components.schemas[refOf(schema) ?? ""] ?? schema;
    return {
      parameters: [...parameters, `form: ${typeOf(form, "  ")}`],
      optional: "",
      row: ['takes: "form"', filesOf(form)],
    };
  }
  const asked = operation.parameters?.filter((one) => one.in === "query" && !one.name.includes("[")) ?? [];
  if (asked.length === 0) return { parameters, optional: "", row: [] };
  const page = pageOf({ operation }, document);
  const isList = page !== undefined && !page.isFeed;
  const own = !isList ? asked : asked.filter(({ name }) => !everyList.has(name));
  const ownType = own.length === 0 ? [] : [typeOf(objectFrom(own), "  ")];
  const query = [...(isList ? [`Query<${page.item}>`] : []), ...ownType].join(" & ");
  return { parameters, query, optional: asked.some(({ required }) => required) ? "" : "?", row: ['takes: "query"'] };
}

/** The query parameters of every list, which `Query` describes. */
const everyList: ReadonlySet<string> = new Set(["filter", "skip", "cursor", "limit", "sort", "projection"]);

const objectFrom = (parameters: readonly Parameter[]): Schema => ({
  type: "object",
  properties: Object.fromEntries(
    parameters.map(({ name, schema, description }) => [
      name,
      { ...schema, ...(description !== undefined && { description }) },
    ]),
  ),
  required: parameters.flatMap(({ name, required }) => (required === true ? [name] : [])),
});

const isFile = ({ format }: Schema): boolean => format === "binary";
const filesOf = ({ properties = {} }: Schema): string =>
  `files: ${JSON.stringify(Object.entries(properties).flatMap(([name, part]) => (isFile(part) ? [name] : [])))}`;

type Given = Readonly<{ result: string; selected?: string; row: string[] }>;

/** A method's result: the data of the answer, a file, or a list. */
function givenBy(endpoint: Pick<Endpoint, "operation">, document: Document): Given {
  const page = pageOf(endpoint, document);
  if (page !== undefined) {
    const { list, item, selected, isFeed } = page;
    const gives = `list: ${JSON.stringify(list)}${isFeed ? ", feed: true" : ""}`;
    return { result: `List<${item}>`, ...(!isFeed && { selected }), row: [`gives: { ${gives} }`] };
  }
  const answer = answerOf(endpoint, document);
  if (answer === undefined) return { result: "Promise<File>", row: ['gives: "file"'] };
  return { result: `Promise<${typeOf(answer.properties?.["data"] ?? {}, "  ")}>`, row: [] };
}

/** The schema of a successful answer in JSON. */
function answerOf({ operation }: Pick<Endpoint, "operation">, document: Document): Schema | undefined {
  const { content = {} } = operation.responses["200"] ?? operation.responses["201"] ?? {};
  const schema = content["application/json"]?.schema;
  return schema && (document.components.schemas[refOf(schema) ?? ""] ?? schema);
}

/** The list of a page: its name, and the type of its items, whole and selected. */
function pageOf(endpoint: Pick<Endpoint, "operation">, document: Document) {
  const { properties = {} } = answerOf(endpoint, document) ?? {};
  const [[list = "", { items = {} }] = ["", {} as Schema]] = Object.entries(properties["data"]?.properties ?? {});
  if (!("nextCursor" in properties)) return undefined;
  const [item = "unknown", selected = item] = (items.anyOf ?? [items]).map((one) => typeOf(one, "  "));
  return { list, item, selected, isFeed: !("total" in properties) };
}

/** The headers that a caller may set, as options. The client keeps no answers: it has no use for 304. */
function headersOf({ operation }: Endpoint) {
  const known = operation.parameters?.filter((one) => one.in === "header" && one.name !== "If-None-Match") ?? [];
  const fields = objectFrom(known.map((one) => ({ ...one, name: optionOf(one.name) })));
  return {
    headers: known.map(({ name }) => `${optionOf(name)}: ${JSON.stringify(name)}`).join(", "),
    options: `options?: Options${known.length === 0 ? "" : ` & ${typeOf(fields, "  ")}`}`,
  };
}
