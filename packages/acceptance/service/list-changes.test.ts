import { describe, expect, test } from "vitest";
import { loadCollection } from "./collections.ts";
import { openOperatedService } from "./service-fixture.ts";
import { newDraft, newKey } from "./tuition.ts";

const { client, operator } = await openOperatedService();
const RECORDS = 2_000;
/** The seeded records have the dates of this year's beginning; all others are changed now. */
await loadCollection(operator.table, "1001", RECORDS);
const SEEDED_UNTIL = "2026-01-02T00:00:00.000Z";

type Reads = Readonly<{ itemsRead: number; readUnits: number }>;
type Item = Readonly<{ _id: string; updatedAt: string; status?: string }>;
type Page = Readonly<{
  data: Readonly<Record<string, readonly Item[]>>;
  hasMore: boolean;
  nextCursor?: string;
  total: number;
  explain: Readonly<{ index: string; order: string; reads: Readonly<Record<"page" | "total", Reads>> }>;
}>;

async function list(path: string) {
  const headers = { "X-Explain": "true" };
  const { status, body } = await client.call<Page>("GET", `/v2/${path}`, { headers });
  if (status !== 200) throw new Error(JSON.stringify(body));
  const { page, total } = body.explain.reads;
  const items = Object.values(body.data).flat();
  return { ...body, items, ids: items.map(({ _id }) => _id), units: page.readUnits + total.readUnits };
}

/** Learns of all that changed since the last time, as a tenant is told to: from some time before the newest seen. */
async function follow(known: Map<string, Item>, newest: string): Promise<Item[]> {
  const since = new Date(Date.parse(newest) - 60_000).toISOString();
  const query = `payment-intents?sort=updatedAt&limit=20&filter[updatedAt][$gte]=${since}`;
  const news: Item[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const page: Awaited<ReturnType<typeof list>> = await list(cursor === "" ? query : `${query}&cursor=${cursor}`);
    news.push(...page.items.filter(({ _id, updatedAt }) => known.get(_id)?.updatedAt !== updatedAt));
    for (const item of page.items) known.set(item._id, item);
    cursor = page.nextCursor;
  }
  return news;
}

describe("what changed since, of 2,000 records", () => {
  test("costs two records for two changed ones, whatever the order and the further filters", async () => {
    const oldest = await list("students?sort=_id&limit=2");
    for (const _id of oldest.ids) await client.must("PUT", `/v2/students/${_id}`, { body: { city: "Recife" } });
    const everything = await list("students");
    const since = `students?filter[updatedAt][$gt]=${SEEDED_UNTIL}`;
    for (const [query, ids] of [
      [since, oldest.ids.toReversed()],
      [since.replace("$gt", "$gte"), oldest.ids.toReversed()],
      [`${since}&sort=updatedAt`, oldest.ids],
      [`${since}&sort=-updatedAt`, oldest.ids.toReversed()],
      [`${since}&sort=updatedAt&filter[city]=Recife`, oldest.ids],
      [`${since}&sort=updatedAt&filter[city]=Natal`, []],
      [`${since}&sort=updatedAt&skip=1`, oldest.ids.slice(1)],
    ] as const) {
      const page = await list(query);
      expect(page.ids, query).toEqual(ids);
      expect(page, query).toMatchObject({ hasMore: false, total: query.includes("Natal") ? 0 : 2 });
      expect(page.explain.index, query).toBe("byChange");
      expect(page.explain.reads.page.itemsRead + page.explain.reads.total.itemsRead, query).toBeLessThan(30);
      expect(page.units, query).toBeLessThanOrEqual(6);
      expect(page.units, query).toBeLessThan(1.2 * everything.units);
    }
  });

  test("is every payment that moved, and what became of it", async () => {
    const { id: paid } = await newDraft(client);
    const { id: waiting } = await newDraft(client);
    const known = new Map<string, Item>();
    const [begun] = (await list("payment-intents?sort=-updatedAt&limit=1")).items;
    expect((await follow(known, begun?.updatedAt ?? "")).map(({ _id }) => _id)).toEqual([paid, waiting]);
    await client.submit(paid, newKey());
    await client.waitForStatus(paid, "completed");
    const news = await follow(known, begun?.updatedAt ?? "");
    expect(news).toMatchObject([{ _id: paid, status: "completed" }]);
    expect(await follow(known, news[0]?.updatedAt ?? "")).toEqual([]);
  });

  test("combines with what is counted, and is answered in the way that reads least", async () => {
    const { id } = await newDraft(client);
    const since = `filter[updatedAt][$gt]=${SEEDED_UNTIL}`;
    const drafts = await list(`payment-intents?filter[status]=draft&${since}&sort=-updatedAt&limit=10`);
    expect(drafts.ids[0]).toBe(id);
    expect(drafts.items.map(({ status }) => status)).not.toContain("completed");
    expect(drafts).toMatchObject({ total: drafts.ids.length, explain: { index: "byChange" } });
    expect(drafts.units).toBeLessThan(10);
    const wide = await list(
      "payment-intents?filter[status]=draft&filter[updatedAt][$gt]=2026-01-01T00:00:00Z&limit=10",
    );
    expect(wide.explain.index).toBe("byFacet");
  });
});

test("all records by their last change are read a page at a time, at any depth", async () => {
  const first = await list("payment-intents?sort=updatedAt&limit=50");
  expect(first).toMatchObject({ hasMore: true, explain: { index: "byChange", order: "index" } });
  expect(first.total).toBeGreaterThanOrEqual(RECORDS);
  const deep = await list("payment-intents?sort=updatedAt&limit=50&skip=1500");
  const next = await list(`payment-intents?sort=updatedAt&limit=50&cursor=${deep.nextCursor}`);
  for (const page of [first, next]) expect(page.explain.reads.page.itemsRead).toBeLessThanOrEqual(2 * 51);
  expect((await list("payment-intents?sort=updatedAt&limit=100&skip=1500")).ids).toEqual([...deep.ids, ...next.ids]);
});
