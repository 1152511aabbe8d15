import { storedIntent } from "@intents/domain/intents/intent-fixture.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { ListQuery } from "@intents/domain/lists/query.ts";
import { listQuery } from "@intents/domain/lists/query-fixture.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { writeIntent } from "../intents/intent-fixture.ts";
import { findIntent } from "../intents/intents.ts";
import type { Table } from "../table/table.ts";
import { startTable } from "../table/table-fixture.ts";
import { storeAll } from "./list-fixture.ts";
import { listRecords } from "./lists.ts";

const START_MS = Date.UTC(2026, 10, 21, 9);

let table: Table;
let windows: Table;
let stop: () => Promise<void>;
beforeAll(async () => {
  const started = await startTable();
  ({ table, stop } = started);
  // The rail's table has the same keys as the table for windows.
  windows = { ...table, name: started.railTableName };
  await add(BASE);
});
afterAll(() => stop());

const tenantId = "reader";
let nowMs: number;
let made = 0;
/** The API key of a walk. Every test has one of its own. */
let key: string;
let keys = 0;
beforeEach(() => {
  nowMs = START_MS;
  key = `key-${++keys}`;
});
/** The number of intents, enough for a page after every bookmark. */
const BASE = 420;

const newIntent = (changes: Partial<PaymentIntent> = {}): PaymentIntent => {
  const ms = START_MS + made++;
  const id = ms.toString(16).padStart(12, "0").padEnd(24, "0");
  return storedIntent({ id, tenantId, createdAt: new Date(ms).toISOString(), ...changes });
};
const add = (count: number, changes: Partial<PaymentIntent> = {}) =>
  storeAll(
    table,
    Array.from({ length: count }, () => newIntent(changes)),
  );

async function list(changes: Partial<ListQuery> = {}, clientId = key) {
  const page = await listRecords(table, tenantId, "INTENT", listQuery(changes), {
    reader: { windows, clientId, nowMs },
    isExplained: true,
  });
  if (!page.ok) throw new Error(JSON.stringify(page.failure));
  return page.value;
}
const idsOf = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => id);

/** The ids of all that matches now, read without a walk. */
async function idsNow(changes: Partial<ListQuery> = {}): Promise<string[]> {
  const page = await listRecords(table, tenantId, "INTENT", listQuery({ ...changes, limit: 1000 }));
  if (!page.ok || page.value.hasMore) throw new Error("There is more than one page");
  return idsOf(page.value);
}

/** Reads all pages as a caller does, and gives the ids in the order in which they came. */
async function walkAll(changes: Partial<ListQuery>, between?: () => Promise<void>): Promise<string[]> {
  const met: string[] = [];
  for (;;) {
    const page = await list({ ...changes, skip: met.length });
    met.push(...idsOf(page));
    if (!page.hasMore) return met;
    await between?.();
  }
}

describe("a walk through all pages", () => {
  test.each([
    [25, {}],
    [50, {}],
    [100, {}],
    [250, {}],
    [60, { filter: { status: "draft" } }],
    [60, { filter: { amountMode: "payer_fixed" } }],
    [60, { filter: { createdAt: { $gte: new Date(START_MS).toISOString() } } }],
  ])("of %i each shows everything once while new records are added in front: %j", async (limit, query) => {
    const before = await idsNow(query);
    expect(await walkAll({ ...query, limit }, () => add(2))).toEqual(before);
  });

  test.each([[{ path: "createdAt", descending: false }], [{ path: "id", descending: false }]])(
    "upwards by %j also shows records that are added meanwhile",
    async (key) => {
      const end = made + 20;
      await walkAll({ sort: [key], limit: 120 }, () => (made < end ? add(10) : Promise.resolve()));
      const met = await walkAll({ sort: [key], limit: 120 }, () => (made < end + 20 ? add(10) : Promise.resolve()));
      expect(met).toEqual((await idsNow()).toReversed());
    },
  );

  test("begins anew at skip 0", async () => {
    await walkAll({ limit: 200 }, () => add(5));
    expect(await walkAll({ limit: 200 })).toEqual(await idsNow());
  });
});

