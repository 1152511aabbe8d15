import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { readPartition, startTable } from "../../test/table-fixture.ts";
import { type Count, countActions, readCounts } from "./counters.ts";
import { COUNTER_PARTITIONS, keysOf } from "./keys.ts";
import { transact } from "./transact.ts";

const { table, stop } = await startTable();
afterAll(stop);

let made = 0;
const newCounter = () => `counter-${++made}`;
const count = (...counts: Count[]) => transact(table, () => countActions("1001", counts, table));
const countsOf = async (counter: string, tenantId = "1001") =>
  Object.fromEntries([...(await readCounts(table, tenantId, counter))].filter(([, sum]) => sum !== 0));

async function shardsOf(counter: string) {
  const keys = Array.from({ length: COUNTER_PARTITIONS }, (_, shard) => keysOf("1001").counter(counter, shard));
  return (await Promise.all(keys.map(({ PK }) => readPartition(table, PK)))).flat();
}

describe("a counter", () => {
  test("is exact after any number of changes at once", async () => {
    const key = fc.option(fc.constantFrom("draft|tuition", "executing|tuition", "a.b#c d"), { nil: undefined });
    const changes = fc.array(fc.record({ from: key, to: key }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(changes, async (moves) => {
        const counter = newCounter();
        const counts = moves
          .filter(({ from, to }) => from !== to)
          .map(({ from, to }) => ({ counter, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }));
        await Promise.all(counts.map((move) => count(move)));
        const sums: Record<string, number> = {};
        for (const { from, to } of moves) {
          if (from !== undefined) sums[from] = (sums[from] ?? 0) - 1;
          if (to !== undefined) sums[to] = (sums[to] ?? 0) + 1;
        }
        expect(await countsOf(counter)).toEqual(
          Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0)),
        );
      }),
      { numRuns: 15 },
    );
  });

  test("is right as a sum even when one shard is below zero", async () => {
    const counter = newCounter();
    await count({ counter, from: "a", to: "b" });
    expect(await shardsOf(counter)).toMatchObject([{ a: -1, b: 1 }]);
    await count({ counter, to: "a" });
    expect(await countsOf(counter)).toEqual({ b: 1 });
  });

  test("of 100 records that appear at once counts 100, spread over several items of every partition (H27)", async () => {
    const counter = newCounter();
    await Promise.all(Array.from({ length: 100 }, () => count({ counter, to: "all" })));
    expect(await countsOf(counter)).toEqual({ all: 100 });
    const partitions = (await shardsOf(counter)).map(({ PK }) => PK);
    expect(new Set(partitions).size).toBe(COUNTER_PARTITIONS);
    expect(partitions.length).toBeGreaterThan(COUNTER_PARTITIONS);
  });

  test("is not written when nothing is counted differently", () => {
    expect(countActions("1001", [{ counter: "any", from: "a", to: "a" }], table)).toEqual([]);
  });

  test("counts for its own tenant and under its own name only", async () => {
    const [counter, other] = [newCounter(), newCounter()];
    await count({ counter, to: "all" }, { counter: other, to: "some" });
    expect(await countsOf(counter)).toEqual({ all: 1 });
    expect(await countsOf(other)).toEqual({ some: 1 });
    expect(await countsOf(counter, "1002")).toEqual({});
  });
});
