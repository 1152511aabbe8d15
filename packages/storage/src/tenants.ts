import type { ApiKey } from "@intents/domain/caller.ts";
import { type Tenant, tenantPayeeId } from "@intents/domain/tenant.ts";
import { apiKeyKey, keysOf, payeeKey } from "./keys.ts";
import { addRecord, findRecord, newRecord } from "./records.ts";
import type { Table } from "./table.ts";
import { transact } from "./transact.ts";

/** Stores a tenant, and its own company as a payee under the tenant's id; false when the tenant exists. */
export async function addTenant(table: Table, tenant: Tenant): Promise<boolean> {
  const { tenantId, name, countryCode, currencyCode, createdAt } = tenant;
  const company = { id: tenantPayeeId(tenantId), name, countryCode, currencyCode, tenantId, createdAt };
  const verdict = await transact(table, () => [
    { label: "tenant", write: { Put: newRecord(table, keysOf(tenantId).tenant(), tenant) } },
    { label: "payee", write: { Put: newRecord(table, payeeKey(company.id), company) } },
  ]);
  return verdict.done;
}

/** A tenant that a key belongs to; that it is missing can only be a fault. */
export async function getTenant(table: Table, tenantId: string): Promise<Tenant> {
  const tenant = await findRecord<Tenant>(table, keysOf(tenantId).tenant());
  if (tenant === undefined) throw new Error(`Tenant ${tenantId} has keys but no record`);
  return tenant;
}

/** Stores a key; false when the client id is taken. */
export const addApiKey = (table: Table, key: ApiKey): Promise<boolean> => addRecord(table, apiKeyKey(key.clientId), key);

export const findApiKey = (table: Table, clientId: string) => findRecord<ApiKey>(table, apiKeyKey(clientId));
