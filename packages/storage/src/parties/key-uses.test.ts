import { afterAll, expect, test } from "vitest";
import { startTable } from "../../test/table-fixture.ts";
import { findKeyUses, writeKeyUse } from "./key-uses.ts";

const { table, stop } = await startTable();
afterAll(stop);

test("the last use that was written is found for each key, and none for a key that was not used", async () => {
  await writeKeyUse(table, "one", "2026-11-21");
  await writeKeyUse(table, "one", "2026-11-22");
  await writeKeyUse(table, "two", "2026-11-21");
  const found = await findKeyUses(table, ["two", "three", "one"]);
  expect(Object.fromEntries(found)).toEqual({ one: "2026-11-22", two: "2026-11-21" });
  expect(await findKeyUses(table, [])).toEqual(new Map());
});
