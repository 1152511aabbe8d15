import { toWord } from "@intents/contract/problems.ts";
import { LIST_NAMES_MAX, type Population, type Projection, type SortKey } from "@intents/domain/lists/query.ts";
import { elementsOf, type Given, isGiven, type Part } from "./filter.ts";
import type { Scalar } from "./json.ts";

const NAME = /^-?[a-z_]\w*(\.\w+)*$/i;
const GRAMMAR = "must be names of fields with spaces between them, such as status -createdAt";

type Parameter = Part | undefined;
type Named = Readonly<{ path: string; hyphen: boolean }>;

/** Names with spaces between them, each of which may begin with a hyphen (SPEC, Querying). */
function toNames(parameter: string, text: unknown, problems: string[]): readonly Named[] {
  const words = typeof text === "string" ? text.split(" ").filter((word) => word !== "") : [];
  const names = words.map((word) => ({ path: word.replace("-", ""), hyphen: word.startsWith("-") }));
  const repeated = names.find(({ path }, index) => names.findIndex((name) => name.path === path) < index);
  if (words.length === 0 || !words.every((word) => NAME.test(word))) problems.push(`${parameter} ${GRAMMAR}`);
  else if (words.length > LIST_NAMES_MAX) problems.push(`${parameter} must have at most ${LIST_NAMES_MAX} names`);
  else if (repeated !== undefined) problems.push(`${parameter} names ${repeated.path} twice`);
  else return names;
  return [];
}

/** The text of a parameter that was given once and is no object; any other value is not a text. */
const textOf = (given: Parameter): unknown => (Array.isArray(given) && given.length === 1 ? given[0] : undefined);

export const toSort = (given: Parameter, problems: string[]): readonly SortKey[] =>
  given === undefined
    ? []
    : toNames("sort", textOf(given), problems).map(({ path, hyphen }) => ({ path, descending: hyphen }));

/** The projection of a list. The names of the id stay unless they are excluded, each on its own. */
export function toProjection(given: Parameter, problems: string[]): Projection | undefined {
  if (given === undefined) return undefined;
  const names = toNames("projection", textOf(given), problems);
  const [ids, others] = [names.filter(isId), names.filter((name) => !isId(name))];
  const hyphens = new Set((others.length > 0 ? others : ids).map(({ hyphen }) => hyphen));
  if (others.length > 0 && hyphens.size > 1) problems.push("projection must either name fields or exclude them");
  const excluded = names.filter(({ hyphen }) => hyphen).map(({ path }) => path);
  if (!hyphens.has(false)) return { mode: "exclude", paths: excluded };
  const included = others.map(({ path }) => path);
  return { mode: "include", paths: [...["_id", "id"].filter((id) => !excluded.includes(id)), ...included] };
}

const isId = ({ path }: Named): boolean => path === "id" || path === "_id";

/** The references to populate: each entry names one, and the fields to put in its place. */
export function toPopulation(given: Parameter, known: readonly string[], problems: string[]): readonly Population[] {
  const entries = given === undefined ? [] : elementsOf(given);
  const population = entries.map((entry, index) => toEntry(`population.${index}`, entry, known, problems));
  const repeated = population.find(({ path }, index) => population.findIndex((other) => other.path === path) < index);
  if (repeated !== undefined && problems.length === 0) problems.push(`population names ${repeated.path} twice`);
  return population;
}

function toEntry(at: string, entry: Given | Scalar, known: readonly string[], problems: string[]): Population {
  const { path: givenPath, select, ...others } = isGiven(entry) ? entry : {};
  const path = String(textOf(givenPath) ?? "");
  if (!isGiven(entry)) problems.push(`${at} must name a path`);
  problems.push(...Object.keys(others).map((name) => `${at}.${toWord(name)} is not path or select`));
  if (!known.includes(path)) {
    const must = known.length > 0 ? `one of ${known.join(", ")}` : "left out: nothing here refers to another record";
    problems.push(`${at}.path must be ${must}`);
  }
  if (select === undefined) return { path, select: [] };
  const texts = elementsOf(select);
  const text = texts.some((element) => isGiven(element)) ? undefined : texts.join(" ");
  const names = toNames(`${at}.select`, text, problems);
  if (names.some(({ hyphen }) => hyphen)) problems.push(`${at}.select must not exclude fields`);
  return { path, select: names.map((name) => name.path) };
}
