import type { ListKind } from "@intents/domain/lists/resources.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eventFor } from "../../test/event-fixture.ts";
import { parseListQuery } from "./query.ts";

type Query = Readonly<Record<string, string[]>>;

/** The query as API Gateway hands it over: names and values decoded. */
const parse = (query: Query | null, kind: ListKind = "INTENT") =>
  parseListQuery(eventFor("GET /v2/students", { multiValueQueryStringParameters: query }), kind);
const parsed = (query: Query | null, kind?: ListKind) => {
  const result = parse(query, kind);
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
};
const problemsOf = (query: Query, kind?: ListKind) => {
  const result = parse(query, kind);
  return !result.ok && result.failure.kind === "shape" ? result.failure.problems : [];
};

test("a list without a query is its first 50 records, the newest first", () => {
  expect(parsed(null)).toEqual({ filter: {}, sort: [], population: [], skip: 0, limit: 50, stripped: [] });
});

describe("limit and skip", () => {
  test.each([
    ["limit", "0"],
    ["limit", "1000"],
    ["skip", "0"],
    ["skip", "100000"],
  ])("%s may be %s", (name, value) => {
    expect(parsed({ [name]: [value] })).toMatchObject({ [name]: Number(value) });
  });

  test.each(["1001", "-1", "1.5", "1e2", "0x10", "", " 1", "ten", "9999999999"])("limit may not be %j", (value) => {
    expect(problemsOf({ limit: [value] })).toEqual(["limit must be an integer between 0 and 1000"]);
  });

  test.each(["100001", "-1", "٣"])("skip may not be %j, and is told of cursors", (value) => {
    const problem = "skip must be an integer between 0 and 100000: use cursor to go further";
    expect(problemsOf({ skip: [value] })).toEqual([problem]);
  });

  test("a cursor is taken as it is, once, and not together with skip", () => {
    expect(parsed({ cursor: ["abc"] })).toMatchObject({ cursor: "abc", skip: 0 });
    expect(problemsOf({ cursor: ["a"], skip: ["1"] })).toEqual(["cursor must not be sent together with skip"]);
    for (const query of [{ cursor: ["a", "b"] }, { cursor: [""] }, { "cursor[x]": ["a"] }] as Query[])
      expect(problemsOf(query)).toEqual(["cursor must be the nextCursor of an earlier page"]);
  });

  test.each([[{ limit: ["1", "2"] }], [{ "limit[]": ["1"] }], [{ "limit[a]": ["1"] }]])(
    "is not taken from %j",
    (query) => {
      expect(problemsOf(query)).toEqual(["limit must be an integer between 0 and 1000"]);
    },
  );
});

describe("a sort", () => {
  test.each([
    ["createdAt", [{ path: "createdAt", descending: false }]],
    ["-createdAt", [{ path: "createdAt", descending: true }]],
    [
      " status -recipients.0.order  _id ",
      [
        { path: "status", descending: false },
        { path: "recipients.0.order", descending: true },
        { path: "_id", descending: false },
      ],
    ],
  ])("%j is read name by name", (sort, expected) => {
    expect(parsed({ sort: [sort] }).sort).toEqual(expected);
  });
});

const notNames = [
  "",
  " ",
  "-",
  "--status",
  "status,name",
  "status\tname",
  '{"status":-1}',
  "[status]",
  "$natural",
  "payer.$where",
  "a..b",
  ".a",
  "a.",
  "9a",
  "status;drop",
  "sum(amount)",
  "naïve",
];

describe.each(["sort", "projection"])("%s", (name) => {
  const grammar = `${name} must be names of fields with spaces between them, such as status -createdAt`;

  test.each(notNames)("may not be %j", (value) => {
    expect(problemsOf({ [name]: [value] })).toEqual([grammar]);
  });

  test.each<[Query]>([
    [{ [name]: ["status", "name"] }],
    [{ [`${name}[]`]: ["status"] }],
    [{ [`${name}[status]`]: ["-1"] }],
    [{ [`${name}.status`]: ["1"] }],
    [{ [`${name}[$meta]`]: ["1"] }],
  ])("may not be given as %j", (query) => {
    expect(problemsOf(query)).toEqual([grammar]);
  });

  test("has at most ten names, each of them once", () => {
    const names = Array.from({ length: 11 }, (_, index) => `field${index}`);
    expect(problemsOf({ [name]: [names.slice(1).join(" ")] })).toEqual([]);
    expect(problemsOf({ [name]: [names.join(" ")] })).toEqual([`${name} must have at most 10 names`]);
    expect(problemsOf({ [name]: ["-status name status"] })).toEqual([`${name} names status twice`]);
  });
});

