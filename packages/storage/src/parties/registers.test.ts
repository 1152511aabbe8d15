import { expect, test } from "vitest";
import { startTable } from "../../test/table-fixture.ts";
import { listApiKeys, listTenantIds, listTenants } from "./registers.ts";
import { addApiKey, addTenant } from "./tenants.ts";

const createdAt = "2026-11-21T09:00:00.000Z";
const tenant = (tenantId: string) => {
  return { tenantId, name: "Demo", countryCode: "AU", currencyCode: "AUD", commissionSpread: "0.01", createdAt };
};
const key = (clientId: string) => {
  return {
    clientId,
    tenantId: "1001",
    userId: clientId,
    userName: clientId,
    permissions: [],
    secretHashes: ["hash"],
    gatewayKey: "",
    createdAt,
  };
};

test("tenants and keys are listed in the order of their ids", async () => {
  const { table, stop } = await startTable();
  await addTenant(table, tenant("1002"));
  await addTenant(table, tenant("1001"));
  for (const clientId of ["old", "new"]) await addApiKey(table, key(clientId));
  expect((await listTenants(table)).map(({ tenantId }) => tenantId)).toEqual(["1001", "1002"]);
  expect([await listTenantIds(table, 1), await listTenantIds(table, 9)]).toEqual([["1001"], ["1001", "1002"]]);
  expect((await listApiKeys(table, "1001")).map(({ clientId }) => clientId)).toEqual(["new", "old"]);
  await stop();
});
