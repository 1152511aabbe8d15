import { isDeepStrictEqual } from "node:util";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { project } from "@intents/domain/lists/projection.ts";
import type { ListQuery } from "@intents/domain/lists/query.ts";
import { listResources } from "@intents/domain/lists/resources.ts";
import { judge } from "@intents/domain/test/filter-oracle-fixture.ts";
import { sortAsMongo } from "@intents/domain/test/sort-oracle-fixture.ts";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { intents, queries, storeAll } from "../../test/list-fixture.ts";
import { startTable } from "../../test/table-fixture.ts";
import type { Table } from "../table/table.ts";
import { listRecords } from "./lists.ts";

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => {
  // With thousands of queries, retries after failed calls would take too long; other tests of lists cover them.
  ({ table, stop } = await startTable({ isHostile: false }));
});
afterAll(() => stop());

const [SAMPLE, WHOLE] = [160, 5_000];
/** How many queries are compared in all: up to the whole the same ones in every run. */
const QUERIES = Number(process.env["LIST_QUERIES"] ?? (process.env["WHOLE"] === "1" ? WHOLE : SAMPLE));
const drawn = { endOnFailure: true, ...(QUERIES <= WHOLE && { seed: 1 }) };
/** How many intents there are, and which part of the queries is about so many; skips get deep from 200 on. */
const collections = [
  { size: 0, part: 0.05 },
  { size: 12, part: 0.75 },
  { size: 60, part: 0.16 },
  { size: 260, part: 0.04 },
];
const AT_ONCE = 8;

const toItem = listResources.INTENT.toItem;

/** The page that a plain matcher finds by looking at everything; equal dates are in the order of their ids. */
function expectedOf(all: readonly PaymentIntent[], query: ListQuery) {
  const [first, second] = query.sort;
  const isByDate = /^(created|updated)At$/.test(first?.path ?? "") && second === undefined;
  const sort = isByDate && first ? [first, { path: "id", descending: first.descending }] : query.sort;
  const matched = sortAsMongo(
    all.map((one) => toItem(one)).filter((item) => judge(item, query.filter)),
    sort,
  );
  const items = matched.slice(query.skip, query.skip + query.limit).map((item) => project(query.projection, item));
  return { items, hasMore: matched.length > query.skip + items.length, total: matched.length };
}

async function compare(tenantId: string, stored: readonly PaymentIntent[], query: ListQuery): Promise<void> {
  const { nextCursor, ...page } = await pageOf(tenantId, query);
  const expected = expectedOf(stored, query);
  // The quick comparison comes first, because thousands of pages are equal.
  if (!isDeepStrictEqual(page, expected)) expect(page, JSON.stringify(query)).toEqual(expected);
  expect(nextCursor !== undefined).toBe(page.hasMore && page.items.length > 0);
  if (nextCursor === undefined) return;
  const { items } = await pageOf(tenantId, { ...query, skip: 0, cursor: nextCursor });
  const behind = expectedOf(stored, { ...query, skip: query.skip + query.limit });
  if (!isDeepStrictEqual(items, behind.items)) expect(items, JSON.stringify(query)).toEqual(behind.items);
}

async function pageOf(tenantId: string, query: ListQuery) {
  const page = await listRecords(table, tenantId, "INTENT", query);
  if (!page.ok) throw new Error(JSON.stringify(page.failure));
  return page.value;
}

const drawAll = (tenantId: string, size: number): PaymentIntent[] =>
  fc.sample(fc.uniqueArray(intents(tenantId), { minLength: size, maxLength: size, selector: ({ id }) => id }), {
    numRuns: 1,
    seed: size,
  })[0] ?? [];

describe.each(collections)("every list of $size intents", ({ size, part }) => {
  const tenantId = `laws-${size}`;
  let stored: PaymentIntent[];
  beforeAll(async () => {
    stored = drawAll(tenantId, size);
    await storeAll(table, stored);
  });

  test("is what a plain matcher finds among all of them", async () => {
    const batches = fc.array(queries(stored.map(({ id }) => id)), { minLength: AT_ONCE, maxLength: AT_ONCE });
    await fc.assert(
      fc.asyncProperty(batches, async (batch) => {
        await Promise.all(batch.map((query) => compare(tenantId, stored, query)));
      }),
      { numRuns: Math.ceil((QUERIES * part) / AT_ONCE), ...drawn },
    );
  });
});

test("every list of records that fill many pages of the store is what a plain matcher finds", async () => {
  const tenantId = "laws-large";
  const filler = "x".repeat(200_000);
  const stored = drawAll(tenantId, 30).map((intent, index) => ({ ...intent, name: `${index % 7} ${filler}` }));
  await storeAll(table, stored);
  const anyQuery = queries(stored.map(({ id }) => id));
  // The projection leaves out the long names, so that no page is cut.
  const projection = { mode: "exclude", paths: ["name"] } as const;
  await fc.assert(
    fc.asyncProperty(anyQuery, (query) => compare(tenantId, stored, { ...query, projection })),
    { numRuns: Math.ceil(QUERIES / 100), ...drawn },
  );
});
