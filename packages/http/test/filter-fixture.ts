import type { ListKind } from "@intents/domain/lists/resources.ts";
import fc from "fast-check";
import { parseListQuery } from "../src/lists/query.ts";
import { eventFor } from "./event-fixture.ts";

/** A query string, decoded as the gateway does it, as a query of a list. */
export function parseText(query: string, kind: ListKind = "INTENT") {
  const sent = new URLSearchParams(query);
  const multiValueQueryStringParameters = Object.fromEntries([...sent.keys()].map((key) => [key, sent.getAll(key)]));
  return parseListQuery(eventFor("GET /v2/students", { multiValueQueryStringParameters }), kind);
}

/** The filter of a query string, with what was stripped of it, or the problems. */
export function read(query: string, kind?: ListKind) {
  const parsed = parseText(query, kind);
  if (parsed.ok) return { filter: parsed.value.filter, stripped: parsed.value.stripped };
  return { problems: parsed.failure.kind === "shape" ? parsed.failure.problems : [] };
}
export const filterOf = (query: string, kind?: ListKind) => read(query, kind).filter;
/** A parameter as JSON; a text is JSON already. */
export const inJson = (value: unknown, name = "filter") =>
  `${name}=${encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value))}`;

type Node = { [name: string]: Node | string | string[] };

/** A filter in brackets, and as JSON where it can be an object: a field cannot have a value and conditions there. */
export function spellingsOf(query: string): string[] {
  const sent = new URLSearchParams(query);
  const empty = (): Node => Object.create(null);
  const root = empty();
  for (const key of new Set(sent.keys())) {
    const names = [...key.matchAll(/\[([^\]]*)\]|\.([^.[]+)/g)].map(([, inner, dotted = ""]) => inner ?? dotted);
    const isList = names.at(-1) === "" && names.pop() === "";
    const last = names.pop();
    let node: Node | string | string[] | undefined = root;
    for (const name of names) if (typeof node === "object" && !Array.isArray(node)) node = node[name] ??= empty();
    if (last === undefined || typeof node !== "object" || Array.isArray(node) || last in node) return [query];
    const values = sent.getAll(key);
    node[last] = isList || values.length > 1 ? values : (values[0] ?? "");
  }
  return [query, inJson(root)];
}
export const problemsOf = (query: string, kind?: ListKind) => read(query, kind).problems;

/** The refusal of what is no filter, in whatever form. */
export const ONE_OBJECT = 'filter must be one object, such as filter[status]=draft or filter={"status":"draft"}';

export type Tree = string | number | boolean | Tree[] | { [name: string]: Tree };
/** Conditions on `fields` with operands of all kinds. */
export const treesOf = (fields: readonly string[], value: fc.Arbitrary<Tree>) =>
  fc.letrec<{ conditions: Tree; onField: Tree }>((tie) => ({
    conditions: fc.oneof(
      { depthSize: "small" },
      fc.dictionary(fc.constantFrom(...fields), tie("onField"), { minKeys: 1, maxKeys: 2 }),
      ...["$and", "$or", "$nor"].map((name) =>
        fc.array(tie("conditions"), { minLength: 1, maxLength: 2 }).map((branches) => ({ [name]: branches })),
      ),
    ),
    onField: fc.oneof(
      { depthSize: "small" },
      value,
      value.map(($gt) => ({ $gt })),
      fc.array(value, { minLength: 1, maxLength: 3 }).map(($in) => ({ $in })),
      tie("onField").map(($not) => ({ $not })),
      tie("conditions").map(($elemMatch) => ({ $elemMatch })),
    ),
  })).conditions;
/** The pairs of a query string; `draw` gives the junk to put between them, or none. */
export function encode(node: Tree, at: string, draw: () => string | undefined): [string, string][] {
  const thrown = draw();
  const extra: [string, string][] = thrown === undefined ? [] : [[`${at}${thrown}`, "x"]];
  if (typeof node !== "object") return [[at, String(node)], ...extra];
  if (!Array.isArray(node)) {
    return [...Object.entries(node).flatMap(([name, below]) => encode(below, `${at}[${name}]`, draw)), ...extra];
  }
  const branch: [string, string][] = thrown === undefined ? [] : [[`${at}[${node.length}]${thrown}`, "x"]];
  return [...node.flatMap((below, index) => encode(below, `${at}[${index}]`, draw)), ...branch];
}
