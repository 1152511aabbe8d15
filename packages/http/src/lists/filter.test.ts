import type { ListKind } from "@intents/domain/lists/resources.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eventFor } from "../event-fixture.ts";
import { parseListQuery } from "./query.ts";

/** The filter of a query string, decoded as the gateway does it. */
function read(query: string, kind: ListKind = "INTENT") {
  const sent = new URLSearchParams(query);
  const multiValueQueryStringParameters = Object.fromEntries([...sent.keys()].map((key) => [key, sent.getAll(key)]));
  const parsed = parseListQuery(eventFor("GET /v2/students", { multiValueQueryStringParameters }), kind);
  if (parsed.ok) return { filter: parsed.value.filter, stripped: parsed.value.stripped };
  return { problems: parsed.failure.kind === "shape" ? parsed.failure.problems : [] };
}
const filterOf = (query: string, kind?: ListKind) => read(query, kind).filter;
const problemsOf = (query: string, kind?: ListKind) => read(query, kind).problems;

describe("encodings", () => {
  test.each<[string, string, object]>([
    ["brackets", "filter[status]=draft", { status: "draft" }],
    ["brackets of brackets", "filter[payer][role]=student", { "payer.role": "student" }],
    ["dots", "filter.payer.role=student", { "payer.role": "student" }],
    ["dots in brackets", "filter[createdFrom.paymentIntentId]=x", { "createdFrom.paymentIntentId": "x" }],
    ["operators after dots", "filter.status.$ne=x&filter[name.$ne]=y", { status: { $ne: "x" }, name: { $ne: "y" } }],
    [
      "encoded names and values",
      "filter%5Bstatus%5D%5B%24in%5D%5B%5D=a%26b%3D%5Bc%5D",
      { status: { $in: ["a&b=[c]"] } },
    ],
    ["a plus for a space", "filter[name]=a+b", { name: "a b" }],
    ["lists by places", "filter[status][$in][0]=a&filter[status][$in][1]=b", { status: { $in: ["a", "b"] } }],
    ["lists by []", "filter[status][$in][]=a&filter[status][$in][]=b", { status: { $in: ["a", "b"] } }],
    ["lists by repetition", "filter[status][$in]=a&filter[status][$in]=b", { status: { $in: ["a", "b"] } }],
    ["lists of one", "filter[status][$in]=a&filter[name][$nin]=b", { status: { $in: ["a"] }, name: { $nin: ["b"] } }],
    [
      "lists in the order of their places",
      "filter[name][$in][10]=a&filter[name][$in][2]=b",
      { name: { $in: ["b", "a"] } },
    ],
    ["any of several values by repetition", "filter[status]=a&filter[status]=b", { status: { $in: ["a", "b"] } }],
    ["any of several values by []", "filter[status][]=a&filter[status][]=b", { status: { $in: ["a", "b"] } }],
    ["any of several values by places", "filter[status][0]=a&filter[status][1]=b", { status: { $in: ["a", "b"] } }],
    ["a place on the way", "filter[recipients][1][role]=tenant", { "recipients.1.role": "tenant" }],
    ["a place at the end, by a dot", "filter[tags.0]=a", { "tags.0": "a" }],
    [
      "a value beside conditions",
      "filter[status]=a&filter[status][$ne]=b",
      { $and: [{ status: { $ne: "b" } }, { status: "a" }] },
    ],
    ["one field named twice", "filter[a.b]=1&filter[a][b]=2", { $and: [{ "a.b": "1" }, { "a.b": "2" }] }],
    ["an empty value", "filter[name]=", { name: "" }],
    ["broken percent signs", "filter[name]=%E0%A4%A&filter[city]=100%", { name: "\uFFFD%A", city: "100%" }],
    [
      "names of prototypes",
      "filter[constructor]=1&filter[toString][$ne]=2",
      { constructor: "1", toString: { $ne: "2" } },
    ],
  ])("%s", (_, query, expected) => {
    expect(filterOf(query)).toEqual(expected);
  });
});