describe("a projection", () => {
  test.each([
    ["status name", { mode: "include", paths: ["_id", "id", "status", "name"] }],
    ["id", { mode: "include", paths: ["_id", "id"] }],
    ["_id", { mode: "include", paths: ["_id", "id"] }],
    ["status -_id", { mode: "include", paths: ["id", "status"] }],
    ["-id -_id payer.role", { mode: "include", paths: ["payer.role"] }],
    ["-status -payer.details", { mode: "exclude", paths: ["status", "payer.details"] }],
    ["-id", { mode: "exclude", paths: ["id"] }],
    ["id -status", { mode: "exclude", paths: ["status"] }],
  ])("%j names or excludes, and keeps the ids that it does not exclude", (projection, expected) => {
    expect(parsed({ projection: [projection] }).projection).toEqual(expected);
  });

  test("may not do both", () => {
    expect(problemsOf({ projection: ["status -name"] })).toEqual([
      "projection must either name fields or exclude them",
    ]);
  });
});

describe("a population", () => {
  test("names references and what to put in their place", () => {
    expect(
      parsed({
        "population[0][path]": ["payer.partyId"],
        "population[0][select]": ["firstName lastName"],
        "population[1][path]": ["recipients.connectorPayeeId"],
        "population[1][select][]": ["name", "countryCode"],
        "population[2][path]": ["createdFrom.paymentIntentId"],
        "population[3].path": ["subject.partyId"],
        "population[3].select[0]": ["email"],
      }).population,
    ).toEqual([
      { path: "payer.partyId", select: ["firstName", "lastName"] },
      { path: "recipients.connectorPayeeId", select: ["name", "countryCode"] },
      { path: "createdFrom.paymentIntentId", select: [] },
      { path: "subject.partyId", select: ["email"] },
    ]);
  });

  test("may stand without a place when there is one only", () => {
    expect(parsed({ "population[path]": ["payer.partyId"] }).population).toEqual([
      { path: "payer.partyId", select: [] },
    ]);
  });

  const known = "payer.partyId, subject.partyId, recipients.connectorPayeeId, createdFrom.paymentIntentId";
  test.each<[Query, string[]]>([
    [{ "population[0][path]": ["tenantId"] }, [`population.0.path must be one of ${known}`]],
    [{ "population[0][path]": ["payer.partyId", "x"] }, [`population.0.path must be one of ${known}`]],
    [{ "population[0][path][a]": ["payer.partyId"] }, [`population.0.path must be one of ${known}`]],
    [{ "population[0][select]": ["name"] }, [`population.0.path must be one of ${known}`]],
    [{ population: ["payer.partyId"] }, ["population.0 must name a path", `population.0.path must be one of ${known}`]],
    [
      { "population[0][path]": ["payer.partyId"], "population[0][model]": ["x"] },
      ["population.0.model is not path or select"],
    ],
    [
      { "population[0][path]": ["payer.partyId"], "population[1][path]": ["payer.partyId"] },
      ["population names payer.partyId twice"],
    ],
    [
      { "population[0][path]": ["payer.partyId"], "population[0][select]": ["-email"] },
      ["population.0.select must not exclude fields"],
    ],
    [
      { "population[0][path]": ["payer.partyId"], "population[0][select][$where]": ["1"] },
      ["population.0.select must be names of fields with spaces between them, such as status -createdAt"],
    ],
  ])("is refused as %j", (query, problems) => {
    expect(problemsOf(query)).toEqual(problems);
  });

  test("has nothing to name where items refer to nothing", () => {
    expect(problemsOf({ "population[0][path]": ["payer.partyId"] }, "STUDENT")).toEqual([
      "population.0.path must be left out: nothing here refers to another record",
    ]);
  });
});

