import fc from "fast-check";
import { Context } from "mingo/core";
import { $elemMatch, $size } from "mingo/operators/query/array";
import { $eq, $gt, $gte, $in, $lt, $lte, $ne, $nin } from "mingo/operators/query/comparison";
import { $exists } from "mingo/operators/query/element";
import { $and, $nor, $not, $or } from "mingo/operators/query/logical";
import { Query } from "mingo/query";
import { expect, test } from "vitest";
import { judge } from "../../test/filter-oracle-fixture.ts";
import { compileFilter } from "./filter.ts";
import type { Filter } from "./query.ts";

/** The suite draws a part of what the whole does. */
const PART = process.env["WHOLE"] === "1" ? 1 : 0.1;

const item = {
  status: "draft",
  name: null,
  amount: 5,
  single: true,
  createdAt: "2026-01-31T00:00:00.000Z",
  tags: ["red", "blue"],
  none: [],
  payer: { role: "student" },
  recipients: [
    { order: 0, role: "tenant", ids: [1, 2] },
    { order: 7, ids: [3] },
  ],
};

/** Filters that `item` meets, and filters that it does not, by operator. */
const cases: Readonly<Record<string, { holds: Filter[]; fails: Filter[] }>> = {
  equality: {
    holds: [
      {},
      { status: "draft" },
      { tags: "blue" },
      { name: null },
      { missing: null },
      { "payer.role": "student" },
      { "recipients.order": 7 },
      { "recipients.ids": 3 },
      { "recipients.1.ids": 3 },
      { "recipients.0.ids.1": 2 },
      { "recipients.role": null },
      { "recipients.9.role": null },
      { "status.length": null },
      { tags: ["red", "blue"] },
    ],
    fails: [
      { status: "dra" },
      { amount: "5" },
      { status: null },
      { tags: null },
      { none: null },
      { "none.x": null },
      { "tags.x": null },
      { "recipients.0.ids": 3 },
      { "recipients.length": 2 },
      { tags: ["blue", "red"] },
      { constructor: Object },
    ],
  },
  $eq: { holds: [{ status: { $eq: "draft" } }], fails: [{ status: { $eq: "x" } }] },
  $ne: {
    holds: [{ status: { $ne: "x" } }, { missing: { $ne: "x" } }, { none: { $ne: 1 } }],
    fails: [{ status: { $ne: "draft" } }, { tags: { $ne: "red" } }, { "recipients.order": { $ne: 7 } }],
  },
  $gt: {
    holds: [{ amount: { $gt: 4 } }, { createdAt: { $gt: "2026-01-30" } }, { "recipients.ids": { $gt: 2 } }],
    fails: [{ amount: { $gt: 5 } }, { amount: { $gt: "4" } }, { missing: { $gt: 0 } }, { name: { $gt: null } }],
  },
  $gte: {
    holds: [{ amount: { $gte: 5 } }, { missing: { $gte: null } }, { single: { $gte: false } }],
    fails: [{ amount: { $gte: 6 } }, { amount: { $gte: null } }],
  },
  $lt: {
    holds: [{ amount: { $lt: 6 } }, { tags: { $lt: "c" } }],
    fails: [{ amount: { $lt: 5 } }, { name: { $lt: 1 } }],
  },
  $lte: { holds: [{ amount: { $lte: 5 } }, { name: { $lte: null } }], fails: [{ amount: { $lte: 4 } }] },
  $in: {
    holds: [{ status: { $in: ["x", "draft"] } }, { missing: { $in: [null] } }, { "recipients.ids": { $in: [9, 2] } }],
    fails: [{ status: { $in: ["x"] } }, { status: { $in: [] } }],
  },
  $nin: {
    holds: [{ status: { $nin: ["x"] } }, { status: { $nin: [] } }],
    fails: [{ tags: { $nin: ["blue"] } }, { missing: { $nin: [null] } }],
  },
  $and: {
    holds: [{ $and: [{ amount: 5 }, { status: "draft" }] }],
    fails: [{ $and: [{ amount: 5 }, { status: "x" }] }],
  },
  $or: { holds: [{ $or: [{ amount: 1 }, { status: "draft" }] }], fails: [{ $or: [{ amount: 1 }, { status: "x" }] }] },
  $nor: {
    holds: [{ $nor: [{ amount: 1 }, { status: "x" }] }],
    fails: [{ $nor: [{ amount: 1 }, { status: "draft" }] }],
  },
  $not: {
    holds: [{ amount: { $not: { $gt: 5 } } }, { missing: { $not: { $gt: 5 } } }, { tags: { $not: { $size: 3 } } }],
    fails: [{ amount: { $not: { $gt: 4 } } }, { tags: { $not: { $eq: "red" } } }],
  },
  $exists: {
    holds: [{ name: { $exists: true } }, { missing: { $exists: false } }, { "recipients.role": { $exists: true } }],
    fails: [{ name: { $exists: false } }, { toString: { $exists: true } }, { "recipients.role": { $exists: false } }],
  },
  $type: {
    holds: [
      { status: { $type: ["string"] } },
      { tags: { $type: ["array"] } },
      { tags: { $type: ["string"] } },
      { name: { $type: ["null"] } },
      { payer: { $type: ["object"] } },
      { single: { $type: ["bool"] } },
      { amount: { $type: ["date", "int"] } },
      { amount: { $type: ["double"] } },
    ],
    fails: [
      { status: { $type: ["number", "object", "array", "date"] } },
      { missing: { $type: ["null", "undefined"] } },
      { status: { $type: [] } },
    ],
  },
  $size: {
    holds: [{ tags: { $size: 2 } }, { none: { $size: 0 } }, { "recipients.ids": { $size: 1 } }],
    fails: [{ tags: { $size: 1 } }, { status: { $size: 1 } }, { missing: { $size: 0 } }],
  },
  $all: {
    holds: [
      { tags: { $all: ["blue", "red"] } },
      { status: { $all: ["draft"] } },
      { "recipients.ids": { $all: [1, 3] } },
    ],
    fails: [{ tags: { $all: ["red", "green"] } }, { tags: { $all: [] } }],
  },
  $elemMatch: {
    holds: [
      { recipients: { $elemMatch: { order: 0, role: "tenant" } } },
      { recipients: { $elemMatch: { $or: [{ order: 7 }, { order: 8 }] } } },
      { "recipients.ids": { $elemMatch: { $gt: 1, $lt: 3 } } },
      { tags: { $elemMatch: { $not: { $eq: "red" } } } },
    ],
    fails: [
      { recipients: { $elemMatch: { order: 7, role: "tenant" } } },
      { "recipients.ids": { $elemMatch: { $gt: 3 } } },
      { status: { $elemMatch: { $eq: "draft" } } },
      { tags: { $elemMatch: { x: null } } },
    ],
  },
};
const swept = Object.entries(cases).flatMap(([operator, { holds, fails }]) => [
  ...holds.map((filter) => ({ operator, filter, expected: true })),
  ...fails.map((filter) => ({ operator, filter, expected: false })),
]);