describe("operators", () => {
  test.each<[string, object]>([
    ["filter[status][$eq]=a", { status: "a" }],
    ["filter[status][$ne]=a", { status: { $ne: "a" } }],
    ["filter[status][$gt]=a&filter[status][$lte]=b", { status: { $gt: "a", $lte: "b" } }],
    ["filter[status][$gte]=a&filter[status][$lt]=b", { status: { $gte: "a", $lt: "b" } }],
    ["filter[$and][0][status]=a&filter[$and][1][name]=b", { $and: [{ status: "a" }, { name: "b" }] }],
    ["filter[$or][0][status]=a&filter[$or][1][payer.role]=b", { $or: [{ status: "a" }, { "payer.role": "b" }] }],
    ["filter[$nor][0][status]=a", { $nor: [{ status: "a" }] }],
    ["filter[$or][status]=a", { $or: [{ status: "a" }] }],
    ["filter[$or][0][$and][0][a]=1&filter[$or][0][$and][1][b]=2", { $or: [{ $and: [{ a: "1" }, { b: "2" }] }] }],
    [
      "filter[payer][$or][0][role]=a&filter[payer][$or][1][partyId]=b",
      { $or: [{ "payer.role": "a" }, { "payer.partyId": "b" }] },
    ],
    [
      "filter[status][$or][0][$gt]=b&filter[status][$or][1][$eq]=a",
      { $or: [{ status: { $gt: "b" } }, { status: "a" }] },
    ],
    ["filter[status][$not][$gt]=a", { status: { $not: { $gt: "a" } } }],
    ["filter[status][$not]=a", { status: { $not: { $eq: "a" } } }],
    ["filter[$not][status]=a", { $nor: [{ status: "a" }] }],
    ["filter[payer][$not][role]=a", { $nor: [{ "payer.role": "a" }] }],
    ["filter[name][$exists]=true&filter[subject][$exists]=0", { name: { $exists: true }, subject: { $exists: false } }],
    [
      "filter[name][$type]=string&filter[payer][$type][]=3&filter[payer][$type][]=null",
      { name: { $type: ["string"] }, payer: { $type: ["object", "null"] } },
    ],
    [
      "filter[createdAt][$type]=date&filter[updatedAt][$type]=9",
      { createdAt: { $type: ["string"] }, updatedAt: { $type: ["string"] } },
    ],
    ["filter[createdAt][$type]=string", { createdAt: { $type: ["date"] } }],
    ["filter[recipients][$size]=2", { recipients: { $size: 2 } }],
    ["filter[tags][$all][0]=a&filter[tags][$all][1]=b", { tags: { $all: ["a", "b"] } }],
    ["filter[tags][$all]=a", { tags: { $all: ["a"] } }],
    [
      "filter[recipients][$all][0][$elemMatch][order]=1&filter[recipients][$all][1][$elemMatch][order]=2",
      { $and: [{ recipients: { $elemMatch: { order: 1 } } }, { recipients: { $elemMatch: { order: 2 } } }] },
    ],
    [
      "filter[recipients][$elemMatch][role]=a&filter[recipients][$elemMatch][amount.portionBps][$gt]=5",
      { recipients: { $elemMatch: { role: "a", "amount.portionBps": { $gt: 5 } } } },
    ],
    [
      "filter[recipients][$elemMatch][$or][0][order]=1&filter[recipients][$elemMatch][$or][1][role]=a",
      { recipients: { $elemMatch: { $or: [{ order: 1 }, { role: "a" }] } } },
    ],
    [
      "filter[executions.connectorPaymentIds][$elemMatch][$gt]=5&filter[executions.connectorPaymentIds][$elemMatch][$not][$gt]=9",
      { "executions.connectorPaymentIds": { $elemMatch: { $gt: 5, $not: { $gt: 9 } } } },
    ],
  ])("%s", (query, expected) => {
    expect(filterOf(query)).toEqual(expected);
  });

  test.each([
    ["filter[status][$foo]=1", "filter.status.$foo is not supported"],
    ["filter[$text][$search]=1", "filter.$text is not supported"],
    ["filter[$or][1][a][$not][$mod][]=4", "filter.$or.0.a.$not.$mod is not supported"],
    ["filter[$eq]=1", "filter can use $eq on a field only"],
    ["filter[$or][0][$gt]=1", "filter.$or can use $gt on a field only"],
    ["filter[$or]=1", "filter.$or must be a list of conditions"],
    ["filter[$and][]=1", "filter.$and must be a list of conditions"],
    ["filter[a][$gt][]=1&filter[a][$gt][]=2", "filter.a.$gt must be a single value"],
    ["filter[a][$gt][b]=1", "filter.a.$gt must be a value"],
    ["filter[a][$in][0][b]=1", "filter.a.$in must be a value"],
    ["filter[a][$exists]=maybe", "filter.a.$exists must be true or false"],
    ["filter[a][$size]=-1", "filter.a.$size must be an integer of at least 0"],
    ["filter[a][$size]=1.5", "filter.a.$size must be an integer of at least 0"],
    ["filter[a][$type]=text", "filter.a.$type must be the name or the number of a type, such as string or 2"],
    ["filter[a][$elemMatch]=1", "filter.a.$elemMatch must hold conditions"],
    ["filter[a][$elemMatch][$gt]=1&filter[a][$elemMatch][b]=1", "filter.a.$elemMatch mixes operators and fields"],
    ["filter[a][$all][0][b]=1", "filter.a.$all must hold values or $elemMatch"],
    ["filter[]=1", "filter must be an object, such as filter[status]=draft"],
    ["filter=draft", "filter must be an object, such as filter[status]=draft"],
    ["filter=draft&filter[status]=draft", "filter must be an object, such as filter[status]=draft"],
    ["filter[a][.b]=1", "filter.a. is not a field"],
  ])("%s is refused by name", (query, problem) => {
    expect(problemsOf(query)).toEqual([problem]);
  });
});