describe("a parameter that a parser would lose is refused by name", () => {
  test.each([
    ["filter[status", "filter[status is not a name with brackets or dots"],
    ["filter[status]]", "filter[status]] is not a name with brackets or dots"],
    ["filter[status]x", "filter[status]x is not a name with brackets or dots"],
    ["filter[a[b]]", "filter[a[b]] is not a name with brackets or dots"],
    ["filter..status", "filter..status is not a name with brackets or dots"],
    ["filter[__proto__][x]", "filter[__proto__][x] is not a name with brackets or dots"],
    ["__proto__", "__proto__ is not a name with brackets or dots"],
    ["", " is not a name with brackets or dots"],
    ["[status]", "[status] is not a name with brackets or dots"],
    ["filters[status]", "filters is not a parameter of this list"],
    ["constructor", "constructor is not a parameter of this list"],
    ["offset", "offset is not a parameter of this list"],
    ["LIMIT", "LIMIT is not a parameter of this list"],
  ])("%s", (key, problem) => {
    expect(problemsOf({ [key]: ["1"] })).toEqual([problem]);
  });

  test("entries below [] that may be of one element or of several", () => {
    const problems = ["filter[$or][] must be numbered, as in filter[$or][0]"];
    expect(problemsOf({ "filter[$or][][status]": ["draft", "failed"] })).toEqual(problems);
    expect(problemsOf({ "filter[$or][][status]": ["draft"], "filter[$or][].name": ["x"] })).toEqual(problems);
    expect(parsed({ "filter[$or][][status]": ["draft"] }).filter).toEqual({ $or: [{ status: "draft" }] });
  });

  test("the 1001st parameter", () => {
    const names = Array.from({ length: 1000 }, (_, index) => `filter[field${index}]`);
    const query = Object.fromEntries(names.map((name) => [name, ["1"]]));
    expect(Object.keys(parsed(query).filter)).toHaveLength(1000);
    expect(parsed({ "filter[status]": names }).filter).toEqual({ status: { $in: names } });
    const problems = ["query must have at most 1000 parameters"];
    expect(problemsOf({ ...query, limit: ["1"] })).toEqual(problems);
    expect(problemsOf({ "filter[status]": [...names, "1"] })).toEqual(problems);
  });
});

test("all problems of a query come together", () => {
  const query = {
    "filter[status": ["a"],
    "filter[status][$regx]": ["a"],
    "filter[$or]": ["1"],
    sort: ["a,b"],
    projection: ["a -b"],
    "population[0][path]": ["x"],
    skip: ["x"],
    limit: ["x"],
    other: ["x"],
  };
  const named = problemsOf(query).map((problem) => problem.split(" ")[0]);
  expect(named.toSorted()).toEqual([
    "filter.$or",
    "filter.status.$regx",
    "filter[status",
    "limit",
    "other",
    "population.0.path",
    "projection",
    "skip",
    "sort",
  ]);
});

test("whatever a query holds is either a query or a shape problem", () => {
  const names = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.stringMatching(/^(filter|skip|limit|sort|projection|population)[[\].$a-z0_]{0,12}$/),
    fc
      .array(fc.constantFrom("[$or]", "[0]", "[]", "[status]", ".a", "[$in]", "[$not]", "[$elemMatch]", "[$where]"))
      .map((parts) => `filter${parts.join("")}`),
  );
  fc.assert(
    fc.property(fc.dictionary(names, fc.array(fc.string({ unit: "binary" }), { maxLength: 3 })), (query) => {
      const result = parse(query);
      expect(result.ok ? "query" : result.failure.kind).toMatch(/^(query|shape)$/);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ["brackets", `filter${"[$and][0]".repeat(5_000)}[status]`],
  ["dots", `filter${".a".repeat(20_000)}`],
  ["dots in a bracket", `filter[${"a.".repeat(20_000)}a]`],
  ["names", `filter${"[a]".repeat(15_000)}`],
  ["places", `filter[$or]${"[0]".repeat(15_000)}[status]`],
])("45 KB of nested %s are cut in no time", (_, key) => {
  const started = performance.now();
  expect(parsed({ [key]: ["1"], "filter[status]": ["draft"] })).toMatchObject({ filter: { status: "draft" } });
  // A parser that compares every pair of their parts takes minutes.
  expect(performance.now() - started).toBeLessThan(20_000);
});
