import { toWord } from "@intents/contract/problems.ts";
import { lazily, type Route } from "@intents/contract/route.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { type DocumentType, documentTypeOf } from "@intents/domain/parties/document.ts";
import { toFileName } from "@intents/domain/parties/file-name.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import type { APIGatewayProxyEvent } from "aws-lambda";
import * as z from "zod";
import { bodyBytes, parseShape } from "./body.ts";
import { type Parts, parseParts, type SentFile } from "./multipart.ts";

/** A file of a form: its content type is found from its bytes, and its name follows it. */
export type FormFile = SentFile & Readonly<{ contentType: DocumentType }>;

const noFields = lazily(() => z.object({}));

/**
 * The content of a form: its text fields as the route's schema reads them, and its files by the names of their parts.
 */
export function parseForm(route: Route, event: APIGatewayProxyEvent): Result<unknown, Failure> {
  const { form, fields = noFields } = route;
  switch (form) {
    case "urlencoded": {
      // The first value counts if a field is given twice.
      const sent = [...new URLSearchParams(bodyBytes(event).toString("utf8"))].toReversed();
      return parseShape(fields(), Object.fromEntries(sent), "body");
    }
    case "multipart":
      return parseMultipart(route, fields(), event);
    default:
      return ok(undefined);
  }
}

function parseMultipart(route: Route, schema: z.ZodType, event: APIGatewayProxyEvent): Result<unknown, Failure> {
  const { parts = {} } = route;
  const sent = parseParts(event, Math.max(...Object.values(parts).map(({ bytesMax = 0 }) => bytesMax)));
  if (!sent.ok) return sent;
  const files = Object.entries(parts).flatMap(([name, { file: expected }]) => {
    const file = sent.value.files.get(name);
    return expected === undefined || file === undefined ? [] : [{ name, expected, file }];
  });
  const fields = parseShape(schema, Object.fromEntries(sent.value.fields), "body");
  const wrong = fields.ok || fields.failure.kind !== "shape" ? [] : fields.failure.problems;
  // A file in place of a text field is reported as a file, and not as missing as well.
  const isListed = (problem: string): boolean => sent.value.files.has(partOf(problem));
  const contents = [
    ...wrong.filter((problem) => !isListed(problem)),
    ...files.filter(({ file }) => file.bytes.length === 0).map(({ name }) => `${name} must not be empty`),
  ];
  const names = Object.keys(parts);
  const inOrder = contents.toSorted((one, other) => names.indexOf(partOf(one)) - names.indexOf(partOf(other)));
  const problems = [...partProblems(sent.value, route), ...inOrder];
  if (problems.length > 0) return fail({ kind: "shape", problems });
  if (!fields.ok) return fields;

  const read: Record<string, FormFile> = {};
  for (const { name, file, expected } of files) {
    const type = documentTypeOf(file.bytes);
    const contentType = expected.find((one) => one === type);
    if (contentType === undefined) return fail({ kind: "media_type", expected });
    read[name] = { ...file, contentType, fileName: toFileName(file.fileName, contentType) };
  }
  return ok({ ...Object(fields.value), ...read });
}

/** The part that a problem is about: the first name of the path that the problem opens with. */
const partOf = (problem: string): string => problem.split(/[ .]/, 1)[0] ?? "";

/**
 * The problems of parts that the form does not have, that are files instead of text or the reverse, or that are
 * missing.
 */
function partProblems({ files, fields }: Parts, { parts = {} }: Pick<Route, "parts">) {
  const isFile = (name: string): boolean | undefined =>
    Object.hasOwn(parts, name) ? parts[name]?.file !== undefined : undefined;
  const names = [...new Set([...files.keys(), ...fields.keys()])];
  return [
    ...names.filter((name) => isFile(name) === undefined).map((name) => `property ${toWord(name)} should not exist`),
    ...names.filter((name) => isFile(name) === false && files.has(name)).map((name) => `${name} must be a text field`),
    ...Object.entries(parts)
      .filter(([name, { required }]) => isFile(name) && !files.has(name) && (required === true || fields.has(name)))
      .map(([name]) => `${name} ${fields.has(name) ? "must be a file part of the form" : "is required"}`),
  ];
}
