import { isStrict } from "@intents/contract/parameters.ts";
import { routes } from "@intents/contract/routes.ts";
import { expect, test } from "vitest";
import { eventFor } from "../../test/event-fixture.ts";
import { parseParameters } from "./parameters.ts";

const plain = Object.values(routes).filter(({ query }) => query === undefined);
const [strict, lenient] = [true, false].map((wanted) => plain.filter((route) => isStrict(route) === wanted));
const refused = (...problems: string[]) => ({ ok: false, failure: { kind: "shape", problems } });
const parse = (route: (typeof plain)[number], query: Record<string, string[]>) =>
  parseParameters(route, eventFor(route.on, { multiValueQueryStringParameters: query }));

/** The problems about parameters that are there, of a route that may need others. */
function problemsOf(route: (typeof plain)[number], query: Record<string, string[]>): readonly string[] {
  const parsed = parse(route, query);
  const problems = parsed.ok || parsed.failure.kind !== "shape" ? [] : parsed.failure.problems;
  return problems.filter((problem) => !problem.endsWith("is required"));
}

test.each(strict ?? [])(
  "$on refuses a parameter that it does not know, by its name, however often it is sent",
  (route) => {
    const unknown = "property surprise should not exist";
    expect(problemsOf(route, { surprise: ["1"] })).toEqual([unknown]);
    expect(problemsOf(route, { surprise: ["1", "2"] })).toEqual([unknown, "surprise must be given once"]);
    expect(problemsOf(route, { "surprise[]": ["1"] })).toEqual(["property surprise[] should not exist"]);
  },
);

test.each(lenient ?? [])("$on passes over a parameter that it does not know", (route) => {
  expect(parse(route, { utm_source: ["mail"], lang: ["fr", "en"] }).ok).toBe(true);
});

const listed = plain.filter(({ answers }) => "data" in answers && answers.listed !== undefined);
test.each(listed)("$on takes skip and limit, as every list does", (route) => {
  expect(parse(route, { skip: ["1"], limit: ["1000"] })).toEqual({ ok: true, value: { skip: 1, limit: 1000 } });
  const skip = "skip must be an integer between 0 and 100000";
  const limit = "limit must be an integer between 0 and 1000";
  expect(parse(route, { skip: ["-1"], limit: ["1001"] })).toEqual(refused(skip, limit));
  expect(parse(route, { limit: ["1", "1"] })).toEqual(refused("limit must be given once"));
});
