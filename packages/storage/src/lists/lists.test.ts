import { toIntentItem } from "@intents/domain/answers/intent-answer.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { ListQuery } from "@intents/domain/lists/query.ts";
import { storedIntent } from "@intents/domain/test/intent-fixture.ts";
import { listQuery } from "@intents/domain/test/query-fixture.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeIntent } from "../../test/intent-fixture.ts";
import { startTable } from "../../test/table-fixture.ts";
import { listRecords } from "./lists.ts";

const { table, stop } = await startTable();
afterAll(stop);

/** Stores intents of one tenant, the oldest first, and gives them as list items, the newest first. */
async function store(tenantId: string, drafts: readonly Partial<PaymentIntent>[]): Promise<Item[]> {
  const intents = await Promise.all(
    drafts.map(async (changes, index) => {
      const after = storedIntent({ id: String(index).padStart(24, "0"), tenantId, ...changes });
      return (await writeIntent(table, undefined, after)).intent;
    }),
  );
  return intents.map((one) => toIntentItem(one)).toReversed();
}
type Item = ReturnType<typeof toIntentItem>;

async function list(tenantId: string, query: Partial<ListQuery> = {}) {
  const page = await listRecords(table, tenantId, "INTENT", listQuery(query));
  if (!page.ok) throw new Error(JSON.stringify(page.failure));
  return page.value;
}
const namesOf = ({ items }: { items: readonly Item[] }) => items.map(({ name }) => name);

describe("a list of 60 intents", () => {
  const tenantId = "60";
  const statuses = ["draft", "executing", "completed"] as const;
  let stored: Item[];
  beforeAll(async () => {
    stored = await store(
      tenantId,
      Array.from({ length: 60 }, (_, index) => ({
        name: `name-${index % 7}`,
        status: statuses[index % 3]!,
        amountMode: index % 5 === 0 ? "recipient_fixed" : "payer_fixed",
        ...(index % 4 === 0 && { createdFrom: { paymentIntentId: `parent-${index % 8}` } }),
      })),
    );
  });

  test.each([1, 7, 20, 59, 60, 61])("in pages of %i is every intent once, the newest first", async (limit) => {
    const pages = [];
    for (let skip = 0; skip < 60; skip += limit) pages.push(await list(tenantId, { skip, limit }));
    expect(pages.flatMap(({ items }) => items)).toEqual(stored);
    expect(pages.map(({ hasMore }) => hasMore)).toEqual(pages.map((_, index) => index < pages.length - 1));
    expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([60]));
  });

  test("is empty past its end and at limit 0, with its total", async () => {
    expect(await list(tenantId, { skip: 60 })).toEqual({ items: [], hasMore: false, total: 60 });
    expect(await list(tenantId, { skip: 1_000 })).toEqual({ items: [], hasMore: false, total: 60 });
    expect(await list(tenantId, { limit: 0 })).toEqual({ items: [], hasMore: true, total: 60 });
  });

  test("is empty for another tenant", async () => {
    expect(await list("61")).toEqual({ items: [], hasMore: false, total: 0 });
  });

  test.each<[ListQuery["filter"], (intent: Item) => boolean]>([
    [{ status: "draft" }, ({ status }) => status === "draft"],
    [{ status: "cancelled" }, () => false],
    [{ status: "draft", useCase: "education_provider_tuition" }, ({ status }) => status === "draft"],
    [{ deliveryMode: "bulk" }, () => false],
    [{ amountMode: "recipient_fixed" }, ({ amountMode }) => amountMode === "recipient_fixed"],
    [{ name: "name-3" }, ({ name }) => name === "name-3"],
    [{ name: "name-3", status: "executing" }, ({ name, status }) => name === "name-3" && status === "executing"],
    [{ id: "000000000000000000000042" }, ({ id }) => id.endsWith("42")],
    [{ _id: "000000000000000000000042" }, ({ id }) => id.endsWith("42")],
    [{ "recipients.connectorPayeeId": 5001 }, () => true],
    [{ nothing: "here" }, () => false],
    [{ "createdFrom.paymentIntentId": "parent-4" }, ({ createdFrom }) => createdFrom?.paymentIntentId === "parent-4"],
    [
      { "createdFrom.paymentIntentId": "parent-0", status: "draft" },
      ({ createdFrom, status }) => createdFrom?.paymentIntentId === "parent-0" && status === "draft",
    ],
    [
      { "createdFrom.paymentIntentId": "parent-0", name: "name-1" },
      ({ createdFrom, name }) => createdFrom?.paymentIntentId === "parent-0" && name === "name-1",
    ],
  ])("filtered by %j has the matches, their total and their pages", async (filter, isWanted) => {
    const wanted = stored.filter(isWanted);
    expect(await list(tenantId, { filter })).toMatchObject({
      items: wanted.slice(0, 50),
      hasMore: wanted.length > 50,
      total: wanted.length,
    });
    expect(await list(tenantId, { filter, skip: 2, limit: 3 })).toMatchObject({
      items: wanted.slice(2, 5),
      hasMore: wanted.length > 5,
      total: wanted.length,
    });
  });
});

describe("a list of several pages of 1 MB each", () => {
  const tenantId = "large";
  const filler = "x".repeat(300_000);
  beforeAll(async () => {
    // Of twenty-one intents only the oldest matches, which is small, so that most of the store's pages come out empty.
    const large = Array.from({ length: 20 }, (_, index) => ({ name: `${index} ${filler}` }));
    await store(tenantId, [{ name: "needle", amountMode: "recipient_fixed", deliveryMode: "bulk" }, ...large]);
  });

  test("finds the one match on the last page, whether the store or the service filters", async () => {
    for (const filter of [{ amountMode: "recipient_fixed" }, { deliveryMode: "bulk" }, { name: "needle" }]) {
      const page = await list(tenantId, { filter, limit: 1 });
      expect(namesOf(page)).toEqual(["needle"]);
      expect(page).toMatchObject({ hasMore: false, total: 1 });
    }
  });

  test("is read to its end for a filter that nothing matches", async () => {
    expect(await list(tenantId, { filter: { amountMode: "legacy_reissue" } })).toEqual({
      items: [],
      hasMore: false,
      total: 0,
    });
  });

  test("is cut at 4.5 MB, says that there is more, and continues from there (H34)", async () => {
    const first = await list(tenantId);
    expect(first).toMatchObject({ hasMore: true, total: 21 });
    expect(JSON.stringify(first.items).length).toBeLessThan(4_600_000);
    const second = await list(tenantId, { skip: first.items.length });
    expect(second.hasMore).toBe(false);
    const numbers = [...namesOf(first), ...namesOf(second)].map((name) => name?.split(" ")[0]);
    expect(numbers).toEqual([...Array.from({ length: 20 }, (_, index) => String(19 - index)), "needle"]);
  });

  test("skips over large records to those behind them", async () => {
    expect(namesOf(await list(tenantId, { skip: 20, limit: 5 }))).toEqual(["needle"]);
  });
});