describe("values have the type of their field", () => {
  test.each<[string, object]>([
    ["filter[recipients.order]=7", { "recipients.order": 7 }],
    ["filter[recipients.0.order]=-7.5e1", { "recipients.0.order": -75 }],
    ["filter[termsAccepted]=true", { termsAccepted: true }],
    ["filter[name]=7&filter[status]=true", { name: "7", status: "true" }],
    ["filter[unheard.of]=7", { "unheard.of": "7" }],
    ["filter[recipients][$elemMatch][order][$in][]=1", { recipients: { $elemMatch: { order: { $in: [1] } } } }],
    ["filter[$nor][0][recipients.order][$not][$nin][]=1", { $nor: [{ "recipients.order": { $not: { $nin: [1] } } }] }],
    ["filter[executions][connectorPaymentIds][$all][]=1", { "executions.connectorPaymentIds": { $all: [1] } }],
    ["filter[lastConnectorPaymentId]=null&filter[name]=null", { lastConnectorPaymentId: null, name: "null" }],
    ["filter[createdAt]=2026-01-31", { createdAt: "2026-01-31T00:00:00.000Z" }],
    ["filter[createdAt][$gte]=2026-01-31T09:30", { createdAt: { $gte: "2026-01-31T09:30:00.000Z" } }],
    ["filter[createdAt]=2026-01-31T09:30:00.5%2B05:30", { createdAt: "2026-01-31T04:00:00.500Z" }],
    [
      "filter[statusHistory][at][$lt]=2028-02-29T23:59:59Z",
      { "statusHistory.at": { $lt: "2028-02-29T23:59:59.000Z" } },
    ],
    ["filter[payer.details.dob]=2000-01-31", { "payer.details.dob": "2000-01-31" }],
    ["filter[payer.details.dob][$lt]=2000-01-31T12:00Z", { "payer.details.dob": { $lt: "2000-01-31T12:00:00.000Z" } }],
  ])("%s", (query, expected) => {
    expect(filterOf(query)).toEqual(expected);
  });

  test("of the resource that is listed; an id that nobody issued is looked for all the same", () => {
    expect(filterOf("filter[id]=7&filter[_id]=nobody", "PAYEE")).toEqual({ id: 7, _id: "nobody" });
    expect(filterOf("filter[id]=7&filter[_id]=8", "STUDENT")).toEqual({ id: "7", _id: "8" });
  });

  const date = "must be a date, such as 2026-01-31 or 2026-01-31T09:30:00Z";
  test.each([
    ...["abc", "", "0x10", "1,5", "Infinity", "1e999", "NaN"].map((value) => [
      "recipients.order",
      value,
      "must be a number",
    ]),
    ...["yes", "TRUE", "1", ""].map((value) => ["termsAccepted", value, "must be true or false"]),
    ...["2026-02-30", "2026-13-01", "2026-1-1", "31.01.2026", "1767225600000", "2026-01-31T25:00Z", ""].map((value) => [
      "createdAt",
      value,
      date,
    ]),
  ])("filter[%s] may not be %j", (field, value, problem) => {
    expect(problemsOf(`filter[${field}]=${value}`)).toEqual([`filter.${field} ${problem}`]);
    expect(problemsOf(`filter[$or][0][${field}][$in][]=${value}`)).toEqual([`filter.$or.0.${field}.$in ${problem}`]);
  });
});

const strippedOperators =
  "$regex $options $where $expr $lookup $unionWith $merge $out $function $accumulator $comment".split(" ");
const sensitive = ["password", "apiKey", "secret", "accessToken", "refreshToken", "privateKey", "APIKEY", "Secret"];

