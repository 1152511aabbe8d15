import { storedIntent } from "@intents/domain/test/intent-fixture.ts";
import { afterAll, expect, test } from "vitest";
import { writeIntent } from "../../test/intent-fixture.ts";
import { readAll, startTable } from "../../test/table-fixture.ts";
import { findChanged, scanIntents } from "./scan.ts";

const { table, stop } = await startTable();
afterAll(stop);

test("a scan finds every intent and nothing else, of all tenants or of one", async () => {
  const made = [];
  for (const [tenantId, id] of [
    ["100", "a"],
    ["1001", "b"],
    ["1001", "c"],
    ["1002", "d"],
  ] as const) {
    const events = [{ event: "created", actor: "demo-user", at: "2026-11-21T09:00:00.000Z" }];
    const timer = { kind: "expire_draft", dueAtMs: 5 } as const;
    const { intent } = await writeIntent(table, undefined, storedIntent({ tenantId, id }), { events, timer });
    made.push(intent);
  }
  const scan = async (tenantId?: string) =>
    (await readAll(scanIntents(table, tenantId))).toSorted((left, right) => left.id.localeCompare(right.id));
  expect(await scan()).toEqual(made);
  expect(await scan("1001")).toEqual(made.slice(1, 3));
  expect(await scan("100")).toEqual(made.slice(0, 1));
  expect(await scan("10")).toEqual([]);
});

test("what changed since a moment is found by tenant, without what is older", async () => {
  const before = storedIntent({ tenantId: "1003", id: "old", updatedAt: "2026-11-18T09:00:00.000Z" });
  const after = storedIntent({ tenantId: "1003", id: "new", updatedAt: "2026-11-20T09:00:00.000Z" });
  const other = storedIntent({ tenantId: "1004", id: "other", updatedAt: "2026-11-20T09:00:00.000Z" });
  for (const intent of [before, after, other]) {
    const events = [{ event: "created", actor: "demo-user", at: intent.updatedAt }];
    await writeIntent(table, undefined, intent, { events });
  }
  const changed = (since: string) => readAll(findChanged(table, "1003", Date.parse(since)));
  expect(await changed("2026-11-20T09:00:00.000Z")).toEqual([{ tenantId: "1003", id: "new" }]);
  expect(await changed("2026-11-18T09:00:00.000Z")).toHaveLength(2);
  expect(await changed("2026-11-20T09:00:00.001Z")).toEqual([]);
});
