import { routes } from "../../../client/src/api/routes.ts";
import type { Route } from "../../../client/src/route.ts";
import type { Call } from "./calls.ts";
import { API_KEY_PLACE, BASE_URL_PLACE } from "./places.ts";
import { fillPath, requestOf, SAMPLE_FILE, type SampleRequest, textOf, toQuery } from "./request.ts";

/** A call as a program in TypeScript, which has a variable for each part of its path: by the client, if that has it. */
export function toTypeScript(call: Call): string {
  const method = methods.get(`${call.method} ${call.path}`);
  return method === undefined ? byFetch(call) : byClient(call, method);
}

type Method = Readonly<{ name: string; route: Route }>;

/** The client's methods by what they call. */
const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries(routes as Readonly<Record<string, Readonly<Record<string, Route>>>>).flatMap(([resource, known]) =>
    Object.entries(known).map(([name, route]) => [route.on, { name: `${resource}.${name}`, route }] as const),
  ),
);

function byClient(call: Call, { name, route }: Method): string {
  const request = requestOf(call);
  const options = Object.entries(route.headers ?? {}).flatMap(([option, header]) => {
    const value = request.headers[header];
    return value === undefined ? [] : [[option, value] as const];
  });
  const ids = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, id = ""]) => id);
  const input = inputOf(request);
  const given = [
    ...ids,
    ...(input === undefined ? [] : [input]),
    ...(options.length === 0 ? [] : [toLiteral(Object.fromEntries(options))]),
  ].join(", ");
  const setUp = `${importOf("openClient", "@intents/client")}

const client = openClient({ baseUrl: "${BASE_URL_PLACE}", apiKey: "${API_KEY_PLACE}" });
`;
  return typeof route.gives === "object"
    ? `${setUp}for await (const item of client.${name}(${given})) ${PRINT}(item);`
    : `${setUp}const answer = await client.${name}(${given});\n${PRINT}(answer);`;
}

/** A method's argument after the path's parameters. */
function inputOf({ json, form, query }: SampleRequest): string | undefined {
  if (json !== undefined) return toLiteral(json);
  const files = Object.fromEntries((form?.files ?? []).map((name) => [name, SAMPLE_FILE]));
  const fields = { ...query, ...form?.fields, ...files };
  return form === undefined && Object.keys(fields).length === 0 ? undefined : toLiteral(fields);
}

/** A call that payers make, or anybody: the client is for holders of a key. */
function byFetch(call: Call): string {
  const { query, headers, json, form } = requestOf(call);
  const address = `${BASE_URL_PLACE}${fillPath(call.path, (name) => `\${${name}}`)}${toQuery(query)}`;
  const sent = json === undefined ? headers : { ...headers, "Content-Type": "application/json" };
  const parts = [
    ...(call.method === "GET" ? [] : [`method: "${call.method}"`]),
    ...(Object.keys(sent).length === 0 ? [] : [`headers: ${toLiteral(sent)}`]),
    ...(json === undefined ? [] : [`body: JSON.stringify(${toLiteral(json)})`]),
    ...(form === undefined ? [] : ["body: form"]),
  ].map((part) => `\n  ${part.replaceAll("\n", "\n  ")},`);
  const given = parts.length === 0 ? "" : `, {${parts.join("")}\n}`;
  const shown = call.success?.type === "application/json" ? "await answer.json()" : "answer.status";
  const quoted = call.path.includes("{") ? `\`${address}\`` : `"${address}"`;
  return `${form === undefined ? "" : toForm(form)}const answer = await fetch(${quoted}${given});\n${PRINT}(${shown});`;
}

function toForm({ isMultipart, fields, files }: NonNullable<SampleRequest["form"]>): string {
  if (!isMultipart) return `const form = new URLSearchParams(${toLiteral(fields)});\n`;
  const lines = [
    ...Object.entries(fields).map(([name, value]) => `form.set("${name}", ${JSON.stringify(textOf(value))});`),
    ...files.map((name) => `form.set("${name}", await openAsBlob("${SAMPLE_FILE}"), "${SAMPLE_FILE}");`),
  ];
  return `${importOf("openAsBlob", "node:fs")}\n\nconst form = new FormData();\n${lines.join("\n")}\n`;
}

const importOf = (name: string, module: string): string => `import { ${name} } from ${JSON.stringify(module)};`;

/** Samples print; nothing here does. */
const PRINT = ["console", "log"].join(".");

/** The longest value that stands on one line. */
const LINE_LENGTH_MAX = 60;

/** A value as TypeScript writes it: names without quotation marks. JSON has each field on a line of its own. */
function toLiteral(value: unknown): string {
  const lines = JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)": /gm, "$1$2: ");
  const line = lines.replaceAll(/\n\s*/g, " ");
  return line.length <= LINE_LENGTH_MAX ? line : lines;
}
