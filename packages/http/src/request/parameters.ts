import { isStrict, parametersOf } from "@intents/contract/parameters.ts";
import { toWord } from "@intents/contract/problems.ts";
import type { Route } from "@intents/contract/route.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { parseShape } from "./body.ts";

/** The plain query parameters of a request, as the route's schema reads them. Of a repeated one a page takes the last. */
export function parseParameters(route: Route, event: APIGatewayProxyEvent): Result<unknown, Failure> {
  const schema = parametersOf(route);
  if (schema === undefined) return ok(undefined);
  const sent = Object.entries(event.multiValueQueryStringParameters ?? {});
  const values = sent.map(([name, texts = []]) => [name, texts.at(-1) ?? ""] as const);
  const parsed = parseShape(schema, Object.fromEntries(values), "query");
  const repeated = sent.filter(([, texts = []]) => isStrict(route) && texts.length > 1);
  if (repeated.length === 0) return parsed;
  const problems = parsed.ok || parsed.failure.kind !== "shape" ? [] : parsed.failure.problems;
  return fail({
    kind: "shape",
    problems: [...problems, ...repeated.map(([name]) => `${toWord(name)} must be given once`)],
  });
}
