import type { ListQuery } from "@intents/domain/lists/query.ts";
import type { ListKind } from "@intents/domain/lists/resources.ts";
import { listRecords } from "@intents/storage/lists/lists.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { startTable } from "@intents/storage/test/table-fixture.ts";
import { loadCollection } from "../service/collections.ts";
import { type Row, toRow } from "./figures.ts";
import { interleave, msOf, type Plan } from "./plan.ts";

const SMALL = 1_000;
const CALLS_PER_ROUND = 25;

type Shape = Readonly<{ name: string; kind?: ListKind; filter: ListQuery["filter"]; isMiddle?: true }>;

const shapes: readonly Shape[] = [
  { name: "default order", filter: {} },
  { name: "status", filter: { status: "draft" } },
  { name: "email", kind: "STUDENT", filter: { email: "student7@example.com" } },
  { name: "cursor, from the middle", filter: {}, isMiddle: true },
];

/** Pages of a large tenant's lists, with their totals, against those of a small tenant. */
export async function measureLists({ rounds, records }: Plan): Promise<Row[]> {
  const { table, stop } = await startTable({ isHostile: false });
  for (const size of [records, SMALL]) await loadCollection(table, String(size), size);
  const rows: Row[] = [];
  for (const shape of shapes) {
    const [ours, baseline] = [await openList(table, shape, records), await openList(table, shape, SMALL)];
    const timed = { ours: () => msOf(ours), baseline: () => msOf(baseline) };
    const times = await interleave(rounds, timed, CALLS_PER_ROUND);
    const [large, small] = [await ours(), await baseline()];
    const row = { name: `list by ${shape.name}, of ${records} against of ${SMALL}`, goal: { atMost: 1.1 } };
    rows.push(
      toRow({ ...row, unit: "read units", ours: [large.readUnits], baseline: [small.readUnits] }),
      toRow({ ...row, unit: "calls", ours: [large.storeCalls], baseline: [small.storeCalls] }),
      toRow({ ...row, unit: "ms", ...times }),
    );
  }
  await stop();
  return rows;
}

/** Opens the list of the tenant with so many records. Each call reads its page, and gives the cost of page and total. */
async function openList(table: Table, { kind = "INTENT", filter, isMiddle }: Shape, records: number) {
  const read = async (place: Partial<ListQuery>) => {
    const query = { filter, sort: [], population: [], skip: 0, limit: 50, stripped: [], ...place };
    const page = await listRecords(table, String(records), kind, query, { isExplained: true });
    if (!page.ok || page.value.items.length === 0) throw new Error("The list that was measured is empty");
    return page.value;
  };
  const { nextCursor: cursor = "" } = isMiddle ? await read({ skip: records / 2 }) : {};
  return async () => {
    const { page, total } = (await read(isMiddle ? { cursor } : {})).explain?.reads ?? {};
    const sumOf = (cost: "readUnits" | "storeCalls") => (page?.[cost] ?? Number.NaN) + (total?.[cost] ?? Number.NaN);
    return { readUnits: sumOf("readUnits"), storeCalls: sumOf("storeCalls") };
  };
}
