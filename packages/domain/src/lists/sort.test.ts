import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sortAsMongo } from "../../test/sort-oracle-fixture.ts";
import type { SortKey } from "./query.ts";
import { orderBy } from "./sort.ts";

/** The suite draws a part of what the whole does. */
const PART = process.env["WHOLE"] === "1" ? 1 : 0.1;

const up = (path: string): SortKey => ({ path, descending: false });
const down = (path: string): SortKey => ({ path, descending: true });
const compareItems = (sort: readonly SortKey[]) => {
  const { placeOf, compare } = orderBy("INTENT", sort);
  return (left: object, right: object) => compare(placeOf(left), placeOf(right));
};
const sorted = (sort: readonly SortKey[], items: readonly object[]): object[] => items.toSorted(compareItems(sort));

/** One value of each type and rank, in MongoDB's order. */
const ascending = [undefined, -1, 0, 2.5, 10, "", "B", "a", "aa", "b", "\uE000", "😀", { a: 1 }, { a: 2 }, { b: 0 }];
const ordered = [...ascending, false, true].map((value, index) => ({ id: 100 - index, value }));

test("types come in MongoDB's order, and values in the order of their type", () => {
  expect(sorted([up("value")], ordered.toReversed())).toEqual(ordered);
  expect(sorted([down("value")], ordered)).toEqual(ordered.toReversed());
});

test.each([
  [
    "what is missing and null are equal, and come first",
    [up("value")],
    [{ id: 3 }, { id: 2, value: null }, { id: 1, value: 0 }],
  ],
  [
    "an array counts by its least element upwards",
    [up("value")],
    [
      { id: 1, value: [9, 1] },
      { id: 2, value: 2 },
    ],
  ],
  [
    "an array counts by its greatest element downwards",
    [down("value")],
    [
      { id: 1, value: [1, 9] },
      { id: 2, value: 8 },
    ],
  ],
  [
    "an element that lacks the field counts as missing: it is the least upwards",
    [up("r.x")],
    [
      { id: 3, r: [{ x: 5 }, {}] },
      { id: 2, r: { x: 1 } },
      { id: 1, r: [{ x: 5 }] },
    ],
  ],
  [
    "and never the greatest downwards",
    [down("r.x")],
    [
      { id: 1, r: [{ x: 5 }, {}] },
      { id: 2, r: { x: 4 } },
      { id: 3, r: [{}] },
    ],
  ],
  [
    "amounts of money come by what they are worth, behind amounts that are missing",
    [up("executions.fee")],
    [
      { id: 1, executions: [] },
      { id: 5, executions: [{ fee: "900.00" }] },
      { id: 4, executions: [{ fee: "5000.5" }, { fee: "70000000000000.10" }] },
      { id: 3, executions: [{ fee: "5000.50" }] },
      { id: 2, executions: [{ fee: "12000" }] },
    ],
  ],
  [
    "equal values come newest first",
    [up("name")],
    [
      { id: "b", name: "x" },
      { id: "a", name: "x" },
    ],
  ],
  [
    "equal moments, where nothing else is asked for, come in the order of the moments",
    [up("updatedAt")],
    [
      { id: "a", updatedAt: "2026-11-22T00:00:00.000Z" },
      { id: "b", updatedAt: "2026-11-22T00:00:00.000Z" },
    ],
  ],
  ["an empty array counts as missing", [up("value")], [{ id: 2, value: [] }, { id: 1 }, { id: 0, value: "" }]],
  [
    "a path leads through objects and arrays",
    [up("r.x")],
    [
      { id: 1, r: [{ x: 5 }, { x: 1 }] },
      { id: 2, r: { x: 2 } },
      { id: 3, r: [{ x: 3 }] },
    ],
  ],
  [
    "a place names the element",
    [up("r.0.x")],
    [
      { id: 1, r: [{ x: 2 }, { x: 0 }] },
      { id: 2, r: [{ x: 3 }] },
    ],
  ],
  [
    "a second key breaks a tie of the first",
    [down("a"), up("b")],
    [
      { id: 1, a: 2, b: 1 },
      { id: 2, a: 2, b: 2 },
      { id: 3, a: 1 },
    ],
  ],
])("%s", (_, sort, items) => {
  expect(sorted(sort, items)).toEqual(items);
  expect(sorted(sort, items.toReversed())).toEqual(items);
});

describe("ties", () => {
  test("are broken newest first, whatever the direction", () => {
    const items = ["0c", "0b", "0a"].map((id) => ({ id, same: 1 }));
    for (const sort of [[], [up("same")], [down("same")], [up("missing")]]) {
      expect(sorted(sort, items.toReversed())).toEqual(items);
    }
  });
});

test("is MongoDB's order, as an oracle has it that shares nothing with ours", () => {
  const amount = fc.constantFrom("900.00", "5000.5", "5000.50", "12000", "0.10");
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom("", "a", 0, -0, null, [], [{}], "\uE000", "😀"),
  );
  const item = fc.record(
    {
      a: value,
      b: fc.array(fc.record({ a: value, c: value }, { requiredKeys: [] })),
      executions: fc.array(fees(amount)),
    },
    { requiredKeys: [] },
  );
  const key = fc.record({
    path: fc.constantFrom("a", "b", "b.a", "b.c", "a.0", "b.0.a", "executions.fee"),
    descending: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(key, { maxLength: 3 }), fc.array(item, { maxLength: 8 }), (sort, made) => {
      const items = made.map((fields, index) => ({ ...fields, id: String(index) }));
      expect(sorted(sort, items)).toEqual(sortAsMongo(items, sort, (path) => path === "executions.fee"));
    }),
    { numRuns: 2_000 * PART },
  );
});
const fees = (amount: fc.Arbitrary<string>) => fc.record({ fee: amount }, { requiredKeys: [] });

test("is a total order of all items", () => {
  const item = fc.record({ id: fc.nat(), a: fc.jsonValue({ maxDepth: 2 }), b: fc.jsonValue({ maxDepth: 1 }) });
  const key = fc.record({ path: fc.constantFrom("a", "b", "a.0", "id"), descending: fc.boolean() });
  fc.assert(
    fc.property(fc.array(key, { maxLength: 2 }), item, item, item, (sort, x, y, z) => {
      const compare = compareItems(sort);
      expect(Math.sign(compare(x, y))).toBe(-Math.sign(compare(y, x)) + 0);
      if (compare(x, y) <= 0 && compare(y, z) <= 0) expect(compare(x, z)).toBeLessThanOrEqual(0);
    }),
    { numRuns: 2_000 * PART },
  );
});
