import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encode, filterOf, ONE_OBJECT, problemsOf, read, spellingsOf, treesOf } from "../../test/filter-fixture.ts";

/** The suite draws a part of what the whole does. */
const PART = process.env["WHOLE"] === "1" ? 1 : 0.1;

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
    for (const spelling of spellingsOf(query)) expect(filterOf(spelling)).toEqual(expected);
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
      "filter[name][$type]=16&filter[payer][$type][]=3&filter[payer][$type][]=null",
      { name: { $type: ["int"] }, payer: { $type: ["object", "null"] } },
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
    for (const spelling of spellingsOf(query)) expect(filterOf(spelling)).toEqual(expected);
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
    ["filter[]=1", ONE_OBJECT],
    ["filter=draft", ONE_OBJECT],
    ["filter=draft&filter[status]=draft", ONE_OBJECT],
    ["filter[a][.b]=1", "filter.a. is not a field"],
  ])("%s is refused by name", (query, problem) => {
    for (const spelling of spellingsOf(query)) expect(problemsOf(spelling)).toEqual([problem]);
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

const tree = treesOf(["x", "y", "payer.role"], fc.constantFrom("a", "b", "1"));

const junk = [
  ...["[$where]", "[password]", "[x][$regex]", "[a][apiKey][$gt]", "[$or][7][$comment]", "[$nor][0][x][$options]"],
  ...["[x][$not][$expr]", "[y][$elemMatch][secret]", "[z][$in][9][$regex]", "[q][$all][0][$elemMatch][$where]"],
  `${"[$and][0]".repeat(11)}[status]`,
];

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
    { numRuns: 2_000 * PART },
  );
  expect(thrownIn).toBeGreaterThan(1_000 * PART);
});
