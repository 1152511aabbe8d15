import { BatchGetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { ListQuery } from "@intents/domain/lists/query.ts";
import { storedIntent } from "@intents/domain/test/intent-fixture.ts";
import { listQuery } from "@intents/domain/test/query-fixture.ts";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeIntent } from "../../test/intent-fixture.ts";
import { startTable } from "../../test/table-fixture.ts";
import { findIntent } from "../intents/intents.ts";
import { keysOf } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { listRecords } from "./lists.ts";

/** The suite tries a part of what the whole does. */
const PART = process.env["WHOLE"] === "1" ? 1 : 0.5;

let table: Table;
let stop: () => Promise<void>;
beforeEach(async () => {
  ({ table, stop } = await startTable());
});
afterEach(() => stop());

const START_MS = Date.UTC(2026, 10, 22);
const tenantId = "changes";
const dateAt = (ms: number) => new Date(START_MS + ms).toISOString();
const idAt = (index: number) => (START_MS + index).toString(16).padStart(12, "0").padEnd(24, "0");
const UP = [{ path: "updatedAt", descending: false }] as const;

const add = async (index: number, changedMs = index, changes: Partial<PaymentIntent> = {}) => {
  const dates = { createdAt: dateAt(index), updatedAt: dateAt(changedMs) };
  await writeIntent(table, undefined, storedIntent({ id: idAt(index), tenantId, ...dates, ...changes }));
};
async function touch(index: number, changedMs: number, changes: Partial<PaymentIntent> = {}): Promise<void> {
  const found = await findIntent(table, tenantId, idAt(index));
  if (!found.ok) throw new Error("There is no such intent");
  await writeIntent(table, found.value, { ...found.value, updatedAt: dateAt(changedMs), ...changes });
}

async function list(changes: Partial<ListQuery>, from = table) {
  const page = await listRecords(from, tenantId, "INTENT", listQuery(changes), { isExplained: true });
  if (!page.ok) throw new Error(JSON.stringify(page.failure));
  return page.value;
}
const indexesOf = (items: readonly { id: string }[]) =>
  items.map(({ id }) => Number.parseInt(id.slice(0, 12), 16) - START_MS);

/** Reads page by page to the end; `between` happens before each further page. */
async function readOn(query: Partial<ListQuery>, between: () => Promise<void> = async () => undefined, from = table) {
  const met: { id: string; updatedAt: string }[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ ...query, ...(cursor !== undefined && { cursor }) }, from);
    met.push(...page.items);
    cursor = page.nextCursor;
    if (cursor !== undefined) await between();
  } while (cursor !== undefined);
  return met;
}

/** The same table; `meanwhile` happens before the first records are fetched. */
function interrupted(meanwhile: () => Promise<void>): Table {
  let isFirst = true;
  const send = async (command: unknown) => {
    if (isFirst && command instanceof BatchGetCommand) {
      isFirst = false;
      await meanwhile();
    }
    return table.db.send(command as BatchGetCommand);
  };
  return { ...table, db: Object.create(table.db, { send: { value: send } }) };
}

describe("records by their last change", () => {
  test("are read from the index of changes, two of many at the cost of two", async () => {
    for (let index = 0; index < 60; index++) await add(index);
    await touch(7, 1_000);
    await touch(3, 2_000);
    const filter = { updatedAt: { $gt: dateAt(59) } };
    const units = async (query: Partial<ListQuery>) => {
      const { explain } = await list(query);
      return (explain?.reads.page.readUnits ?? Number.NaN) + (explain?.reads.total.readUnits ?? Number.NaN);
    };
    for (const [sort, expected] of [
      [UP, [7, 3]],
      [[{ path: "updatedAt", descending: true }], [3, 7]],
      [[], [7, 3]],
    ] as const) {
      const page = await list({ filter, sort });
      expect(indexesOf(page.items)).toEqual(expected);
      expect(page).toMatchObject({ total: 2, hasMore: false, explain: { index: "byChange" } });
      expect(await units({ filter, sort })).toBeLessThan(await units({}));
    }
    const narrow = await list({ filter: { ...filter, status: "draft", name: "another" }, sort: UP });
    expect(narrow).toMatchObject({ items: [], total: 0, explain: { index: "byChange" } });
  });

  test("are read in whichever way reads less: by facet where few can match, and by creation where most do", async () => {
    for (let index = 0; index < 60; index++) await add(index, index, index === 30 ? { status: "failed" } : {});
    const since = (ms: number) => ({ updatedAt: { $gte: dateAt(ms) } });
    const indexFor = async (query: Partial<ListQuery>) => (await list(query)).explain?.index;
    expect(await indexFor({ filter: { status: "failed" }, sort: UP })).toBe("byFacet");
    expect(await indexFor({ filter: { status: "draft" }, sort: UP, limit: 5 })).toBe("byChange");
    expect(await indexFor({ filter: { status: "draft", ...since(55) }, sort: UP })).toBe("byChange");
    expect(await indexFor({ filter: since(1) })).toBe("byCreation");
    expect(await indexFor({ filter: { id: idAt(3), ...since(1) }, sort: UP })).toBe("byCreation");
  });

  test("that change between the reading of the index and that of the records are met, and hide no other", async () => {
    for (let index = 0; index < 12; index++) await add(index);
    for (const descending of [false, true]) {
      const moving = interrupted(async () => {
        for (const index of [2, 9]) await touch(index, descending ? 200_000 : 100_000);
      });
      const met = await readOn({ sort: [{ path: "updatedAt", descending }], limit: 4 }, undefined, moving);
      expect(new Set(indexesOf(met))).toEqual(new Set(Array.from({ length: 12 }, (_, index) => index)));
    }
  });
});

