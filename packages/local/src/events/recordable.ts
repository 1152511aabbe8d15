import { isUtf8 } from "node:buffer";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { type EventFile, PLACEHOLDER, type Values, valueAt } from "./event.ts";

/** Headers of the recording client's own connection. */
const unwanted = ["connection", "content-length", "accept-encoding", "accept-language", "sec-fetch-mode"];
const hidden: Readonly<Record<string, string>> = {
  "x-api-key": "{{apiKey}}",
  "idempotency-key": "{{unique}}",
  // All recorded events have one, so that an event finds the payment that its setup has begun.
  "x-payer-secret": "what-recorded-events-have-in-place-of-a-secret",
  authorization: "***",
  cookie: "***",
  // The gateway that made the event was on a random free port.
  host: "127.0.0.1:3000",
  "x-forwarded-port": "3000",
};

/**
 * The event as it is stored: without secrets, with a readable body, and with the placeholders of `path` in place of
 * their values.
 */
export function toRecordable(event: APIGatewayProxyEvent, path: string, values: Values): EventFile["event"] {
  const { headers, multiValueHeaders, requestContext, body, isBase64Encoded, ...rest } = event;
  const restore = restorer(path, values);
  const bytes = Buffer.from(body ?? "", "base64");
  const isReadable = body !== null && isUtf8(bytes);
  return {
    ...(restore(rest) as object),
    headers: withoutSecrets(headers, (value) => value),
    multiValueHeaders: withoutSecrets(multiValueHeaders, (value) => [value]),
    requestContext: { ...requestContext, path: restore(requestContext.path) },
    body: isReadable ? readable(bytes.toString("utf8")) : body,
    isBase64Encoded: isBase64Encoded && !isReadable,
  };
}

const withoutSecrets = <Value>(headers: Readonly<Record<string, Value>>, wrap: (value: string) => unknown) =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const instead = hidden[name.toLowerCase()];
      return unwanted.includes(name.toLowerCase()) ? [] : [[name, instead === undefined ? value : wrap(instead)]];
    }),
  );

function restorer(path: string, values: Values): (node: unknown) => unknown {
  const filled = [...path.matchAll(PLACEHOLDER)].map(([placeholder, name = ""]) => {
    return { placeholder, value: String(valueAt(values, name)) };
  });
  const restore = (node: unknown): unknown => {
    if (typeof node === "string")
      return filled.reduce((text, { placeholder, value }) => text.replaceAll(value, placeholder), node);
    if (Array.isArray(node)) return node.map(restore);
    if (typeof node !== "object" || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, restore(value)]));
  };
  return restore;
}

function readable(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The file's text, pretty-printed. */
export const toEventText = (file: EventFile): string => `${toText(file, "")}\n`;

/** JSON with lists of plain values on one line, as the formatter writes them. */
function toText(node: unknown, indent: string): string {
  const inner = `${indent}  `;
  const isPlain = (item: unknown) => typeof item !== "object" || item === null;
  if (Array.isArray(node)) {
    if (node.every(isPlain)) return `[${node.map((item) => JSON.stringify(item)).join(", ")}]`;
    return `[\n${node.map((item) => inner + toText(item, inner)).join(",\n")}\n${indent}]`;
  }
  if (typeof node !== "object" || node === null) return JSON.stringify(node);
  const lines = Object.entries(node)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${inner}${JSON.stringify(name)}: ${toText(value, inner)}`);
  return lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n${indent}}`;
}