describe("stripped as if never sent", () => {
  test.each([...strippedOperators, ...sensitive])("%s, wherever it stands", (name) => {
    expect(read(`filter[${name}]=x`)).toEqual({ filter: {}, stripped: [`filter.${name}`] });
    const places = [
      `filter[name][${name}]=x`,
      `filter[${name}][$gt]=1`,
      `filter[a.${name}.b]=1`,
      `filter[${name}][$unheard]=1`,
      `filter[$or][0][${name}]=x`,
      `filter[$nor][0][name][${name}]=x`,
      `filter[$and][0][$or][0][a][$not][${name}]=x`,
      `filter[name][$in][0][${name}]=x`,
      `filter[name][$gt][${name}]=x`,
      `filter[recipients][$elemMatch][${name}]=x`,
      `filter[recipients][$all][0][$elemMatch][${name}]=x`,
    ];
    for (const query of places) {
      expect(read(query)).toEqual({ filter: {}, stripped: [expect.stringContaining(name)] });
      expect(filterOf(`${query}&filter[status]=draft`)).toEqual({ status: "draft" });
    }
  });

  test("a branch goes, the others stay", () => {
    expect(filterOf("filter[$or][0][password]=x&filter[$or][1][status]=a&filter[$or][2][name][$regex]=x")).toEqual({
      $or: [{ status: "a" }],
    });
  });

  test("what lies deeper than ten entries", () => {
    const nested = (depth: number) => `filter${"[$and][0]".repeat(depth - 1)}[status]=a`;
    expect(filterOf("filter[a][b][c][d][e][f][g][h][i][j]=1")).toEqual({ "a.b.c.d.e.f.g.h.i.j": "1" });
    expect(JSON.stringify(filterOf(nested(10)))).toContain('{"status":"a"}');
    for (const query of [
      nested(11),
      nested(40),
      "filter[a][b][c][d][e][f][g][h][i][j][k]=1",
      "filter.a.b.c.d.e.f.g.h.i.j.$gt=1",
    ]) {
      expect(filterOf(`${query}&filter[name]=x`)).toEqual({ name: "x" });
    }
  });
});

type Tree = string | Tree[] | { [name: string]: Tree };
const value = fc.constantFrom("a", "b", "1");
const tree = fc.letrec<{ conditions: Tree; onField: Tree }>((tie) => ({
  conditions: fc.oneof(
    { depthSize: "small" },
    fc.dictionary(fc.constantFrom("x", "y", "payer.role"), tie("onField"), { minKeys: 1, maxKeys: 2 }),
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

const junk = [
  ...["[$where]", "[password]", "[x][$regex]", "[a][apiKey][$gt]", "[$or][7][$comment]", "[$nor][0][x][$options]"],
  ...["[x][$not][$expr]", "[y][$elemMatch][secret]", "[z][$in][9][$regex]", "[q][$all][0][$elemMatch][$where]"],
  `${"[$and][0]".repeat(11)}[status]`,
];

/** The pairs of a query string; `draw` gives the junk to put between them, or none. */
function encode(node: Tree, at: string, draw: () => string | undefined): [string, string][] {
  const thrown = draw();
  const extra: [string, string][] = thrown === undefined ? [] : [[`${at}${thrown}`, "x"]];
  if (typeof node === "string") return [[at, node], ...extra];
  if (!Array.isArray(node)) {
    return [...Object.entries(node).flatMap(([name, below]) => encode(below, `${at}[${name}]`, draw)), ...extra];
  }
  const branch: [string, string][] = thrown === undefined ? [] : [[`${at}[${node.length}]${thrown}`, "x"]];
  return [...node.flatMap((below, index) => encode(below, `${at}[${index}]`, draw)), ...branch];
}

test("a filter means the same with junk anywhere in it", () => {
  const draws = fc.infiniteStream(fc.option(fc.constantFrom(...junk), { freq: 2 }));
  let thrownIn = 0;
  fc.assert(
    fc.property(tree, draws, (conditions, stream) => {
      const clean = encode(conditions, "filter", () => undefined);
      const dirty = encode(conditions, "filter", () => stream.next().value ?? undefined);
      const [expected, actual] = [clean, dirty].map((pairs) => read(String(new URLSearchParams(pairs))));
      thrownIn += dirty.length - clean.length;
      expect(expected?.problems).toBeUndefined();
      expect(actual?.filter).toEqual(expected?.filter);
    }),
    { numRuns: 2_000 },
  );
  expect(thrownIn).toBeGreaterThan(1_000);
});
