import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { intents, storeAll } from "../../test/list-fixture.ts";
import { readAll, startTable } from "../../test/table-fixture.ts";
import { readNewest } from "./newest.ts";

const { table, stop } = await startTable();
afterAll(stop);

test("the payments of some tenants come newest first, each once, from a moment on and behind any of them", async () => {
  const drawn = ["2001", "2002", "2003"].flatMap((tenantId, seed) =>
    fc
      .sample(fc.uniqueArray(intents(tenantId), { minLength: 30, maxLength: 30, selector: ({ id }) => id }), {
        numRuns: 1,
        seed,
      })
      .flat(),
  );
  await storeAll(table, drawn);
  const sorted = drawn
    .filter(({ tenantId }) => tenantId !== "2002")
    .toSorted((one, other) => (one.id < other.id ? 1 : -1));
  const read = async (sinceMs: number, before?: string) =>
    (await readAll(readNewest(table, ["2001", "2003"], { sinceMs, before }))).map(({ id }) => id);
  expect(await read(0)).toEqual(sorted.map(({ id }) => id));
  const since = sorted[40]?.createdAt ?? "";
  for (const at of [0, 7, 40, 59]) {
    const rest = sorted.slice(at + 1).filter(({ createdAt }) => createdAt >= since);
    expect(await read(Date.parse(since), sorted[at]?.id)).toEqual(rest.map(({ id }) => id));
  }
  expect(await read(Date.now())).toEqual([]);
});
