import { afterAll, expect, test } from "vitest";
import { startTable } from "../../test/table-fixture.ts";
import { clearRailFailures, findRailState, noteRailFailure } from "./rail-state.ts";
import { findSweepCursor, listSweepCursors, moveSweepCursor, rewindSweepCursor } from "./sweeps.ts";

const { table, stop } = await startTable();
afterAll(stop);

const at = (atMs: number, rewinds = 0) => ({ atMs, rewinds });

test("a cursor moves on only from where it was read, and back from wherever it stands", async () => {
  const part = { rail: "r a", shard: 1, age: "near" } as const;
  expect(await findSweepCursor(table, part)).toEqual(at(0));
  expect(await moveSweepCursor(table, part, at(0), 100)).toBe(true);
  expect(await moveSweepCursor(table, part, at(0), 200)).toBe(false);
  expect(await moveSweepCursor(table, part, at(100), 200)).toBe(true);
  expect(await rewindSweepCursor(table, part, 150)).toBe(true);
  expect(await rewindSweepCursor(table, part, 170)).toBe(false);
  expect(await moveSweepCursor(table, part, at(200), 300)).toBe(false);
  expect(await findSweepCursor(table, part)).toEqual(at(150, 1));
  const others = [{ ...part, shard: 2 }, { ...part, age: "far" } as const, { ...part, rail: "s a" }];
  expect(await listSweepCursors(table, [...others, part])).toEqual([undefined, undefined, undefined, 150]);
});

test("a cursor that was moved back to the beginning moves on from there", async () => {
  const part = { rail: "r b", shard: 0, age: "near" } as const;
  expect(await moveSweepCursor(table, part, at(0), 100)).toBe(true);
  expect(await rewindSweepCursor(table, part, 0)).toBe(true);
  expect(await moveSweepCursor(table, part, at(0, 1), 200)).toBe(true);
  expect(await findSweepCursor(table, part)).toEqual(at(200, 1));
});

test.each([0, 100])(
  "what was handed back from %i keeps whoever had read the cursor from moving it, even back there",
  async (atMs) => {
    const part = { rail: "r c", shard: atMs, age: "near" } as const;
    if (atMs > 0) await moveSweepCursor(table, part, at(0), atMs);
    const read = await findSweepCursor(table, part);
    expect(await rewindSweepCursor(table, part, atMs)).toBe(true);
    expect(await moveSweepCursor(table, part, read, 200)).toBe(false);
    expect(await moveSweepCursor(table, part, await findSweepCursor(table, part), 200)).toBe(true);
    expect(await rewindSweepCursor(table, part, atMs)).toBe(true);
    expect(await moveSweepCursor(table, part, read, 300)).toBe(false);
    expect(await findSweepCursor(table, part)).toEqual(at(atMs, 2));
  },
);

test("a rail's failures are counted one by one, whoever else counts the same, and forgotten at once", async () => {
  const rail = "r a";
  const untouched = { failures: 0, retryAtMs: 0, probed: [] };
  expect(await findRailState(table, rail)).toEqual(untouched);
  expect(await noteRailFailure(table, rail, untouched, { retryAtMs: 5, about: "e1" })).toBe(true);
  expect(await noteRailFailure(table, rail, untouched, { retryAtMs: 6 })).toBe(false);
  expect(await findRailState(table, rail)).toEqual({ failures: 1, retryAtMs: 5, probed: ["e1"] });
  const noted = { failures: 1, probed: ["e1", "e2"] };
  expect(await noteRailFailure(table, rail, noted, { retryAtMs: 9, about: "e1" })).toBe(true);
  expect(await findRailState(table, rail)).toEqual({ failures: 2, retryAtMs: 9, probed: ["e2", "e1"] });
  await clearRailFailures(table, rail);
  expect(await findRailState(table, rail)).toEqual(untouched);
});
