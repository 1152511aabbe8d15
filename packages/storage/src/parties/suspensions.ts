import type { ApiKey } from "@intents/domain/parties/caller.ts";
import type { Suspension } from "@intents/domain/parties/tenant.ts";
import { type OperatorChange, operatorAudit } from "../audit/operators.ts";
import { keysOf } from "../table/keys.ts";
import { fetchItems, findRecord, newRecord } from "../table/records.ts";
import { apiKeyKey } from "../table/shared-keys.ts";
import { fromDoc, type Table, toDoc } from "../table/table.ts";
import { transact } from "../table/transact.ts";

/** The suspension of a tenant; undefined while it is not suspended. */
export const findSuspension = (table: Table, tenantId: string) =>
  findRecord<Suspension>(table, keysOf(tenantId).suspension());

/** A key of a tenant, and the tenant's suspension, as far as they exist: one strong read. */
export async function findKeyAndSuspension(
  table: Table,
  { tenantId, clientId }: Readonly<{ tenantId: string; clientId: string }>,
): Promise<{ apiKey: ApiKey | undefined; suspension: Suspension | undefined }> {
  const [key, suspended] = await fetchItems(table, [apiKeyKey(clientId), keysOf(tenantId).suspension()]);
  return { apiKey: key && fromDoc<ApiKey>(key), suspension: suspended && fromDoc<Suspension>(suspended) };
}

/** The suspensions of these tenants, in their order. */
export async function findSuspensions(table: Table, tenantIds: readonly string[]): Promise<(Suspension | undefined)[]> {
  const keys = tenantIds.map((tenantId) => keysOf(tenantId).suspension());
  return (await fetchItems(table, keys)).map((item) => item && fromDoc<Suspension>(item));
}

/** Suspends a tenant; false when it is suspended already. */
export async function suspendTenant(
  table: Table,
  tenantId: string,
  suspension: Suspension,
  change: OperatorChange,
): Promise<boolean> {
  const verdict = await transact(table, () => [
    { label: "suspension", write: { Put: newRecord(table, keysOf(tenantId).suspension(), suspension) } },
    operatorAudit(table, tenantId, change),
  ]);
  return verdict.done;
}

/** Ends a suspension as it was read; false when it has ended, or another one has begun. */
export async function resumeTenant(
  table: Table,
  tenantId: string,
  suspension: Suspension,
  change: OperatorChange,
): Promise<boolean> {
  const ended = {
    TableName: table.name,
    Key: keysOf(tenantId).suspension(),
    ConditionExpression: "doc = :suspension",
    ExpressionAttributeValues: { ":suspension": toDoc(suspension) },
  };
  const verdict = await transact(table, () => [
    { label: "suspension", write: { Delete: ended } },
    operatorAudit(table, tenantId, change),
  ]);
  return verdict.done;
}