describe("a bookmark", () => {
  test("lets a deep page read no more than it shows", async () => {
    for (const skip of [0, 100, 200, 300]) await list({ skip, limit: 100 });
    const page = await list({ skip: 400, limit: 10 });
    expect(page.explain).toMatchObject({ bookmark: 400, index: "byCreation" });
    // Beside the page and the bookmark, one more record is read, to tell whether there are more.
    expect(page.explain?.reads.page.itemsRead).toBeLessThanOrEqual(10 + 1 + 1);
    expect(idsOf(page)).toEqual((await idsNow()).slice(400, 410));
  });

  test("also serves later pages, which skip keys instead of records", async () => {
    await list({ limit: 200 });
    const page = await list({ skip: 405, limit: 10 });
    expect(page.explain).toMatchObject({ bookmark: 200, index: "byFacet" });
    expect(idsOf(page)).toEqual((await idsNow()).slice(405, 415));
  });

  test.each<[string, Partial<ListQuery>, string | undefined]>([
    ["another key", {}, "another"],
    ["another filter", { filter: { status: "draft" } }, undefined],
    ["another order", { sort: [{ path: "id", descending: false }] }, undefined],
  ])("does not serve %s", async (_, changes, clientId) => {
    await list({ limit: 210 });
    expect((await list({ skip: 210, limit: 5, ...changes }, clientId)).explain?.bookmark).toBeUndefined();
  });

  test("serves the same filter in whatever order it is written, with any limit and projection", async () => {
    await list({ filter: { status: "draft", useCase: "education_provider_tuition" }, limit: 210 });
    const filter = { useCase: "education_provider_tuition", status: "draft" };
    const page = await list({ filter, skip: 210, limit: 5, projection: { mode: "include", paths: ["id"] } });
    expect(page.explain?.bookmark).toBe(210);
  });

  test("is used for 15 minutes by the clock; after that a skip counts from the newest record again", async () => {
    const before = await idsNow();
    await list({ limit: 250 });
    await add(5);
    nowMs += 15 * 60_000 - 1;
    expect(idsOf(await list({ skip: 250, limit: 5 }))).toEqual(before.slice(250, 255));
    nowMs += 1;
    const late = await list({ skip: 250, limit: 5 });
    expect(late.explain?.bookmark).toBeUndefined();
    expect(idsOf(late)).toEqual(before.slice(245, 250));
  });

  test("of an earlier walk is not used by the next one", async () => {
    await list({ limit: 250 });
    await add(5);
    await list({ limit: 100 });
    const page = await list({ skip: 250, limit: 5 });
    expect(page.explain?.bookmark).toBe(0);
    expect(idsOf(page)).toEqual((await idsNow()).slice(250, 255));
  });

  test("below skip 200 is kept only at the start of a walk", async () => {
    const kept = async (skip: number) => (await list({ skip, limit: 1 })).explain?.bookmark;
    await list({ limit: 5 });
    await list({ skip: 5, limit: 5 });
    expect(await kept(10)).toBe(0);
  });

  test("is forgotten when the next walk begins, even one that ends with its first page", async () => {
    const query = { filter: { name: "a short list" } };
    await add(2, { name: "a short list" });
    await list({ ...query, limit: 1 });
    await add(1, { name: "a short list" });
    const all = idsOf(await list({ ...query, limit: 1000 }));
    expect(all).toHaveLength(3);
    expect(idsOf(await list({ ...query, skip: 1, limit: 10 }))).toEqual(all.slice(1));
  });

  test("still works when the record that it names has left the list", async () => {
    const query = { filter: { status: "draft" } };
    const before = await idsNow(query);
    await list({ ...query, limit: 250 });
    const found = await findIntent(table, tenantId, before[250]!);
    if (!found.ok) throw new Error("not found");
    const after = { ...found.value, status: "cancelled" } as const;
    await writeIntent(table, found.value, after);
    expect(idsOf(await list({ ...query, skip: 250, limit: 10 }))).toEqual(before.slice(251, 261));
  });
});
