import type { Call } from "./calls.ts";
import { fieldsIn } from "./shapes.ts";

/** A call as lines of a shell in which `URL` and `KEY` stand, and a variable for each part of its path. */
export function toCurl({ method, path, operation, body }: Call): string {
  const { parameters = [], security } = operation;
  const headers = parameters.flatMap(({ in: place, name, example, required }) =>
    place === "header" && (required === true || example !== undefined) ? [`${name}: ${String(example ?? "")}`] : [],
  );
  const implied = body === undefined ? "GET" : "POST";
  return [
    `curl "$URL${path.replaceAll(/\{(\w+)\}/g, "$$$1")}"`,
    ...(method === implied ? [] : [`-X ${method}`]),
    ...(security.length > 0 ? ['-H "$KEY"'] : []),
    ...headers.map((header) => `-H ${quoted(header)}`),
    ...partsOf(body),
  ].join(" \\\n  ");
}

function partsOf(body: Call["body"]): string[] {
  if (body === undefined) return [];
  if (body.type === "application/json")
    return ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body.example ?? {}, null, 2))}`];
  return fieldsIn(body.shape)
    .filter(({ isOptional }) => !isOptional)
    .map(({ name, values }) => {
      const value = name in body.files ? "@passport.pdf" : (values[0] ?? "…").replaceAll('"', "");
      return `-F ${quoted(`${name}=${value}`)}`;
    });
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
