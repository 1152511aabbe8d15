import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { projectFolders } from "@intents/infra/bundle.ts";
import * as z from "zod";

/** The reason why an event cannot be replayed or recorded, in one line for the person who asked. */
export class Unreplayable extends Error {}

/** The folder of the recorded events, in which the files named by `setup` are as well. */
export const EVENTS = join(projectFolders.root, "events");

const EventFile = z.strictObject({
  /** The function that gets the event, by the name of its bundle. */
  function: z.string().regex(/^[a-z][a-z-]*$/, "must be the name of a function"),
  /** Files below events/ that are replayed first, in this order; placeholders take values from their answers. */
  setup: z.array(z.string()).exactOptional(),
  /** Required parts of the answer; `null` when there is none. */
  expect: z.record(z.string(), z.unknown()).nullable().exactOptional(),
  event: z.record(z.string(), z.unknown()),
});
export type EventFile = z.infer<typeof EventFile>;

/**
 * Reads an event file; with `bareFor`, a file that holds the event alone, as other tools take it, for that function.
 * Throws Unreplayable when there is none or it is not one.
 */
export function readEventFile(path: string, bareFor?: string): EventFile {
  const content = parseJson(path, readText(path));
  const parsed = EventFile.safeParse(bareFor === undefined ? content : { function: bareFor, event: content });
  if (parsed.success) {
    const { function: name } = parsed.data;
    if (existsSync(join(projectFolders.functions, `${name}.ts`))) return parsed.data;
    throw new Unreplayable(`${path} is for ${name}: there is no such function`);
  }
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".") || "the file"}: ${issue.message}`);
  const bare = bareFor === undefined ? " (an event alone needs --function NAME)" : "";
  throw new Unreplayable(`${path} is not an event file: ${problems.join("; ")}${bare}`);
}

export const setupPath = (name: string): string => resolve(EVENTS, name);

/** The name under which placeholders find an answer: `createQuote` for `rates/createQuote.company.json`. */
export const answerName = (path: string): string => basename(path).split(".")[0] ?? "";

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Unreplayable(`${path} cannot be read: ${String((error as NodeJS.ErrnoException).code)}`);
  }
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Unreplayable(`${path} is not JSON: ${String((error as Error).message)}`);
  }
}

/** The values of placeholders: answers by name, and a few values that are made for each replay. */
export type Values = Readonly<Record<string, unknown>>;

export const PLACEHOLDER = /\{\{([\w.]+)\}\}/g;
const WHOLE = /^\{\{([\w.]+)\}\}$/;

/**
 * The event as its function gets it: placeholders filled, a `body` that is an object written as JSON, and the body of a
 * request, unless it is base64 already, encoded as the gateway does. Throws Unreplayable for an unknown placeholder.
 */
export function toEvent(event: EventFile["event"], values: Values): Record<string, unknown> {
  const filled = fill(event, values, false) as Record<string, unknown>;
  const { body, isBase64Encoded } = filled;
  if (typeof body !== "string" || isBase64Encoded !== false) return filled;
  return { ...filled, body: Buffer.from(body).toString("base64"), isBase64Encoded: true };
}

function fill(node: unknown, values: Values, inBody: boolean): unknown {
  if (typeof node === "string") {
    const [, path] = WHOLE.exec(node) ?? [];
    // A number stays a number in a body; in paths, headers and parameters it becomes text.
    return inBody && path !== undefined ? valueAt(values, path) : fillText(node, values);
  }
  if (Array.isArray(node)) return node.map((item) => fill(item, values, inBody));
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).map(([name, value]): [string, unknown] =>
    name === "body" && !inBody && typeof value === "object" && value !== null
      ? [name, JSON.stringify(fill(value, values, true))]
      : [name, fill(value, values, inBody)],
  );
  return Object.fromEntries(entries);
}

/** `text` with each placeholder's value in its place. */
export const fillText = (text: string, values: Values): string =>
  text.replaceAll(PLACEHOLDER, (_, path: string) => String(valueAt(values, path)));

/** The value at a dotted path of `values`; the step `last` takes the last part of an address. */
export function valueAt(values: Values, path: string): unknown {
  const value = path.split(".").reduce<unknown>((node, step) => {
    if (typeof node === "string") return step === "last" ? node.split("/").at(-1) : undefined;
    return typeof node === "object" && node !== null && Object.hasOwn(node, step) ? (node as Values)[step] : undefined;
  }, values);
  if (value !== undefined) return value;
  throw new Unreplayable(`{{${path}}} stands for nothing: known are ${Object.keys(values).join(", ")}`);
}
