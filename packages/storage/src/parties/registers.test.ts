import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { expect, test } from "vitest";
import { keysOf } from "../table/keys.ts";
import { apiKeyKey } from "../table/shared-keys.ts";
import { toDoc } from "../table/table.ts";
import { startTable } from "../table/table-fixture.ts";
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

test("tenants and keys of an earlier version are listed with the others, whoever wrote them", async () => {
  const { table, stop } = await startTable();
  const put = (item: object) => table.db.send(new PutCommand({ TableName: table.name, Item: { ...item } }));
  await put({ ...keysOf("1001").tenant(), doc: toDoc(tenant("1001")) });
  await put({ ...apiKeyKey("old"), doc: toDoc(key("old")) });
  await addTenant(table, tenant("1002"));
  await addApiKey(table, key("new"));
  for (const _ of ["the pass", "after it"]) {
    expect((await listTenants(table)).map(({ tenantId }) => tenantId)).toEqual(["1001", "1002"]);
    expect([await listTenantIds(table, 1), await listTenantIds(table, 9)]).toEqual([["1001"], ["1001", "1002"]]);
    expect((await listApiKeys(table, "1001")).map(({ clientId }) => clientId)).toEqual(["new", "old"]);
  }
  await stop();
});
