import type { ApiKey } from "@intents/domain/parties/caller.ts";
import type { Tenant } from "@intents/domain/parties/tenant.ts";
import { afterAll, describe, expect, test } from "vitest";
import { readPartition, startTable } from "../../test/table-fixture.ts";
import { type OperatorChange, SERVICE_TENANT } from "../audit/operators.ts";
import { readMaintenance, writeMaintenance } from "../operations/maintenance.ts";
import { keysOf } from "../table/keys.ts";
import { addPayee, findPayee } from "./payees.ts";
import { addApiKey, addTenant, findApiKey, findTenant, getTenant, replaceApiKey, replaceTenant } from "./tenants.ts";

const AT_MS = Date.UTC(2026, 10, 21, 9);
const AT = new Date(AT_MS).toISOString();

const { table, stop } = await startTable();
afterAll(stop);

let tenants = 1000;
const newTenant = (): Tenant => ({
  tenantId: String(++tenants),
  name: "Demo",
  countryCode: "AU",
  currencyCode: "AUD",
  commissionSpread: "0.01",
  createdAt: AT,
});
const newKey = (tenantId: string): ApiKey => ({
  clientId: `client-${tenantId}`,
  tenantId,
  userId: "user",
  userName: "User",
  permissions: ["AllowSplitPayment"],
  secretHashes: ["hash"],
  gatewayKey: "0".repeat(40),
  createdAt: AT,
});
const change = (action: string): OperatorChange => ({ operator: "op", atMs: AT_MS, action, reason: "asked to" });
const auditedFor = async (tenantId: string) =>
  (await readPartition(table, keysOf(tenantId).audit("OPERATOR", 0).PK)).map((item) => JSON.parse(String(item["doc"])));

describe("a tenant", () => {
  test("is stored with its own company as a payee and an audit entry, once", async () => {
    const tenant = newTenant();
    const { tenantId, name, countryCode, currencyCode, createdAt } = tenant;
    expect(await addTenant(table, tenant, change("tenants.create"))).toBe(true);
    expect(await addTenant(table, { ...tenant, name: "Other" }, change("tenants.create"))).toBe(false);
    expect(await getTenant(table, tenantId)).toEqual(tenant);
    const company = { id: Number(tenantId), name, countryCode, currencyCode, tenantId, createdAt };
    expect(await findPayee(table, Number(tenantId))).toEqual(company);
    expect(await auditedFor(tenantId)).toEqual([
      { operator: "op", at: AT, action: "tenants.create", reason: "asked to" },
    ]);
  });

  test("whose payee id is taken is not stored, and nothing is audited", async () => {
    const tenant = newTenant();
    const { tenantId, ...rest } = tenant;
    await addPayee(table, { ...rest, id: Number(tenantId) }, false);
    expect(await addTenant(table, tenant, change("tenants.create"))).toBe(false);
    expect(await findTenant(table, tenantId)).toBeUndefined();
    await expect(getTenant(table, tenantId)).rejects.toThrow();
    expect(await auditedFor(tenantId)).toEqual([]);
  });

  test("that ten operators change at once is changed by one, with its company and one audit entry", async () => {
    const tenant = newTenant();
    const { tenantId } = tenant;
    await addTenant(table, tenant);
    const names = Array.from({ length: 10 }, (_, index) => `Name ${index}`);
    const replaced = await Promise.all(
      names.map((name) => replaceTenant(table, tenant, { ...tenant, name }, change(name))),
    );
    expect(replaced.filter(Boolean)).toHaveLength(1);
    const name = names[replaced.indexOf(true)];
    expect(await findTenant(table, tenantId)).toEqual({ ...tenant, name });
    expect(await findPayee(table, Number(tenantId))).toMatchObject({ name });
    expect(await auditedFor(tenantId)).toMatchObject([{ action: name }]);
  });
});

describe("an API key", () => {
  test("is found by its client id, which is taken once whichever tenant asks", async () => {
    const key = newKey(newTenant().tenantId);
    expect(await addApiKey(table, key, change("keys.create"))).toBe(true);
    expect(await addApiKey(table, { ...key, tenantId: "1" }, change("keys.create"))).toBe(false);
    expect(await findApiKey(table, key.clientId)).toEqual(key);
    expect(await findApiKey(table, "nobody")).toBeUndefined();
    expect(await auditedFor("1")).toEqual([]);
  });

  test("is replaced only if it is as it was read, and every change is audited in order", async () => {
    const key = newKey(newTenant().tenantId);
    await addApiKey(table, key, change("keys.create"));
    const revoked = { ...key, revokedAt: AT };
    const later = { ...change("keys.revoke"), atMs: AT_MS + 1 };
    expect(await replaceApiKey(table, key, revoked, later)).toBe(true);
    expect(await replaceApiKey(table, key, { ...key, permissions: [] }, change("keys.grant"))).toBe(false);
    expect(await findApiKey(table, key.clientId)).toEqual(revoked);
    expect(await auditedFor(key.tenantId)).toMatchObject([{ action: "keys.create" }, { action: "keys.revoke" }]);
  });
});

test("maintenance is off until somebody turns it on, and each turn is audited for the whole service", async () => {
  expect(await readMaintenance(table)).toEqual({ on: false, retryAfterSeconds: 0 });
  await writeMaintenance(table, { on: true, retryAfterSeconds: 120 }, change("maintenance.on"));
  expect(await readMaintenance(table)).toEqual({ on: true, retryAfterSeconds: 120 });
  await writeMaintenance(table, { on: false, retryAfterSeconds: 0 }, { ...change("maintenance.off"), atMs: AT_MS + 1 });
  expect(await readMaintenance(table)).toEqual({ on: false, retryAfterSeconds: 0 });
  expect(await auditedFor(SERVICE_TENANT)).toMatchObject([{ action: "maintenance.on" }, { action: "maintenance.off" }]);
});
