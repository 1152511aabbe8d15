import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { ListQuery } from "@intents/domain/lists/query.ts";
import { storedIntent } from "@intents/domain/test/intent-fixture.ts";
import { listQuery } from "@intents/domain/test/query-fixture.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeIntent } from "../../test/intent-fixture.ts";
import { storeAll } from "../../test/list-fixture.ts";
import { startTable } from "../../test/table-fixture.ts";
import { findIntent } from "../intents/intents.ts";
import { listRecords } from "./lists.ts";

const START_MS = Date.UTC(2026, 10, 21, 9);
/** The number of intents: enough for pages whose skipped records are passed by their keys. */
const BASE = 420;

const { table, stop } = await startTable();
afterAll(stop);
beforeAll(async () => {
  await add(BASE);
});

const tenantId = "reader";
let made = 0;
const newIntent = (changes: Partial<PaymentIntent> = {}): PaymentIntent => {
  const ms = START_MS + made++;
  const id = ms.toString(16).padStart(12, "0").padEnd(24, "0");
  const at = new Date(ms).toISOString();
  return storedIntent({ id, tenantId, createdAt: at, updatedAt: at, ...changes });
};
const add = (count: number, changes: Partial<PaymentIntent> = {}) =>
  storeAll(
    table,
    Array.from({ length: count }, () => newIntent(changes)),
  );

const ask = (changes: Partial<ListQuery>, tenant = tenantId) =>
  listRecords(table, tenant, "INTENT", listQuery(changes), { isExplained: true });
async function list(changes: Partial<ListQuery> = {}) {
  const page = await ask(changes);
  if (!page.ok) throw new Error(JSON.stringify(page.failure));
  return page.value;
}
const idsOf = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => id);
const idsNow = async (changes: Partial<ListQuery> = {}) => idsOf(await list({ ...changes, limit: 1000 }));

/** The cursor behind the first `limit` records. */
async function cursorBehind(limit: number, changes: Partial<ListQuery> = {}): Promise<string> {
  const { nextCursor } = await list({ ...changes, limit });
  if (nextCursor === undefined) throw new Error("There is no further page");
  return nextCursor;
}

/** Reads all pages by their cursors, and gives the ids in the order in which they came. */
async function readAll(changes: Partial<ListQuery>, between?: () => Promise<unknown>): Promise<string[]> {
  const met: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await list({ ...changes, ...(cursor !== undefined && { cursor }) });
    met.push(...idsOf(page));
    cursor = page.nextCursor;
    if (cursor === undefined) return met;
    await between?.();
  }
}

async function touch(id: string, changes: Partial<PaymentIntent>): Promise<void> {
  const found = await findIntent(table, tenantId, id);
  if (!found.ok) throw new Error("not found");
  await writeIntent(table, found.value, { ...found.value, ...changes });
}

describe("pages by cursor", () => {
  test.each<[number, Partial<ListQuery>]>([
    [25, {}],
    [250, {}],
    [60, { filter: { status: "draft" } }],
    [140, { filter: { amountMode: "payer_fixed" } }],
    [60, { filter: { createdAt: { $gte: new Date(START_MS).toISOString() } } }],
    [140, { sort: [{ path: "useCase", descending: true }] }],
    [60, { sort: [{ path: "id", descending: true }] }],
  ])("of %i each show everything once while new records are added: %j", async (limit, query) => {
    const before = await idsNow(query);
    const met = await readAll({ ...query, limit }, () => add(2));
    expect(met.filter((id) => before.includes(id))).toEqual(before);
    expect(new Set(met).size).toBe(met.length);
  });

  test.each([[{ path: "createdAt", descending: false }], [{ path: "id", descending: false }]])(
    "upwards by %j also show records that are added meanwhile",
    async (key) => {
      const end = made + 20;
      const met = await readAll({ sort: [key], limit: 120 }, () => (made < end ? add(10) : Promise.resolve()));
      expect(met).toEqual((await idsNow()).toReversed());
    },
  );

  test("by the time of the last change show every record at least once, though some change meanwhile", async () => {
    const before = await idsNow();
    let late = START_MS + 1_000_000;
    const met = await readAll({ sort: [{ path: "updatedAt", descending: false }], limit: 100 }, async () => {
      for (const id of [before[3], before[200], before.at(-2)]) {
        if (late < START_MS + 1_000_012) await touch(id!, { updatedAt: new Date(late++).toISOString() });
      }
    });
    expect(before.filter((id) => !met.includes(id))).toEqual([]);
  });

  test("go on behind a record that has left the list, and show those that stayed once", async () => {
    const filter = { status: "draft" };
    const before = await idsNow({ filter });
    const cursor = await cursorBehind(250, { filter });
    for (const id of [before[249], before[250]]) await touch(id!, { status: "cancelled" });
    expect(idsOf(await list({ filter, limit: 10, cursor }))).toEqual(before.slice(251, 261));
  });

  test("read no more at depth than at the beginning", async () => {
    const itemsRead = async (changes: Partial<ListQuery>) =>
      (await list({ limit: 10, ...changes })).explain?.reads.page.itemsRead;
    expect(await itemsRead({ cursor: await cursorBehind(400) })).toBe(await itemsRead({}));
  });

  test("have the total of the whole list", async () => {
    const { total } = await list();
    expect((await list({ cursor: await cursorBehind(300) })).total).toBe(total);
  });
});

