import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { ApiKey } from "@intents/domain/parties/caller.ts";
import type { Tenant } from "@intents/domain/parties/tenant.ts";
import { type Key, keysOf } from "../table/keys.ts";
import { queryAll, queryPages, scanPages } from "../table/pages.ts";
import { addRecord, fetchItems, findRecord, toRecords } from "../table/records.ts";
import { registerKey, registersKey, tenantRegisterKey } from "../table/shared-keys.ts";
import { fromDoc, type Table } from "../table/table.ts";

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
  await completeRegisters(table);
  const ids: string[] = [];
  for await (const { Items = [] } of queryPages(table, { ...entriesOf(tenantRegisterKey), Limit: most })) {
    ids.push(...Items.map(({ listSK }) => String(listSK)));
    if (ids.length >= most) break;
  }
  return ids.slice(0, most);
}

/** The ids of all tenants that this version has written, for functions, which enter none. */
export async function findTenantIds(table: Table): Promise<string[]> {
  const entries = await queryAll(table, entriesOf(tenantRegisterKey));
  return entries.map(({ PK }) => String(PK).slice(keysOf("").tenant().PK.length));
}

/** All keys of a tenant, revoked ones too, in the order of their client ids. */
export const listApiKeys = (table: Table, tenantId: string) => listRegister<ApiKey>(table, registerKey(tenantId));

async function listRegister<Stored>(table: Table, register: string): Promise<Stored[]> {
  await completeRegisters(table);
  const entries = await queryAll(table, entriesOf(register));
  return toRecords(await fetchItems(table, entries as Key[]));
}

const entriesOf = (register: string) => ({
  IndexName: "byFacet",
  KeyConditionExpression: "facetPK = :register",
  ExpressionAttributeValues: { ":register": register },
});

/**
 * Before the first list of all, enters the tenants and keys that an earlier version has written: one pass through the
 * table, once, which costs nothing while the table is empty.
 */
export async function completeRegisters(table: Table): Promise<void> {
  if ((await findRecord(table, registersKey)) !== undefined) return;
  const pages = scanPages(table, ["PK", "SK", "doc"], {
    FilterExpression: "SK IN (:tenant, :key) AND attribute_not_exists(facetPK)",
    ExpressionAttributeValues: { ":tenant": "TENANT", ":key": "APIKEY" },
  });
  for await (const { Items = [] } of pages) for (const item of Items) await enter(table, item);
  await addRecord(table, registersKey, {});
}

/** A record that was changed since it was read has been entered by that. */
async function enter({ db, name }: Table, item: Readonly<Record<string, unknown>>): Promise<void> {
  const { PK, SK, doc } = item;
  const place = SK === "TENANT" ? inRegisterOfTenants(fromDoc(item)) : inRegisterOfKeys(fromDoc(item));
  try {
    await db.send(
      new UpdateCommand({
        TableName: name,
        Key: { PK, SK },
        UpdateExpression: "SET facetPK = :facet, listSK = :place",
        ConditionExpression: "doc = :doc",
        ExpressionAttributeValues: { ":facet": place.facetPK, ":place": place.listSK, ":doc": doc },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
