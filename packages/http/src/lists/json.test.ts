import { Exact } from "@intents/domain/amounts/money.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  encode,
  filterOf,
  inJson,
  ONE_OBJECT,
  parseText,
  problemsOf,
  read,
  type Tree,
  treesOf,
} from "../../test/filter-fixture.ts";

/** The suite draws a part of what the whole does. */
const PART = process.env["WHOLE"] === "1" ? 1 : 0.1;

describe("a filter as JSON", () => {
  test.each<[string, unknown, object]>([
    ["nothing", {}, {}],
    ["a text", { status: "draft" }, { status: "draft" }],
    [
      "numbers and truth values",
      { "recipients.order": 7, termsAccepted: true },
      { "recipients.order": 7, termsAccepted: true },
    ],
    ["their texts", { "recipients.order": "7", termsAccepted: "true" }, { "recipients.order": 7, termsAccepted: true }],
    ["numbers where texts are", { name: 7, status: false }, { name: "7", status: "false" }],
    [
      "numbers as they are written",
      '{"name": 1.50, "status": 12345678901234567890}',
      { name: "1.50", status: "12345678901234567890" },
    ],
    [
      "decimals to the last digit",
      '{"connectorPayment.amount": 12345678901234567890.10}',
      { "connectorPayment.amount": new Exact("12345678901234567890.1") },
    ],
    [
      "a null of any field",
      { name: null, termsAccepted: null, "payer.partyId": { $ne: null } },
      { name: null, termsAccepted: null, "payer.partyId": { $ne: null } },
    ],
    ["a null among others", { name: { $in: ["null", null] } }, { name: { $in: ["null", null] } }],
    ["the type of null", { name: { $type: null } }, { name: { $type: ["null"] } }],
    ["any of several values", { status: ["draft", "failed"] }, { status: { $in: ["draft", "failed"] } }],
    ["an element by its place", { recipients: [{ role: "tenant" }] }, { "recipients.0.role": "tenant" }],
    ["dots in names", { "payer.role.$ne": "student" }, { "payer.role": { $ne: "student" } }],
    ["escaped letters", '{"n\\u0061me": "\\u00e9"}', { name: "é" }],
    ["names of prototypes", { constructor: "1", toString: { $ne: "2" } }, { constructor: "1", toString: { $ne: "2" } }],
    [
      "what is stripped, whatever it holds",
      { $expr: { $function: { body: "", args: [] } }, password: {}, a: { $regex: null } },
      {},
    ],
  ])("%s", (_, filter, expected) => {
    expect(read(inJson(filter))).toMatchObject({ filter: expected });
  });

  test.each<[unknown, string]>([
    ...[
      "",
      "draft",
      "null",
      "7",
      '"draft"',
      "[]",
      '[{"status":"draft"}]',
      '{"status":}',
      "{'status':1}",
      "{}{}",
      '{"0":"a"}',
    ].map((text) => [text, ONE_OBJECT] as [unknown, string]),
    [{ "": 1 }, "filter. is not the name of a field"],
    [{ "a[$ne]": 1 }, "filter.a[$ne] is not the name of a field"],
    [{ a: { "b][c": 1 } }, "filter[a].b][c is not the name of a field"],
    [{ "a..b": 1 }, "filter.a. is not a field"],
    ['{"__proto__": {"status": "draft"}}', "filter[__proto__][status] is not a name with brackets or dots"],
    ['{"a": {"__proto__": 1}}', "filter[a][__proto__] is not a name with brackets or dots"],
    ['{"a.__proto__": 1}', "filter[a.__proto__] is not a name with brackets or dots"],
    [{ $near: 1 }, "filter.$near is not supported"],
    [{ termsAccepted: "maybe" }, "filter.termsAccepted must be true or false"],
    ['{"recipients.order": 1e999}', "filter.recipients.order must be a number"],
    [{ name: { $exists: null } }, "filter.name.$exists must be true or false"],
    [{ name: { $size: null } }, "filter.name.$size must be an integer of at least 0"],
    [{ name: { $gt: ["a", "b"] } }, "filter.name.$gt must be a single value"],
    [{ $or: [null] }, "filter.$or must be a list of conditions"],
  ])("%j is refused by name", (filter, problem) => {
    expect(problemsOf(inJson(filter))).toEqual([problem]);
  });

  test.each<[object, string]>([
    [{ name: {} }, "name"],
    [{ name: [] }, "name"],
    [{ name: ["a", []] }, "name"],
    [{ name: { $in: [] } }, "name.$in"],
    [{ name: { $nin: [[]] } }, "name.$nin"],
    [{ name: { $in: ["a", {}] } }, "name.$in"],
    [{ name: { $all: [] } }, "name.$all"],
    [{ name: { $not: {} } }, "name.$not"],
    [{ name: { $not: { $in: [] } } }, "name.$not.$in"],
    [{ $or: [] }, "$or.0"],
    [{ $or: [{ status: "draft" }, {}] }, "$or.1"],
    [{ $nor: [{}] }, "$nor.0"],
    [{ name: { $elemMatch: { a: {} } } }, "name.$elemMatch.a"],
  ])("%j, which would match everything if it were left out, is refused", (filter, path) => {
    expect(problemsOf(inJson({ ...filter, status: "draft" }))).toEqual([`filter.${path} must not be empty`]);
  });

  test.each(["filter[name]=a", "filter.name=a", "filter[]=a", inJson({ name: "a" })])(
    "is refused beside a filter in brackets, before or behind it, and twice: %s",
    (other) => {
      for (const query of [`${inJson({ status: "draft" })}&${other}`, `${other}&${inJson({ status: "draft" })}`])
        expect(problemsOf(query)).toEqual([ONE_OBJECT]);
    },
  );

  test("is as large and as deep as in brackets", () => {
    const wide = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, "a"]));
    expect(Object.keys(filterOf(inJson(wide(1000))) ?? {})).toHaveLength(1000);
    expect(problemsOf(inJson(wide(1001)))).toEqual(["query must have at most 1000 parameters"]);
    expect(problemsOf(inJson({ name: { $in: Object.keys(wide(10_000)) } }))).toHaveLength(1);
    const deep = (depth: number): object => (depth === 1 ? { status: "a" } : { $and: [deep(depth - 1)] });
    expect(JSON.stringify(filterOf(inJson(deep(10))))).toContain('{"status":"a"}');
    for (const depth of [11, 40, 900]) {
      expect(filterOf(inJson({ ...deep(depth), name: "x" }))).toEqual({ name: "x" });
      const lists = `${"[".repeat(depth)}"a"${"]".repeat(depth)}`;
      expect(problemsOf(inJson(`{"name":{"$in":${lists}}}`)) ?? []).toEqual([]);
    }
  });

  test.each(["[", '{"a":', '{"$and":[', '{"name":{"$in":['])(
    "100,000 nested %s are refused or cut in no time",
    (nested) => {
      const closing = nested.replace(/[^[{]/g, "").replaceAll("[", "]").replaceAll("{", "}");
      const text = `${nested.repeat(100_000)}1${[...closing].toReversed().join("").repeat(100_000)}`;
      const started = performance.now();
      expect(problemsOf(inJson(text)) ?? []).toEqual(expect.arrayContaining([]));
      expect(performance.now() - started).toBeLessThan(20_000);
    },
  );
});