test("a record that moves is shown once, while the index has it in both places", async () => {
  for (let index = 0; index < 8; index++) await add(index);
  await touch(2, 1_000);
  const send = async (command: QueryCommand) => {
    const output = await table.db.send(command);
    if (!(command instanceof QueryCommand) || command.input.IndexName !== "byChange") return output;
    const former = { ...keysOf(tenantId).intent(idAt(2)), changeSK: `${dateAt(2)}#${idAt(2)}` };
    return { ...output, Items: output.Items?.toSpliced(2, 0, former) };
  };
  const both: Table = { ...table, db: Object.create(table.db, { send: { value: send } }) };
  const page = await list({ sort: UP, limit: 10 }, both);
  expect(indexesOf(page.items)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

describe("who follows by updatedAt upwards", () => {
  test("meets every record at least once, and every change that comes before the last page", async () => {
    const changes = fc.array(fc.record({ index: fc.nat(14), afterMs: fc.integer({ min: 1, max: 50 }) }), {
      maxLength: 4,
    });
    for (let index = 0; index < 15; index++) await add(index);
    let nowMs = 1_000;
    const stood = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(changes, { minLength: 6, maxLength: 6 }),
        fc.integer({ min: 2, max: 6 }),
        async (steps, limit) => {
          const left = [...steps];
          const met = await readOn({ sort: UP, limit }, async () => {
            for (const { index, afterMs } of left.shift() ?? []) {
              nowMs += afterMs;
              await touch(index, nowMs);
              stood.set(index, nowMs);
            }
          });
          const seen = new Set(met.map(({ id, updatedAt }) => `${id} ${updatedAt}`));
          expect(new Set(indexesOf(met)).size).toBe(15);
          for (const [index, ms] of stood) expect(seen).toContain(`${idAt(index)} ${dateAt(ms)}`);
        },
      ),
      { numRuns: 12 * PART, seed: 8 },
    );
  });

  /** The time by which the clock that dated a change may be behind when the change is stored. */
  const LATE_MS = 60;
  const follow = async (known: Map<string, string>, marginMs: number): Promise<void> => {
    const newest = [...known.values()].toSorted().at(-1);
    const fromMs = newest === undefined ? 0 : Date.parse(newest) - START_MS - marginMs;
    const operator = marginMs === 0 ? "$gt" : "$gte";
    const filter = newest === undefined ? {} : { updatedAt: { [operator]: dateAt(fromMs) } };
    for (const { id, updatedAt } of await readOn({ filter, sort: UP, limit: 3 })) known.set(id, updatedAt);
  };

  test("and asks again from some seconds before the newest seen learns of changes that were dated by a late clock", async () => {
    const writes = fc.record({ index: fc.nat(7), afterMs: fc.nat(80), lateMs: fc.nat(LATE_MS) });
    for (let index = 0; index < 8; index++) await add(index);
    const stored = new Map<string, string>(Array.from({ length: 8 }, (_, index) => [idAt(index), dateAt(index)]));
    const known = new Map<string, string>();
    let nowMs = 1_000;
    await fc.assert(
      fc.asyncProperty(fc.array(writes, { minLength: 1, maxLength: 6 }), async (some) => {
        for (const { index, afterMs, lateMs } of some) {
          nowMs += afterMs;
          const before = Date.parse(stored.get(idAt(index)) ?? "") - START_MS;
          const changedMs = Math.max(before + 1, nowMs - lateMs);
          await touch(index, changedMs);
          stored.set(idAt(index), dateAt(changedMs));
        }
        await follow(known, LATE_MS + 1);
        expect(known).toEqual(stored);
      }),
      { numRuns: 30 * PART, seed: 8 },
    );
  });

  test("and asks only for what is newer than the newest seen misses them", async () => {
    for (let index = 0; index < 2; index++) await add(index);
    const known = new Map<string, string>();
    await touch(1, 1_000);
    await follow(known, 0);
    await touch(0, 990);
    await follow(known, 0);
    expect(known.get(idAt(0))).toBe(dateAt(0));
    await follow(known, LATE_MS);
    expect(known.get(idAt(0))).toBe(dateAt(990));
  });
});
