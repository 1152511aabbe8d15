import { componentsOf, type Document, endpointsOf, type Schema } from "./document.ts";
import { commentOf, typeOf } from "./types.ts";

type Known = Readonly<{ kind: string; description: string; details: Schema; retry?: "told" | "later" }>;

/** Writes each error's details by its code or, where it has none, its status, and when to retry. */
export function writeErrors(document: Document): string {
  const byKind = Map.groupBy(errorsOf(document), ({ kind }) => kind);
  const kinds = [...byKind].toSorted(([one], [other]) => one.localeCompare(other));
  const details = kinds.map(([kind, errors]) => {
    const doc = commentOf([errors.map(({ description }) => description).join("; ")], "  ");
    return `${doc}  ${kind}: ${typeOf(merged(errors.map((error) => error.details)), "  ")};\n`;
  });
  const retries = kinds.flatMap(([kind, errors]) => {
    const [retry] = errors.flatMap((error) => (error.retry === undefined ? [] : [error.retry]));
    return retry === undefined ? [] : [`  ${kind}: ${JSON.stringify(retry)},\n`];
  });
  return [
    commentOf(["What each error tells under `details`, by its code, or by its status where it has none."]),
    `export type ErrorDetails = {\n${details.join("")}};\n\n`,
    commentOf([
      "When the same request, by the same key, may succeed: `told`: if its `Retry-After` says so; `later`: after a while.",
    ]),
    `export const retries = {\n${retries.join("")}} as const;\n`,
  ].join("");
}

/** The errors that holders of a key can meet. */
export function errorsOf(document: Document): Known[] {
  const used = componentsOf(
    endpointsOf(document).map(({ operation }) => operation.responses),
    document,
  );
  return [...used].flatMap((name) => {
    const { properties = {}, description = "", "x-retry": retry } = document.components.schemas[name] ?? {};
    const { statusCode, code, details } = properties;
    if (statusCode === undefined || details === undefined) return [];
    const kind = code === undefined ? String(statusCode.const) : JSON.stringify(code.const);
    return [{ kind, description, details, ...(retry !== undefined && { retry }) }];
  });
}

/** Merges the details of errors of one kind: a field that one of them lacks is optional. */
const merged = (all: readonly Schema[]): Schema => ({
  type: "object",
  properties: Object.assign({}, ...all.map(({ properties }) => properties)),
  required: (all[0]?.required ?? []).filter((name) => all.every(({ required = [] }) => required.includes(name))),
});
