import { toProblems } from "@intents/contract/problems.ts";
import type { Route } from "@intents/contract/route.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import type { APIGatewayProxyEvent } from "aws-lambda";
import * as z from "zod";

/** The largest size of a JSON body; files have a limit of their own. */
export const JSON_BYTES_MAX = 256 * 1024;

type Parsed = Result<unknown, Failure>;

/** The body as the route's schema reads it, or every problem it has, each with its dotted path. */
export function parseBody(route: Route, event: APIGatewayProxyEvent): Parsed {
  if (route.form !== undefined) return ok(undefined);
  const bytes = bodyBytes(event);
  if (bytes.length > JSON_BYTES_MAX) return fail({ kind: "too_large", limitBytes: JSON_BYTES_MAX });
  if (route.body === undefined && bytes.length === 0) return ok(undefined);
  const type = headerOf(event, "content-type");
  if (type?.startsWith("multipart/")) return fail({ kind: "media_type", expected: ["application/json"] });

  const json = parseJson(bytes);
  if (!json.ok) return json;
  return parseShape(route.body?.() ?? z.strictObject({}), json.value, "body");
}

/** A value in the shape that `schema` asks for; `root` names the whole of it in problems. */
export function parseShape(schema: z.ZodType, value: unknown, root: string): Parsed {
  const parsed = schema.safeParse(value);
  return parsed.success ? ok(parsed.data) : fail({ kind: "shape", problems: toProblems(parsed.error, root, value) });
}

export function bodyBytes(event: APIGatewayProxyEvent): Buffer {
  return Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8");
}

/** A header by its lower-case name: gateways pass names as the client wrote them. */
export function headerOf(event: APIGatewayProxyEvent, name: string): string | undefined {
  for (const [key, value] of Object.entries(event.headers ?? {})) {
    if (key.toLowerCase() === name) return value;
  }
  return undefined;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parseJson(bytes: Buffer): Parsed {
  if (bytes.length === 0) return fail({ kind: "shape", problems: ["body must not be empty"] });
  try {
    return ok(JSON.parse(utf8.decode(bytes)));
  } catch {
    return fail({ kind: "shape", problems: ["body must be valid JSON in UTF-8"] });
  }
}
