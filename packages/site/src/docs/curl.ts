import type { Call } from "./calls.ts";
import { BASE_URL_PLACE } from "./places.ts";
import { fillPath, requestOf, SAMPLE_FILE, textOf, toQuery } from "./request.ts";

/** A call as lines of a shell, which has a variable for each part of its path. */
export function toCurl(call: Call): string {
  const { query, headers, json, form } = requestOf(call);
  const path = fillPath(call.path, (name) => `$${name}`) + toQuery(query);
  const part = form?.isMultipart === true ? "-F" : "-d";
  const implied = json === undefined && form === undefined ? "GET" : "POST";
  return [
    `curl "${BASE_URL_PLACE}${path}"`,
    ...(call.method === implied ? [] : [`-X ${call.method}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(json === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(json, null, 2))}`]),
    ...Object.entries(form?.fields ?? {}).map(([name, value]) => `${part} ${quoted(`${name}=${textOf(value)}`)}`),
    ...(form?.files ?? []).map((name) => `${part} ${quoted(`${name}=@${SAMPLE_FILE}`)}`),
  ].join(" \\\n  ");
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
