import type { ApiKey } from "@intents/domain/parties/caller.ts";
import type { Payee } from "@intents/domain/parties/payee.ts";
import { type Tenant, tenantPayeeId } from "@intents/domain/parties/tenant.ts";
import { type OperatorChange, operatorAudit } from "../audit/operators.ts";
import { keysOf } from "../table/keys.ts";
import { findRecord, newRecord, replacedRecord } from "../table/records.ts";
import { apiKeyKey, payeeKey } from "../table/shared-keys.ts";
import type { Table } from "../table/table.ts";
import { transact } from "../table/transact.ts";
import { inRegisterOfKeys, inRegisterOfTenants } from "./registers.ts";

/** Stores a tenant, and its own company as a payee under the tenant's id; false when the tenant exists. */
export async function addTenant(table: Table, tenant: Tenant, change?: OperatorChange): Promise<boolean> {
  const { tenantId } = tenant;
  const company = companyOf(tenant);
  const verdict = await transact(table, () => [
    {
      label: "tenant",
      write: { Put: newRecord(table, keysOf(tenantId).tenant(), tenant, inRegisterOfTenants(tenant)) },
    },
    { label: "payee", write: { Put: newRecord(table, payeeKey(company.id), company) } },
    ...(change === undefined ? [] : [operatorAudit(table, tenantId, change)]),
  ]);
  return verdict.done;
}

/** The tenant's own company, as a payee under the tenant's id. */
const companyOf = ({ tenantId, name, countryCode, currencyCode, createdAt }: Tenant): Payee => ({
  id: tenantPayeeId(tenantId),
  name,
  countryCode,
  currencyCode,
  tenantId,
  createdAt,
});

export const findTenant = (table: Table, tenantId: string) => findRecord<Tenant>(table, keysOf(tenantId).tenant());

/** Replaces a tenant's record as it was read; false when somebody else changed it meanwhile. */
export async function replaceTenant(
  table: Table,
  before: Tenant,
  after: Tenant,
  change: OperatorChange,
): Promise<boolean> {
  const { tenantId } = before;
  const company = companyOf(after);
  const key = keysOf(tenantId).tenant();
  const verdict = await transact(table, () => [
    { label: "payee", write: { Put: replacedRecord(table, payeeKey(company.id), companyOf(before), company) } },
    { label: "tenant", write: { Put: replacedRecord(table, key, before, after, inRegisterOfTenants(after)) } },
    operatorAudit(table, tenantId, change),
  ]);
  return verdict.done;
}

/** The tenant of a key. Throws when there is none, which can only be a fault. */
export async function getTenant(table: Table, tenantId: string): Promise<Tenant> {
  const tenant = await findTenant(table, tenantId);
  if (tenant === undefined) throw new Error(`Tenant ${tenantId} has keys but no record`);
  return tenant;
}

/** Stores a key; false when the client id is taken. */
export async function addApiKey(table: Table, key: ApiKey, change?: OperatorChange): Promise<boolean> {
  const verdict = await transact(table, () => [
    { label: "key", write: { Put: newRecord(table, apiKeyKey(key.clientId), key, inRegisterOfKeys(key)) } },
    ...(change === undefined ? [] : [operatorAudit(table, key.tenantId, change)]),
  ]);
  return verdict.done;
}

export const findApiKey = (table: Table, clientId: string) => findRecord<ApiKey>(table, apiKeyKey(clientId));

/** Replaces a key's record as it was read; false when somebody else changed it meanwhile. */
export async function replaceApiKey(
  table: Table,
  before: ApiKey,
  after: ApiKey,
  change: OperatorChange,
): Promise<boolean> {
  const key = apiKeyKey(before.clientId);
  const verdict = await transact(table, () => [
    { label: "key", write: { Put: replacedRecord(table, key, before, after, inRegisterOfKeys(after)) } },
    operatorAudit(table, before.tenantId, change),
  ]);
  return verdict.done;
}
