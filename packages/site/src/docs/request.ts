import type { Call } from "./calls.ts";
import { API_KEY_PLACE } from "./places.ts";
import { fieldsIn } from "./shapes.ts";

/** A sample's request, the same in every language. */
export type SampleRequest = Readonly<{
  /** The parameters of the query that the call cannot do without. */
  query: Readonly<Record<string, unknown>>;
  headers: Readonly<Record<string, string>>;
  json?: unknown;
  form?: Readonly<{ isMultipart: boolean; fields: Readonly<Record<string, unknown>>; files: readonly string[] }>;
}>;

/** The file that samples upload. */
export const SAMPLE_FILE = "passport.pdf";

/** The values of required fields outside of JSON, of which the document has no example. */
const sampleValues: Readonly<Record<string, unknown>> = {
  ownerId: "6a0c8f1e5b2d4a7c9e3f1b20",
  reportPeriod: "2026-10",
  seconds: 60,
  paymentIds: [1234567890123],
  commissionTotalAmount: "26.12",
  outcome: "pay",
};

/** Fields with their values: a field that can have but one has that. */
const valuesOf = (fields: readonly Readonly<{ name: string; values?: readonly string[] }>[]) =>
  Object.fromEntries(
    fields.map(({ name, values = [] }) => {
      const value = values.length === 1 ? values[0] : sampleValues[name];
      if (value === undefined) throw new Error(`No sample has a value for ${name}`);
      return [name, value];
    }),
  );

export function requestOf({ operation, body }: Call): SampleRequest {
  const { parameters = [], security } = operation;
  const query = parameters.filter((one) => one.in === "query" && one.required === true);
  const headers = parameters.flatMap(({ in: place, name, required, example }) =>
    place === "header" && (required === true || example !== undefined) ? [[name, String(example ?? "")] as const] : [],
  );
  const key = security.length > 0 ? [["X-API-Key", API_KEY_PLACE] as const] : [];
  return {
    query: valuesOf(query.map(({ name }) => ({ name }))),
    headers: Object.fromEntries([...key, ...headers]),
    ...sentOf(body),
  };
}

function sentOf(body: Call["body"]): Pick<SampleRequest, "json" | "form"> {
  if (body === undefined) return {};
  if (body.type === "application/json") return { json: body.example ?? {} };
  const required = fieldsIn(body.shape).filter(({ isOptional }) => !isOptional);
  return {
    form: {
      isMultipart: body.type === "multipart/form-data",
      fields: valuesOf(required.filter(({ name }) => !(name in body.files))),
      files: required.flatMap(({ name }) => (name in body.files ? [name] : [])),
    },
  };
}

/** A value as a text of a query or form: what has parts is JSON there. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** The end of an address that asks so. */
export function toQuery(query: SampleRequest["query"]): string {
  const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, textOf(value)])).toString();
  return asked === "" ? "" : `?${asked}`;
}

/** A path whose parts stand as `written` has it; samples have a variable for each. */
export const fillPath = (path: string, written: (name: string) => string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => written(name));
