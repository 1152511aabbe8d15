import { mainTableSchema } from "@intents/deployment/table-schema.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { compileFilter } from "@intents/domain/lists/filter.ts";
import type { ListQuery } from "@intents/domain/lists/query.ts";
import { listResources } from "@intents/domain/lists/resources.ts";
import { listQuery } from "@intents/domain/test/query-fixture.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { intents, queries } from "../../test/list-fixture.ts";
import { countsOf, intentCountKey, toItem } from "../intents/intents.ts";
import { keysOf } from "../table/keys.ts";
import {
  type Counts,
  chooseOrder,
  countedIn,
  listIndexes,
  type Plan,
  planChanges,
  planKeys,
  planList,
} from "./plan.ts";
import { type Scope, scopeOf, tooMuchOf } from "./scope.ts";

const TENANT = "1001";
const RUNS = process.env["WHOLE"] === "1" ? 2_000 : 150;

/** The counters of a scope's lists if `all` were all the intents there are. */
const countAll = ({ lists }: Scope, all: readonly PaymentIntent[]): Counts =>
  lists.map(({ counter }) => {
    const counts = new Map<string, number>();
    for (const count of all.flatMap((intent) => countsOf(undefined, intent))) {
      if (count.counter === counter) counts.set(count.to!, (counts.get(count.to!) ?? 0) + 1);
    }
    return counts;
  });

/** The segments of a plan that hold the intent. */
const holding = ({ index, segments }: Plan, intent: PaymentIntent) => {
  const item: Record<string, unknown> = toItem(intent);
  const { partitionKey, sortKey } = listIndexes[index];
  const place = String(item[sortKey]);
  const byRecipient = intent.recipients.map(({ externalId = "" }) =>
    keysOf(TENANT).ofExternalId("RECIPIENT", externalId),
  );
  const partitions = [item[partitionKey], ...(index === "byExternalId" ? byRecipient : [])];
  return segments.filter(
    ({ partition, range }) => partitions.includes(partition) && place >= range.from && place <= range.to,
  );
};

const drawn = fc
  .uniqueArray(intents(TENANT), { maxLength: 12, selector: ({ id }) => id })
  .chain((all) =>
    fc.record({
      all: fc.constant(all),
      query: queries(["nobody", ...all.map(({ id }) => id)]),
      isCounted: fc.boolean(),
    }),
  );

