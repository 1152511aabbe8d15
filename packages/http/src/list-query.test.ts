import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eventFor } from "./event-fixture.ts";
import { parseListQuery } from "./list-query.ts";

/** The query as API Gateway hands it over: names and values decoded. */
const parse = (query: Readonly<Record<string, string[]>> | null) =>
  parseListQuery(eventFor("GET /v2/students", { multiValueQueryStringParameters: query }));
const problemsOf = (query: Readonly<Record<string, string[]>>) => {
  const parsed = parse(query);
  return !parsed.ok && parsed.failure.kind === "shape" ? parsed.failure.problems : [];
};

test("a list without a query is its first 50 records", () => {
  expect(parse(null)).toEqual({ ok: true, value: { filter: {}, skip: 0, limit: 50 } });
});

describe("limit and skip", () => {
  test.each([
    ["limit", "0"],
    ["limit", "1000"],
    ["skip", "0"],
    ["skip", "1000000"],
  ])("%s may be %s", (name, value) => {
    expect(parse({ [name]: [value] })).toMatchObject({ ok: true, value: { [name]: Number(value) } });
  });

  test.each([
    ...["1001", "-1", "1.5", "1e2", "0x10", "", " 1", "ten", "9999999999"].map(
      (value) => ["limit", value, 1000] as const,
    ),
    ...["1000001", "-1", "٣"].map((value) => ["skip", value, 1_000_000] as const),
  ])("%s may not be %j", (name, value, max) => {
    expect(problemsOf({ [name]: [value] })).toEqual([`${name} must be an integer between 0 and ${max}`]);
  });

  test("may be given once only", () => {
    expect(problemsOf({ limit: ["1", "2"], skip: ["1", "2"] })).toHaveLength(2);
  });
});

describe("a filter", () => {
  const name = fc.stringMatching(/^[a-z]{1,8}$/).filter((word) => !(word in {}));
  const path = fc.array(name, { minLength: 1, maxLength: 5 });
  const value = fc.string({ unit: "grapheme" });

  test("means the same in brackets and in dots, and keeps its value to the letter", () => {
    fc.assert(
      fc.property(path, value, (names, wanted) => {
        const expected = { ok: true, value: { filter: { [names.join(".")]: wanted }, skip: 0, limit: 50 } };
        expect(parse({ [`filter[${names.join("][")}]`]: [wanted] })).toEqual(expected);
        expect(parse({ [`filter.${names.join(".")}`]: [wanted] })).toEqual(expected);
      }),
    );
  });

  test("on several fields names each of them", () => {
    const parsed = parse({ "filter[status]": ["draft"], "filter[payer][partyId]": ["7"], limit: ["2"] });
    expect(parsed).toEqual({
      ok: true,
      value: { filter: { status: "draft", "payer.partyId": "7" }, skip: 0, limit: 2 },
    });
  });

  test("that is no object, and an operator, are each refused by name", () => {
    expect(problemsOf({ filter: ["draft"] })).toEqual(["filter must be an object, such as filter[status]=draft"]);
    expect(problemsOf({ "filter[status][$ne]": ["draft"], "filter[$where]": ["1"] })).toEqual([
      "filter.status.$ne is not supported",
      "filter.$where is not supported",
    ]);
  });

  test("cannot reach a prototype", () => {
    parse({
      "filter[__proto__][admin]": ["1"],
      "filter[constructor][prototype][admin]": ["1"],
      "__proto__[admin]": ["1"],
    });
    expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
  });
});

test("whatever a query holds is either a query or a shape problem", () => {
  const names = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^(filter|skip|limit)[[\].$a-z_]{0,12}$/));
  fc.assert(
    fc.property(fc.dictionary(names, fc.array(fc.string({ unit: "binary" }), { maxLength: 3 })), (query) => {
      const parsed = parse(query);
      expect(parsed.ok ? "query" : parsed.failure.kind).toMatch(/^(query|shape)$/);
    }),
  );
});
