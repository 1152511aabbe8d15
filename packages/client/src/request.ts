import { A_DURATION, isDuration } from "./machine.ts";
import { isRetriesMax, RETRIES_RANGE } from "./retries.ts";
import type { Options, Route } from "./route.ts";
import { readUpload, type Upload } from "./uploads.ts";

/** A request as it is sent, as often as it takes. */
export type Request = Readonly<{
  route: Route;
  method: string;
  /** Relative to the service's address, with its query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | FormData;
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  retriesMax?: number | undefined;
}>;

/** A method call's arguments. */
export type Call = Readonly<{ ids: readonly unknown[]; input: unknown; options: Options & Fields }>;
type Fields = Readonly<Record<string, unknown>>;

const placeholders = ({ on }: Route): string[] => [...on.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

/** The arguments of a method by what they are: ids of the path, then what it takes, then options. */
export function readArguments(route: Route, args: readonly unknown[]): Call {
  const ids = placeholders(route).length;
  const [input, options] = route.takes === undefined ? [undefined, args[ids]] : [args[ids], args[ids + 1]];
  return { ids: args.slice(0, ids), input, options: (options ?? {}) as Call["options"] };
}

export async function toRequest(route: Route, { ids, input, options }: Call, newKey: () => string): Promise<Request> {
  const [method = "", path = ""] = route.on.split(" ");
  const { signal, timeoutMs, retriesMax } = options;
  if (timeoutMs !== undefined && !isDuration(timeoutMs)) throw new TypeError(`timeoutMs ${A_DURATION}`);
  if (retriesMax !== undefined && !isRetriesMax(retriesMax)) throw new TypeError(`retriesMax ${RETRIES_RANGE}`);
  const sent = {
    ...options,
    ...("idempotencyKey" in (route.headers ?? {}) && { idempotencyKey: keyOf(options, newKey) }),
  };
  const headers = Object.entries(route.headers ?? {}).flatMap(([option, header]) => {
    const value = (sent as Fields)[option];
    return value === undefined ? [] : [[header, toHeader(option, value)]];
  });
  const fields = (input ?? {}) as Fields;
  return {
    route,
    method,
    path: fill(path, placeholders(route), ids) + (route.takes === "query" ? toQuery(fields) : ""),
    headers: {
      ...otherHeaders(options, route),
      ...Object.fromEntries(headers),
      ...(route.takes === "json" && { "Content-Type": "application/json" }),
    },
    ...(route.takes === "json" && { body: JSON.stringify(fields) }),
    ...(route.takes === "form" && { body: await toForm(fields, route.files ?? [], signal) }),
    ...("idempotencyKey" in sent && { idempotencyKey: sent.idempotencyKey as string }),
    signal,
    timeoutMs,
    retriesMax,
  };
}

/** The caller's own headers. One that the client sets would go beside it, and both would be read as one. */
function otherHeaders({ headers = {} }: Options, route: Route): Record<string, string> {
  const given = new Headers(headers);
  for (const name of ["X-API-Key", "Content-Type", "Idempotency-Key", ...Object.values(route.headers ?? {})])
    if (given.has(name)) throw new TypeError(`headers must not have ${name}, which the client sets`);
  return Object.fromEntries(given);
}

/** A key that is null, as one that was never stored, is no wish for a new one. */
const keyOf = ({ idempotencyKey }: Fields, newKey: () => string): unknown =>
  idempotencyKey === undefined ? newKey() : idempotencyKey;

/** An option as a header. What is none would be taken for a connection that fails, and tried again and again. */
function toHeader(option: string, value: unknown): string {
  const isFit =
    typeof value === "boolean" || (typeof value === "string" && /^[\x21-\x7e][\x20-\x7e]{0,254}$/.test(value));
  if (!isFit) throw new TypeError(`${option} must be 1 to 255 printable characters of ASCII, the first no space`);
  return String(value);
}

/** A path with its ids. Those that a URL would take for a step to another path are no ids. */
function fill(path: string, names: readonly string[], ids: readonly unknown[]): string {
  return names.reduce((filled, name, index) => {
    const id = ids[index];
    if (!(typeof id === "string" || typeof id === "number") || /^\.{0,2}$|\p{Cs}/u.test(String(id))) {
      throw new TypeError(`${name} must be the id of something, not ${JSON.stringify(id)}`);
    }
    return filled.replace(`{${name}}`, () => encodeURIComponent(id));
  }, path);
}

const given = (fields: Fields): [string, unknown][] =>
  Object.entries(fields).filter(([, value]) => value !== undefined);

/** A value as text: queries and forms carry what has parts as JSON. */
const textOf = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

function toQuery(fields: Fields): string {
  const query = new URLSearchParams(given(fields).map(([name, value]) => [name, textOf(value)])).toString();
  return query === "" ? "" : `?${query}`;
}

async function toForm(fields: Fields, files: readonly string[], signal?: AbortSignal): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of given(fields)) {
    if (files.includes(name)) {
      const part = await readUpload(value as Upload, signal);
      form.set(name, part.content, part.name);
    } else form.set(name, textOf(value));
  }
  return form;
}
