import { afterAll, beforeAll, expect, test } from "vitest";
import type { Table } from "../table/table.ts";
import { startTable } from "../table/table-fixture.ts";
import {
  clearRailFailures,
  findRailState,
  findSweepCursor,
  listSweepCursors,
  moveSweepCursor,
  noteRailFailure,
  rewindSweepCursor,
} from "./sweeps.ts";

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ table, stop } = await startTable());
});
afterAll(() => stop());

test("a cursor moves on only from where it was read, and back from wherever it stands", async () => {
  const part = { rail: "r a", shard: 1, age: "near" } as const;
  expect(await findSweepCursor(table, part)).toBe(0);
  expect(await moveSweepCursor(table, part, 0, 100)).toBe(true);
  expect(await moveSweepCursor(table, part, 0, 200)).toBe(false);
  expect(await moveSweepCursor(table, part, 100, 200)).toBe(true);
  expect(await rewindSweepCursor(table, part, 150)).toBe(true);
  expect(await rewindSweepCursor(table, part, 170)).toBe(false);
  expect(await moveSweepCursor(table, part, 200, 300)).toBe(false);
  expect(await findSweepCursor(table, part)).toBe(150);
  const others = [{ ...part, shard: 2 }, { ...part, age: "far" } as const, { ...part, rail: "s a" }];
  expect(await listSweepCursors(table, [part, ...others])).toEqual([150]);
});

test("a cursor that was moved back to the beginning moves on from there", async () => {
  const part = { rail: "r b", shard: 0, age: "near" } as const;
  expect(await moveSweepCursor(table, part, 0, 100)).toBe(true);
  expect(await rewindSweepCursor(table, part, 0)).toBe(true);
  expect(await moveSweepCursor(table, part, 0, 200)).toBe(true);
  expect(await findSweepCursor(table, part)).toBe(200);
});

test("a rail's failures are counted one by one, whoever else counts the same, and forgotten at once", async () => {
  const rail = "r a";
  expect(await findRailState(table, rail)).toEqual({ failures: 0, retryAtMs: 0 });
  expect(await noteRailFailure(table, rail, 0, { retryAtMs: 5, about: "e1" })).toBe(true);
  expect(await noteRailFailure(table, rail, 0, { retryAtMs: 6 })).toBe(false);
  expect(await findRailState(table, rail)).toEqual({ failures: 1, retryAtMs: 5, about: "e1" });
  expect(await noteRailFailure(table, rail, 1, { retryAtMs: 9 })).toBe(true);
  expect(await findRailState(table, rail)).toEqual({ failures: 2, retryAtMs: 9 });
  await clearRailFailures(table, rail);
  expect(await findRailState(table, rail)).toEqual({ failures: 0, retryAtMs: 0 });
});
