import { BatchGetCommand, QueryCommand, type QueryCommandInput } from "@aws-sdk/lib-dynamodb";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { storedIntent } from "@intents/domain/test/intent-fixture.ts";
import { listQuery } from "@intents/domain/test/query-fixture.ts";
import { afterAll, describe, expect, test } from "vitest";
import { writeIntent } from "../../test/intent-fixture.ts";
import { storeAll } from "../../test/list-fixture.ts";
import { startTable } from "../../test/table-fixture.ts";
import { keysOf } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { listRecords } from "./lists.ts";

/** The suite moves a sample of the records. */
const STRIDE = process.env["WHOLE"] === "1" ? 1 : 3;

const { table, stop } = await startTable();
afterAll(stop);

type Items = { Items?: { PK: string }[]; Count?: number };

/** The same table with indexes that answer as `distort` says: late, twice, or with entries that have gone. */
const distorted = (distort: (output: Items, input: QueryCommandInput) => Items): Table => ({
  ...table,
  db: Object.create(table.db, {
    send: {
      value: async (command: QueryCommand) => {
        const output = await table.db.send(command);
        const isIndex = command instanceof QueryCommand && command.input.IndexName !== undefined;
        return isIndex ? { ...output, ...distort(output as unknown as Items, command.input) } : output;
      },
    },
  }),
});

const sortOf = (item: object): string => String((item as { listSK: string }).listSK);
const statusOf = (intent: unknown) => (intent as PaymentIntent).status;

async function tenantOf(count: number, tenantId: string): Promise<PaymentIntent[]> {
  const all = Array.from({ length: count }, (_, index) =>
    storedIntent({ id: String(index).padStart(24, "0"), tenantId, status: index % 2 === 0 ? "draft" : "completed" }),
  );
  await storeAll(table, all);
  return all;
}
const change = async (before: PaymentIntent, status: PaymentIntent["status"]) => {
  const stored = { ...before, version: 1 };
  const { verdict } = await writeIntent(table, stored, { ...stored, status });
  expect(verdict.done).toBe(true);
};

describe("an index that lags behind its table", () => {
  // Both orders of the two partitions are tried: of two equal entries the first is taken.
  test.each([
    ["draft", "completed"],
    ["completed", "draft"],
  ] as const)("shows a record once that moves from %s to %s, wherever their pages end", async (most, few) => {
    const tenantId = `lag-from-${most}`;
    // Nearly all intents are in one partition, so that a page of the list needs several of its pages, and copies in the
    // other partition fall between them.
    const all = await tenantOf(42, tenantId);
    const [other, stays, ...moved] = all.filter(({ status }) => status === few);
    if (other === undefined || stays === undefined) throw new Error("There are too few");
    await change(other, "failed");
    for (const before of moved) await change(before, most);
    const movable = all.filter((one) => one !== other && one !== stays);
    for (const moving of movable.filter((_, index) => index % STRIDE === 0)) {
      const twice = distorted(({ Items = [], ...output }, { IndexName, ExpressionAttributeValues = {} }) => {
        const isFew = IndexName === "byFacet" && String(ExpressionAttributeValues[":pk"]).includes(few);
        if (!isFew) return { Items, ...output };
        const copy = { ...Items[0], PK: keysOf(tenantId).intent(moving.id).PK, listSK: moving.id } as never;
        const sorted = [...Items, copy].toSorted((one, next) => (sortOf(one) < sortOf(next) ? 1 : -1));
        return { ...output, Items: sorted };
      });
      const query = listQuery({ filter: { status: { $in: [most, few] } }, limit: 20 });
      const page = await listRecords(twice, tenantId, "INTENT", query);
      const ids = page.ok ? page.value.items.map(({ id }) => id) : [];
      expect(new Set(ids).size).toBe(20);
    }
  });

  test("shows no record that no longer matches, and its pages end although the counters say more", async () => {
    const all = await tenantOf(40, "lag-1");
    // The index still has ten drafts that are cancelled meanwhile.
    const drafts = all.filter(({ status }) => status === "draft").toReversed();
    const cancelled = drafts.slice(0, 10);
    const stale = new Map<string, Items>();
    const remembering = distorted((output, input) => {
      stale.set(JSON.stringify(input), output);
      return output;
    });
    const query = listQuery({ filter: { status: "draft" }, limit: 15 });
    await listRecords(remembering, "lag-1", "INTENT", query);
    for (const intent of cancelled) await change(intent, "cancelled");
    const lagging = distorted((output, input) => stale.get(JSON.stringify(input)) ?? output);
    const page = await listRecords(lagging, "lag-1", "INTENT", query);
    if (!page.ok) throw new Error("refused");
    expect(page.value.items.map(({ id }) => id)).toEqual(drafts.slice(10).map(({ id }) => id));
    expect(page.value.items.map(statusOf)).not.toContain("cancelled");
    expect(page.value).toMatchObject({ total: 10, hasMore: false });
  });

  test("that lacks the newest record still ends its pages (H30)", async () => {
    await tenantOf(30, "lag-2");
    const late = distorted(({ Items = [] }) => ({ Items: Items.filter(({ PK }) => !/02\d$/.test(PK)) }));
    for (const filter of [{}, { status: "draft" }]) {
      let met = 0;
      for (let pages = 0; pages < 20; pages++) {
        const page = await listRecords(late, "lag-2", "INTENT", listQuery({ filter, skip: met, limit: 4 }));
        if (!page.ok) throw new Error("refused");
        met += page.value.items.length;
        if (!page.value.hasMore) break;
        expect(page.value.items.length).toBeGreaterThan(0);
      }
      expect(met).toBe("status" in filter ? 10 : 20);
    }
  });

  test("shows a record once that is in two partitions while it moves between them", async () => {
    const all = await tenantOf(10, "lag-3");
    const entries = new Map<string, { PK: string }>();
    await listRecords(
      distorted((output) => {
        for (const item of output.Items ?? []) entries.set(item.PK, item);
        return output;
      }),
      "lag-3",
      "INTENT",
      listQuery({ filter: { status: { $in: ["draft", "completed"] }, name: { $exists: false } } }),
    );
    const filter = { status: { $in: ["draft", "executing"] } };
    await change(all[8]!, "executing");
    // A draft that has just changed its status is still in its former partition as well.
    const both = distorted((output) => {
      const moved = entries.get(`T#lag-3#INTENT#${all[8]!.id}`)!;
      return { Items: [moved, ...(output.Items ?? []).filter(({ PK }) => PK !== moved.PK)] };
    });
    const page = await listRecords(both, "lag-3", "INTENT", listQuery({ filter }));
    if (!page.ok) throw new Error("refused");
    expect(page.value.items.map(({ id }) => id)).toEqual([8, 6, 4, 2, 0].map((index) => all[index]!.id));
  });
});

test("records that the store puts off are waited for", async () => {
  await tenantOf(20, "put-off");
  let isFirst = true;
  const busy: Table = {
    ...table,
    db: Object.create(table.db, {
      send: {
        value: async (command: BatchGetCommand) => {
          if (!(command instanceof BatchGetCommand) || !isFirst) return table.db.send(command);
          isFirst = false;
          return { Responses: {}, UnprocessedKeys: command.input.RequestItems };
        },
      },
    }),
  };
  const page = await listRecords(busy, "put-off", "INTENT", listQuery({ filter: { status: "draft" } }));
  expect(page).toMatchObject({ ok: true, value: { total: 10, hasMore: false } });
  expect(page.ok && page.value.items).toHaveLength(10);
  expect(isFirst).toBe(false);
});
