import { afterAll, expect, test } from "vitest";
import { startTable } from "../../test/table-fixture.ts";
import { listOperatorAudit } from "../audit/operators.ts";
import { findSuspension, findSuspensions, resumeTenant, suspendTenant } from "./suspensions.ts";

const AT_MS = Date.UTC(2026, 10, 21, 9);

const { table, stop } = await startTable();
afterAll(stop);

const of = (by: string) => ({ at: new Date(AT_MS).toISOString(), by, reason: "ticket 7" });
const change = (operator: string, action: string, laterMs = 0) => {
  return { operator, atMs: AT_MS + laterMs, action, reason: "ticket 7" };
};
const auditOf = async (tenantId: string) =>
  (await listOperatorAudit(table, tenantId, 10)).map(({ operator, action }) => [operator, action]).toReversed();

test("a tenant that ten operators suspend at once is suspended by one, and audited once", async () => {
  const operators = Array.from({ length: 10 }, (_, index) => `olga-${index}`);
  const done = await Promise.all(
    operators.map((by) => suspendTenant(table, "1001", of(by), change(by, "tenants.suspend"))),
  );
  expect(done.filter(Boolean)).toHaveLength(1);
  const by = operators[done.indexOf(true)] ?? "";
  expect(await findSuspension(table, "1001")).toEqual(of(by));
  expect(await auditOf("1001")).toEqual([[by, "tenants.suspend"]]);
});

test("a suspension ends once, and only the one that was read", async () => {
  await suspendTenant(table, "1002", of("olga"), change("olga", "tenants.suspend"));
  expect(await resumeTenant(table, "1002", of("pete"), change("pete", "tenants.resume", 1))).toBe(false);
  expect(await findSuspensions(table, ["1003", "1002"])).toEqual([undefined, of("olga")]);
  expect(await resumeTenant(table, "1002", of("olga"), change("pete", "tenants.resume", 2))).toBe(true);
  expect(await resumeTenant(table, "1002", of("olga"), change("pete", "tenants.resume", 3))).toBe(false);
  expect(await findSuspension(table, "1002")).toBeUndefined();
  expect(await auditOf("1002")).toEqual([
    ["olga", "tenants.suspend"],
    ["pete", "tenants.resume"],
  ]);
});
