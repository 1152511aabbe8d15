import type { Call } from "./calls.ts";
import { BASE_URL_PLACE } from "./places.ts";
import { requestOf, SAMPLE_FILE, textOf } from "./request.ts";

/** A call as a program in Python with Requests, which has a variable for each part of its path. */
export function toPython(call: Call): string {
  const { query, headers, json, form } = requestOf(call);
  const address = `"${BASE_URL_PLACE}${call.path}"`;
  const texts = (record: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, textOf(value)]));
  const files = (form?.files ?? []).map((name) => `"${name}": open("${SAMPLE_FILE}", "rb")`);
  const given = [
    call.path.includes("{") ? `f${address}` : address,
    ...(isEmpty(query) ? [] : [`params=${toLiteral(query)}`]),
    ...(isEmpty(headers) ? [] : [`headers=${toLiteral(headers)}`]),
    ...(json === undefined ? [] : [`json=${toLiteral(json)}`]),
    ...(form === undefined || isEmpty(form.fields) ? [] : [`data=${toLiteral(texts(form.fields))}`]),
    ...(files.length === 0 ? [] : [`files={${files.join(", ")}}`]),
  ];
  const lines = given.map((argument) => `${argument.replaceAll("\n", "\n    ")},`);
  const called = `requests.${call.method.toLowerCase()}(\n    ${lines.join("\n    ")}\n)`;
  const shown = call.success?.type === "application/json" ? "answer.json()" : "answer.status_code";
  return `import requests\n\nanswer = ${called}\nprint(${shown})`;
}

const isEmpty = (record: object): boolean => Object.keys(record).length === 0;

/** The longest value that stands on one line. */
const LINE_LENGTH_MAX = 60;
const words = { true: "True", false: "False", null: "None" } as const;

/** A value as Python writes it. JSON has each value on a line of its own, and strings have no line breaks. */
function toLiteral(value: unknown): string {
  const lines = JSON.stringify(value, null, 4).replaceAll(
    /^(\s*(?:"(?:[^"\\]|\\.)*": )?)(true|false|null)(?=,?$)/gm,
    (_, before: string, word: keyof typeof words) => before + words[word],
  );
  const line = lines.replaceAll(/(?<=[{[])\n\s*|\n\s*(?=[}\]])/g, "").replaceAll(/\n\s*/g, " ");
  return line.length <= LINE_LENGTH_MAX ? line : lines;
}