test("both spellings are one query", () => {
  const typedFields = [
    "x",
    "payer.role",
    "payer.partyId",
    "recipients.order",
    "termsAccepted",
    "recipients.amount.payerAmount",
  ];
  fc.assert(
    fc.property(treesOf(typedFields, fc.constantFrom<Tree>("a", "null", "1", 1, -2.5, true)), (conditions) => {
      const brackets = new URLSearchParams(encode(conditions, "filter", () => undefined));
      expect(read(inJson(conditions))).toEqual(read(String(brackets)));
    }),
    { numRuns: 1_000 * PART },
  );
});

describe("a population as JSON", () => {
  const populationOf = (query: string) => {
    const parsed = parseText(query);
    return parsed.ok ? parsed.value.population : undefined;
  };
  const inBrackets = "population[0][path]=subject.partyId";

  test("is a list, and means what it means in brackets", () => {
    const json = inJson(
      [
        { path: "payer.partyId", select: "firstName lastName" },
        { path: "recipients.connectorPayeeId", select: ["name", "countryCode"] },
        { path: "createdFrom.paymentIntentId" },
      ],
      "population",
    );
    const brackets = [
      "population[0][path]=payer.partyId&population[0][select]=firstName+lastName",
      "population[1][path]=recipients.connectorPayeeId&population[1][select][]=name&population[1][select][]=countryCode",
      "population[2][path]=createdFrom.paymentIntentId",
    ].join("&");
    expect(populationOf(json)).toEqual([
      { path: "payer.partyId", select: ["firstName", "lastName"] },
      { path: "recipients.connectorPayeeId", select: ["name", "countryCode"] },
      { path: "createdFrom.paymentIntentId", select: [] },
    ]);
    expect(populationOf(json)).toEqual(populationOf(brackets));
    expect(populationOf("population=[]")).toEqual([]);
  });

  test.each([
    ...["[{]", '{"path":"payer.partyId"}', "null", "[null]", "[[]]", '["payer.partyId"]', '[{"path":null}]'],
    ...["null", "[]", '{"$ne":1}'].map((select) => `[{"path":"payer.partyId","select":${select}}]`),
    '[{"path":"payer.partyId","match":{}}]',
    '[{"path":"payer.partyId","__proto__":{}}]',
    '[{"path":"payer.partyId"},{"path":"payer.partyId"}]',
  ])("%s is refused by its name", (json) => {
    const problems = problemsOf(inJson(json, "population")) ?? [];
    expect(problems).not.toEqual([]);
    for (const problem of problems) expect(problem).toMatch(/^population\b/);
  });

  test.each([inBrackets, inBrackets.replace("0", "1"), "population.path=subject.partyId", "population=[]"])(
    "is refused beside %s, before or behind it",
    (other) => {
      const json = inJson([{ path: "payer.partyId" }], "population");
      for (const query of [`${json}&${other}`, `${other}&${json}`])
        expect(problemsOf(query)).toEqual(expect.arrayContaining([expect.stringMatching(/^population\b/)]));
    },
  );
});

test("whatever JSON a query holds is either a query or a shape problem", () => {
  const text = fc.oneof(fc.json(), fc.string({ unit: "binary" }));
  fc.assert(
    fc.property(text, text, (filter, population) => {
      const parsed = parseText(`${inJson(filter)}&${inJson(population, "population")}`);
      expect(parsed.ok ? "query" : parsed.failure.kind).toMatch(/^(query|shape)$/);
    }),
    { numRuns: 1_000 * PART },
  );
});