describe("for every query", () => {
  test("all matches lie in the segments of the plan, and in no other place (H32)", () => {
    fc.assert(
      fc.property(drawn, ({ all, query, isCounted }) => {
        const scope = scopeOf(TENANT, "INTENT", query);
        const counts = countAll(scope, all);
        const plans = [
          planList(TENANT, scope, isCounted ? counts : undefined),
          planChanges(scope),
          ...(scope.isExactBy.listSK && scope.totalFrom !== "records" ? [planKeys(TENANT, scope, counts)] : []),
        ];
        const isMatch = compileFilter(query.filter);
        for (const intent of all.filter((one) => isMatch(listResources.INTENT.toItem(one)))) {
          expect(scope.admits(intentCountKey(intent))).toBe(true);
          for (const plan of plans) {
            const segments = holding(plan, intent).length;
            // One with two recipients that are asked for lies in two, and is met once.
            const isOnce = plan.index === "byExternalId" ? segments > 0 : segments === 1;
            expect(isOnce, JSON.stringify(query.filter)).toBe(true);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  test("tight segments and counters hold nothing but matches", () => {
    fc.assert(
      fc.property(drawn, ({ all, query }) => {
        const scope = scopeOf(TENANT, "INTENT", query);
        const counts = countAll(scope, all);
        const isMatch = compileFilter(query.filter);
        const matched = all.filter((one) => isMatch(listResources.INTENT.toItem(one)));
        if (scope.totalFrom === "counters") expect(countedIn(TENANT, scope, counts)).toBe(matched.length);
        for (const plan of [planList(TENANT, scope, counts), planChanges(scope)]) {
          if (plan.isTight) expect(all.filter((intent) => holding(plan, intent).length > 0)).toEqual(matched);
        }
      }),
      { numRuns: RUNS },
    );
  });
});

describe("the plan of a list", () => {
  const plan = (filter: object, counts: Record<string, number> = {}) => {
    const scope = scopeOf(TENANT, "INTENT", listQuery({ filter: { ...filter } }));
    const { index, segments } = planList(TENANT, scope, [new Map(Object.entries(counts))]);
    return { index, segments: segments.length, totalFrom: scope.totalFrom };
  };
  const counts = { "draft|a|manual": 10, "draft|b|bulk": 10, "completed|a|manual": 80, "failed|a|manual": 0 };

  test.each([
    ["everything", {}, { index: "byCreation", segments: 1, totalFrom: "counters" }],
    ["one status", { status: "draft" }, { index: "byFacet", segments: 2, totalFrom: "counters" }],
    ["a status that nothing has", { status: "failed" }, { index: "byFacet", segments: 0, totalFrom: "counters" }],
    ["all but one status", { status: { $ne: "draft" } }, { index: "byFacet", segments: 1, totalFrom: "counters" }],
    [
      "a facet that everything has",
      { useCase: { $in: ["a", "b"] } },
      { index: "byCreation", segments: 1, totalFrom: "counters" },
    ],
    [
      "any of two facets",
      { $or: [{ status: "draft" }, { deliveryMode: "bulk" }] },
      { index: "byFacet", segments: 2, totalFrom: "counters" },
    ],
    [
      "a range of dates",
      { createdAt: { $gte: "2026-11-01T00:00:00.000Z" } },
      { index: "byCreation", segments: 1, totalFrom: "keys" },
    ],
    ["ids", { _id: { $in: ["x", "y"] } }, { index: "byCreation", segments: 2, totalFrom: "records" }],
    [
      "parents",
      { "createdFrom.paymentIntentId": { $in: ["x", "y"] } },
      { index: "byOwner", segments: 2, totalFrom: "counters" },
    ],
    ["one id of the caller's own", { externalId: "x" }, { index: "byExternalId", segments: 1, totalFrom: "keys" }],
    [
      "such ids of a status",
      { externalId: { $in: ["x", "y"] }, status: "draft" },
      { index: "byExternalId", segments: 2, totalFrom: "records" },
    ],
    [
      "recipients by such an id, of one parent",
      { "recipients.externalId": "x", "createdFrom.paymentIntentId": "y" },
      { index: "byExternalId", segments: 1, totalFrom: "records" },
    ],
    [
      "more ids than are merged",
      { id: { $in: Array.from({ length: 101 }, String) } },
      { index: "byCreation", segments: 1, totalFrom: "records" },
    ],
  ])("of %s", (_, filter, expected) => {
    expect(plan(filter, counts)).toEqual(expected);
  });

  test("reads by a facet also where every match must be looked at", () => {
    expect(plan({ status: "draft", name: "x" }, counts)).toMatchObject({ index: "byFacet", segments: 2 });
    expect(plan({ status: "completed", name: "x" }, counts)).toMatchObject({ index: "byFacet", segments: 1 });
  });

  test("finds nothing by a key that is longer than any key of the table", () => {
    expect(plan({ "createdFrom.paymentIntentId": "x".repeat(3_000) })).toMatchObject({ segments: 0 });
    expect(plan({ id: "x".repeat(3_000) })).toMatchObject({ segments: 0 });
  });

  test("finds nothing in a range that ends before it begins", () => {
    const createdAt = { $gte: "2026-11-02T00:00:00.000Z", $lt: "2026-11-01T00:00:00.000Z" };
    expect(plan({ createdAt })).toMatchObject({ segments: 0 });
  });
});

describe("by their last change or by their ids", () => {
  const SINCE = "2026-11-22T00:00:00.000Z";
  const up = [{ path: "updatedAt", descending: false }];
  const byStatus = { "draft|a|manual": 20, "completed|a|manual": 99_980 };

  /** The order that records are read in, of 100,000, of which `changed` lie in the range of changes. */
  function orderFor(filter: object, sort: ListQuery["sort"], changed?: number, skip = 0) {
    const scope = scopeOf(TENANT, "INTENT", listQuery({ filter: { ...filter }, sort }));
    const counts = scope.lists.map(() => new Map(Object.entries(byStatus)));
    return chooseOrder(TENANT, scope, { counts, changed }, { skip, limit: 50 });
  }

  test.each([
    ["a few changes in the order of ids", { updatedAt: { $gt: SINCE } }, [], 30, "changeSK"],
    ["nearly all in the order of ids", { updatedAt: { $gt: SINCE } }, [], 90_000, "listSK"],
    ["a few changes of a status", { updatedAt: { $gt: SINCE }, status: "completed" }, up, 30, "changeSK"],
    ["many changes of a rare status", { updatedAt: { $gt: SINCE }, status: "draft" }, up, 5_000, "listSK"],
    ["a rare status in the order of changes", { status: "draft" }, up, undefined, "listSK"],
    ["a common status in the order of changes", { status: "completed" }, up, undefined, "changeSK"],
    ["a field without an index, of all", { name: "x" }, up, undefined, "changeSK"],
    ["a field without an index, of all in the order of ids", { name: "x" }, [], undefined, "listSK"],
    ["a field without an index, of a few changes", { name: "x", updatedAt: { $gt: SINCE } }, up, 30, "changeSK"],
    ["one id", { id: "x", updatedAt: { $gt: SINCE } }, up, 30, "listSK"],
    ["the children of a parent", { "createdFrom.paymentIntentId": "p0" }, up, undefined, "listSK"],
  ] as const)("%s are read where it costs least", (_, filter, sort, changed, expected) => {
    expect(orderFor(filter, sort, changed)).toBe(expected);
  });

  test("a common status is read in the order of changes at a deep place, too", () => {
    expect(orderFor({ status: "completed" }, up, undefined, 90_000)).toBe("changeSK");
  });
});

test("the indexes of lists are those of the table", () => {
  const schema = mainTableSchema.indexes.map(({ name, partitionKey, sortKey }) => [
    name,
    { partitionKey: partitionKey.name, sortKey: sortKey.name },
  ]);
  expect(Object.fromEntries(schema)).toMatchObject(listIndexes);
});

test("a query that reads too much is told what it asked for and what would narrow it", () => {
  const query = listQuery({
    filter: { $or: [{ name: "x" }, { "payer.role": "y" }] },
    sort: [{ path: "name", descending: true }],
    skip: 7,
  });
  expect(tooMuchOf("INTENT", query)).toBe(
    "filter on name, payer.role with sort by name with skip 7 would read too many records: " +
      "narrow it by externalId, recipients.externalId, status, useCase, deliveryMode, createdFrom.paymentIntentId, " +
      "createdAt or updatedAt",
  );
  expect(tooMuchOf("STUDENT", listQuery())).toContain("narrow it by externalId, email, createdAt or updatedAt");
  expect(tooMuchOf("PAYEE", listQuery())).toContain("narrow it by createdAt");
});