describe("a cursor", () => {
  const draft = { filter: { status: "draft", useCase: "education_provider_tuition" } };

  test("serves the same filter in whatever order it is written, with another limit and projection", async () => {
    const cursor = await cursorBehind(7, draft);
    const filter = { useCase: "education_provider_tuition", status: "draft" };
    const page = await list({ filter, cursor, limit: 2, projection: { mode: "include", paths: ["id"] } });
    expect(idsOf(page)).toEqual((await idsNow(draft)).slice(7, 9));
  });

  test.each<[string, Partial<ListQuery>, string?]>([
    ["another filter", { filter: { status: "draft" } }],
    ["another sort", { ...draft, sort: [{ path: "id", descending: false }] }],
    ["another tenant", draft, "another"],
  ])("of %s is refused", async (_, changes, tenant) => {
    const cursor = await cursorBehind(7, draft);
    const page = await ask({ ...changes, cursor }, tenant);
    expect(page).toMatchObject({
      ok: false,
      failure: { kind: "shape", problems: [expect.stringMatching(/^cursor /)] },
    });
  });

  test("is refused with any one character mistyped, lost or added", async () => {
    const cursor = await cursorBehind(7);
    const wrong = [...cursor].flatMap((letter, at) => {
      const [before, after] = [cursor.slice(0, at), cursor.slice(at + 1)];
      return [`${before}${after}`, `${before}${letter === "A" ? "B" : "A"}${after}`, `${before}x${letter}${after}`];
    });
    for (const typed of [...wrong, "x", cursor.slice(0, 16)]) {
      expect(await ask({ cursor: typed }), typed).toMatchObject({ ok: false, failure: { kind: "shape" } });
    }
  });

  test("holds what the list is sorted by and the id, and nothing of the store", async () => {
    const cursor = await cursorBehind(7, { sort: [{ path: "useCase", descending: false }] });
    const [, , id] = JSON.parse(`[0,${Buffer.from(cursor.slice(16), "base64url").toString().slice(1)}`) as string[];
    expect(await idsNow()).toContain(id);
    expect(Buffer.from(cursor.slice(16), "base64url").toString()).toBe(`["education_provider_tuition","${id}"]`);
  });
});

describe("skip", () => {
  test("means records of the list as it stands, whatever pages were asked for before", async () => {
    await list({ limit: 1 });
    await add(5);
    const now = await idsNow();
    for (const skip of [1, 199, 200, 300, 405]) {
      const page = await list({ skip, limit: 2 });
      expect([skip, idsOf(page), page.total]).toEqual([skip, now.slice(skip, skip + 2), now.length]);
    }
  });

  test("over many records reads their keys, and only the page as records", async () => {
    const unitsOf = async (changes: Partial<ListQuery>) =>
      (await list(changes)).explain?.reads.page.readUnits ?? Number.NaN;
    const [skipped, read] = [await unitsOf({ skip: 400, limit: 10 }), await unitsOf({ limit: 410 })];
    expect(skipped).toBeLessThan(read / 3);
  });

  test("past the end of the list is an empty page", async () => {
    const { total } = await list();
    for (const skip of [total, total + 1, 100_000]) {
      expect(await list({ skip })).toMatchObject({ items: [], hasMore: false, total });
    }
  });
});