test.each(swept)("$operator: $filter is $expected of the item", ({ filter, expected }) => {
  expect(compileFilter(filter)(item)).toBe(expected);
  expect(judge(item, filter)).toBe(expected);
});

const scalar = fc.constantFrom<unknown>(null, 0, 1, 2, 2.5, "", "a", "b", "1", true, false);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const scalarOrList = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }));
const element = fc.oneof(
  { weight: 4, arbitrary: fc.record({ x: maybe(scalar), y: maybe(scalarOrList) }) },
  { weight: 1, arbitrary: scalar },
);
/** An item as it comes from the store, without fields that are undefined. */
const anItem = fc
  .record({
    a: maybe(scalarOrList),
    b: maybe(fc.oneof(scalar, fc.record({ c: maybe(scalar), d: maybe(scalarOrList) }))),
    r: maybe(fc.oneof(fc.array(element, { maxLength: 3 }), element)),
  })
  .map((made) => JSON.parse(JSON.stringify(made)) as object);
const paths = ["a", "b", "b.c", "b.d", "r", "r.x", "r.y", "r.0", "r.0.x", "r.1.y", "r.0.y.1", "a.0", "a.z", "z"];

const scalars = fc.array(scalar, { minLength: 1, maxLength: 3 });
const typeName = fc.constantFrom("string", "int", "double", "bool", "null", "array", "object", "date");
const comparison = fc.oneof(
  ...["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"].map((name) => scalar.map((operand) => ({ [name]: operand }))),
  ...["$in", "$nin", "$all"].map((name) => scalars.map((operand) => ({ [name]: operand }))),
  fc.boolean().map(($exists) => ({ $exists })),
  fc.nat({ max: 3 }).map(($size) => ({ $size })),
  fc.array(typeName, { maxLength: 2 }).map(($type) => ({ $type })),
);
const onField = fc.letrec((tie) => ({
  one: fc.oneof(
    { weight: 6, arbitrary: comparison },
    { weight: 1, arbitrary: tie("all").map(($not) => ({ $not })) },
    { weight: 1, arbitrary: tie("all").map(($elemMatch) => ({ $elemMatch })) },
    {
      weight: 1,
      arbitrary: fc
        .dictionary(fc.constantFrom("x", "y", "z"), comparison, { minKeys: 1, maxKeys: 2 })
        .map(($elemMatch) => ({ $elemMatch })),
    },
  ),
  all: fc.array(tie("one"), { minLength: 1, maxLength: 2 }).map((ops) => Object.assign({}, ...ops)),
}));
const aFilter = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: "small" },
    fc.dictionary(fc.constantFrom(...paths), fc.oneof(scalar, onField["all"]), { maxKeys: 2 }),
    ...["$and", "$or", "$nor"].map((name) =>
      fc.array(tie("filter"), { minLength: 1, maxLength: 2 }).map((branches) => ({ [name]: branches })),
    ),
  ),
})).filter;

test("judges every item as MongoDB does", () => {
  const seen = { true: 0, false: 0 };
  fc.assert(
    fc.property(anItem, aFilter, (made, filter) => {
      const expected = judge(made, filter);
      seen[`${expected}`] += 1;
      expect(compileFilter(filter)(made)).toBe(expected);
    }),
    { numRuns: 20_000 * PART },
  );
  expect(Math.min(seen.true, seen.false)).toBeGreaterThan(2_000 * PART);
});

// Mingo differs from MongoDB on fields below arrays that some elements lack, on `$all` and `$type` of single values and
// arrays, and on the order of null: these cases are left out here.
test("judges items without arrays of objects as mingo does", () => {
  const query = { $and, $or, $nor, $not, $eq, $gt, $gte, $in, $lt, $lte, $ne, $nin, $exists, $elemMatch, $size };
  const context = Context.init({ query });
  const isKnown = (filter: Filter): boolean =>
    !/"(r[^"]*|\$all|\$type|[ab]\.\w+)":|"\$[gl]te?":null|elemMatch":{"[xyz]/.test(JSON.stringify(filter));
  fc.assert(
    fc.property(anItem, aFilter.filter(isKnown), (made, filter) => {
      expect(compileFilter(filter)(made)).toBe(new Query(filter, { context }).test({ ...made }));
    }),
    { numRuns: 5_000 * PART },
  );
});

test("an unknown operator is a fault, because filters arrive here sanitized", () => {
  expect(() => compileFilter({ a: { $eq: 1, $where: "1" } })).toThrow("$where");
});
