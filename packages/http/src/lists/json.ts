import { toWord } from "@intents/contract/problems.ts";

/** A single value: a text, as all values of a query are, or a null, which only JSON can write. */
export type Scalar = string | null;
/** The parameters of a query, each with all its values. */
export type Parameters = Readonly<Record<string, readonly Scalar[] | undefined>>;

type Sent = Readonly<Record<string, readonly string[] | undefined>>;
type Spelled = readonly [name: string, values: readonly Scalar[]];
type Json = Scalar | readonly Json[] | { readonly [name: string]: Json };

/** The parameters that may be given as JSON, and whether an object or a list can be theirs. */
const fits: ReadonlyMap<string, (json: object) => boolean> = new Map([
  ["filter", (json: object) => !Array.isArray(json)],
  ["population", (json: object) => Array.isArray(json)],
]);

/**
 * The parameters with JSON spelled in brackets, so that both are one language: `filter={"status":["draft"]}` becomes
 * `filter[status][0]=draft`. What does not fit its parameter stays as it is, for the parameter's own reader to refuse.
 * Values more than `levels` brackets deep are left out, because a parameter is cut there.
 */
export function spellOut(sent: Sent, levels: number, problems: string[]): Parameters {
  const spell = (at: string, [name, value]: readonly [string, Json], left: number): Spelled[] => {
    if (!/^[^[\]]+$/.test(name)) {
      problems.push(`${toWord(`${at}.${name}`)} is not the name of a field`);
      return [];
    }
    const within = `${at}[${name}]`;
    if (typeof value !== "object" || value === null) return [[within, [value]]];
    if (left === 0) return [[within, [""]]];
    const entries = Object.entries(value);
    return entries.length === 0 ? [[within, []]] : entries.flatMap((entry) => spell(within, entry, left - 1));
  };
  const spelled = Object.entries(sent).flatMap(([name, texts = []]): Spelled[] => {
    const json = jsonOf(name, sent);
    if (json === undefined) return [[name, texts]];
    return Object.entries(json).flatMap((entry) => spell(name, entry, levels));
  });
  return Object.fromEntries(spelled);
}

/** The JSON that a parameter is given as: once, in no other form beside it, and such that it fits. */
function jsonOf(name: string, sent: Sent): Exclude<Json, Scalar> | undefined {
  const fit = fits.get(name);
  const [text, ...others] = sent[name] ?? [];
  const isMixed = Object.keys(sent).some((key) => key.startsWith(`${name}[`) || key.startsWith(`${name}.`));
  if (fit === undefined || text === undefined || others.length > 0 || isMixed) return undefined;
  const json = parse(text);
  return typeof json === "object" && json !== null && fit(json) ? json : undefined;
}

/** Parses a JSON text; undefined for any other text, or one nested too deep for the parser. */
function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text, asWritten);
  } catch {
    return undefined;
  }
}

/** Numbers and truth values stay texts, to the last digit, as they are in brackets. */
const asWritten = (_name: string, value: unknown, context?: Readonly<{ source?: string }>): unknown =>
  typeof value === "number" || typeof value === "boolean" ? (context?.source ?? String(value)) : value;
