import type { Failure } from "@intents/domain/failure.ts";
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX, type ListQuery } from "@intents/domain/list-query.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import type { APIGatewayProxyEvent } from "aws-lambda";
import qs from "qs";

const SKIP_MAX = 1_000_000;
const FILTER_DEPTH_MAX = 10;
const parameters = new Set(["filter", "skip", "limit"]);

/** The query of a list endpoint, or one problem per parameter that is wrong. */
export function parseListQuery(event: APIGatewayProxyEvent): Result<ListQuery, Failure> {
  const query = parseQuery(event);
  const problems = Object.keys(query)
    .filter((name) => !parameters.has(name))
    .map((name) => `${name} is not a parameter of this list`);
  const filter = toFilter(query["filter"], problems);
  const skip = toInteger("skip", query["skip"], { fallback: 0, max: SKIP_MAX }, problems);
  const limit = toInteger("limit", query["limit"], { fallback: LIST_LIMIT_DEFAULT, max: LIST_LIMIT_MAX }, problems);
  return problems.length > 0 ? fail({ kind: "shape", problems }) : ok({ filter, skip, limit });
}

/** API Gateway hands over decoded pairs; they are put together again, so that one parser sees them all. */
function parseQuery(event: APIGatewayProxyEvent): Record<string, unknown> {
  const pairs = Object.entries(event.multiValueQueryStringParameters ?? {}).flatMap(([key, values]) =>
    (values ?? []).map(
      (value) => `${encodeURIComponent(key.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`,
    ),
  );
  return qs.parse(pairs.join("&"), {
    allowDots: true,
    depth: FILTER_DEPTH_MAX,
    plainObjects: true,
    parameterLimit: 1000,
  });
}

function toFilter(filter: unknown, problems: string[]): Record<string, string> {
  if (filter === undefined) return {};
  if (typeof filter !== "object" || filter === null || Array.isArray(filter)) {
    problems.push("filter must be an object, such as filter[status]=draft");
    return {};
  }
  return Object.fromEntries(leaves(filter, [], problems));
}

/** Every leaf of a nested filter with its dotted path. */
function leaves(node: object, path: readonly string[], problems: string[]): [string, string][] {
  return Object.entries(node).flatMap(([key, value]): [string, string][] => {
    const at = [...path, key];
    if (key.startsWith("$")) {
      problems.push(`filter.${at.join(".")} is not supported`);
      return [];
    }
    if (typeof value === "string") return [[at.join("."), value]];
    return typeof value === "object" && value !== null ? leaves(value, at, problems) : [];
  });
}

function toInteger(name: string, value: unknown, range: { fallback: number; max: number }, problems: string[]): number {
  if (value === undefined) return range.fallback;
  const number = typeof value === "string" && /^\d{1,7}$/.test(value) ? Number(value) : Number.NaN;
  if (number <= range.max) return number;
  problems.push(`${name} must be an integer between 0 and ${range.max}`);
  return range.fallback;
}
