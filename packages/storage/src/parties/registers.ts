import type { ApiKey } from "@intents/domain/parties/caller.ts";
import type { Tenant } from "@intents/domain/parties/tenant.ts";
import { type Key, keysOf } from "../table/keys.ts";
import { queryAll, queryPages } from "../table/pages.ts";
import { fetchItems, toRecords } from "../table/records.ts";
import { registerKey, tenantRegisterKey } from "../table/shared-keys.ts";
import type { Table } from "../table/table.ts";

// The operators' lists of tenants and keys: an index by attributes of the records themselves.

export const inRegisterOfTenants = ({ tenantId }: Tenant) => ({ facetPK: tenantRegisterKey, listSK: tenantId });
export const inRegisterOfKeys = ({ tenantId, clientId }: ApiKey) => ({
  facetPK: registerKey(tenantId),
  listSK: clientId,
});

/** All tenants, in the order of their ids. */
export const listTenants = (table: Table) => listRegister<Tenant>(table, tenantRegisterKey);

/** The ids of the first `most` tenants, in their order. */
export async function listTenantIds(table: Table, most: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const { Items = [] } of queryPages(table, { ...entriesOf(tenantRegisterKey), Limit: most })) {
    ids.push(...Items.map(({ listSK }) => String(listSK)));
    if (ids.length >= most) break;
  }
  return ids.slice(0, most);
}

/** The ids of all tenants. */
export async function findTenantIds(table: Table): Promise<string[]> {
  const entries = await queryAll(table, entriesOf(tenantRegisterKey));
  return entries.map(({ PK }) => String(PK).slice(keysOf("").tenant().PK.length));
}

/** All keys of a tenant, revoked ones too, in the order of their client ids. */
export const listApiKeys = (table: Table, tenantId: string) => listRegister<ApiKey>(table, registerKey(tenantId));

async function listRegister<Stored>(table: Table, register: string): Promise<Stored[]> {
  const entries = await queryAll(table, entriesOf(register));
  return toRecords(await fetchItems(table, entries as Key[]));
}

const entriesOf = (register: string) => ({
  IndexName: "byFacet",
  KeyConditionExpression: "facetPK = :register",
  ExpressionAttributeValues: { ":register": register },
});
