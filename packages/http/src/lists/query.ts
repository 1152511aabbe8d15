import { toWord } from "@intents/contract/problems.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX, LIST_SKIP_MAX, type ListQuery } from "@intents/domain/lists/query.ts";
import { type ListKind, listResources } from "@intents/domain/lists/resources.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import type { APIGatewayProxyEvent } from "aws-lambda";
import qs from "qs";
import { type Given, isGiven, type Part, readFilter } from "./filter.ts";
import { type Parameters, spellOut } from "./json.ts";
import { toPopulation, toProjection, toSort } from "./names.ts";

/**
 * The most parameters of a query. The parser would cut off further ones, and a filter that loses a part matches more.
 */
const PARAMETERS_MAX = 1000;
/**
 * The most brackets of a name: enough for any filter that is not cut for its depth, with a place in a list at every
 * level.
 */
const BRACKETS_MAX = 32;
const parameters = ["filter", "skip", "cursor", "limit", "sort", "projection", "population"];

/** The query of a list endpoint, or every problem of it, each opening with the name of its parameter. */
export function parseListQuery(event: APIGatewayProxyEvent, kind: ListKind): Result<ListQuery, Failure> {
  const problems: string[] = [];
  const sent = spellOut(event.multiValueQueryStringParameters ?? {}, BRACKETS_MAX, problems);
  const count = Object.values(sent).reduce((sum, values) => sum + (values?.length ?? 0), 0);
  if (count > PARAMETERS_MAX) {
    return fail({ kind: "shape", problems: [`query must have at most ${PARAMETERS_MAX} parameters`] });
  }
  const query = putTogether(sent);
  const unknown = Object.keys(query).filter((name) => !parameters.includes(name));
  problems.push(...keyProblems(sent), ...unknown.map((name) => `${toWord(name)} is not a parameter of this list`));
  const filter = readFilter(kind, toObject(query["filter"], problems));
  problems.push(...filter.problems);
  const cursor = toCursor(query["cursor"], problems);
  if (cursor !== undefined && query["skip"] !== undefined) problems.push("cursor must not be sent together with skip");
  const projection = toProjection(query["projection"], problems);
  const parsed: ListQuery = {
    filter: filter.filter,
    sort: toSort(query["sort"], problems),
    ...(projection !== undefined && { projection }),
    population: toPopulation(query["population"], listResources[kind].populations, problems),
    skip: toSkip(query["skip"], problems),
    ...(cursor !== undefined && { cursor }),
    limit: toInteger("limit", query["limit"], { fallback: LIST_LIMIT_DEFAULT, max: LIST_LIMIT_MAX }, problems),
    stripped: filter.stripped,
  };
  return problems.length > 0 ? fail({ kind: "shape", problems }) : ok(parsed);
}

/** Whether a name is well-formed: its brackets match, and it is not the name that no object can have. */
const isSound = (key: string): boolean => SOUND.test(key) && !key.includes("__proto__");
const SOUND = /^[^[\].]+(\[[^[\]]*\]|\.[^[\].]+)*$/;

/**
 * The problems of names that a parser would silently skip: a filter must not lose a part, because it then matches more.
 */
function keyProblems(sent: Parameters): string[] {
  const malformed = Object.keys(sent).filter((key) => !isSound(key));
  // Two entries below `[]` may belong to one element or to two: nobody can tell which.
  const unnumbered = Object.entries(sent).flatMap(([key, values = []]) => {
    const list = /^(.*?)\[\][[.]/.exec(key)?.[1];
    return list === undefined ? [] : values.map(() => list);
  });
  const ambiguous = new Set(unnumbered.filter((list, index) => unnumbered.indexOf(list) !== index));
  return [
    ...malformed.map((key) => `${toWord(key)} is not a name with brackets or dots`),
    ...[...ambiguous].map((list) => `${toWord(list)}[] must be numbered, as in ${toWord(list)}[0]`),
  ];
}

/** Turns brackets and dots into objects. Places in lists stay names, so that none of them gets lost or moved. */
function putTogether(sent: Parameters): Given {
  const sound = Object.fromEntries(Object.entries(sent).filter(([key]) => isSound(key)));
  const options = { allowDots: true, depth: BRACKETS_MAX, parseArrays: false, plainObjects: true } as const;
  // The values are parsed already, only the names are not. They may be lists, though the types of qs do not allow it.
  return qs.parse(sound as Record<string, never>, options) as Given;
}

function toObject(filter: Part | undefined, problems: string[]): Given {
  if (filter === undefined) return {};
  if (isGiven(filter) && !Object.keys(filter).some((name) => /^\d+$/.test(name))) return filter;
  problems.push('filter must be one object, such as filter[status]=draft or filter={"status":"draft"}');
  return {};
}

/** The records to skip. Far into a list only a cursor leads, whose pages all cost the same. */
function toSkip(given: Part | undefined, problems: string[]): number {
  const refused: string[] = [];
  const skip = toInteger("skip", given, { fallback: 0, max: LIST_SKIP_MAX }, refused);
  problems.push(...refused.map((problem) => `${problem}: use cursor to go further`));
  return skip;
}

function toCursor(given: Part | undefined, problems: string[]): string | undefined {
  if (given === undefined) return undefined;
  const [text, ...others] = Array.isArray(given) ? given : [];
  if (typeof text === "string" && text !== "" && others.length === 0) return text;
  problems.push("cursor must be the nextCursor of an earlier page");
  return undefined;
}

function toInteger(
  name: string,
  given: Part | undefined,
  range: { fallback: number; max: number },
  problems: string[],
): number {
  if (given === undefined) return range.fallback;
  const text = Array.isArray(given) && given.length === 1 ? String(given[0]) : "";
  const number = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= range.max) return number;
  problems.push(`${name} must be an integer between 0 and ${range.max}`);
  return range.fallback;
}
