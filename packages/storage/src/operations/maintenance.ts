import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { type OperatorChange, operatorAudit, SERVICE_TENANT } from "../audit/operators.ts";
import { maintenanceKey } from "../table/shared-keys.ts";
import type { Table } from "../table/table.ts";
import { transact } from "../table/transact.ts";

/**
 * Whether callers are turned away, and after how long they may try again (SPEC, Errors: 503); `until` is when it is meant
 * to end, where somebody has said so.
 */
export type Maintenance = Readonly<{ on: boolean; retryAfterSeconds: number; until?: string }>;

const off: Maintenance = { on: false, retryAfterSeconds: 0 };

export async function readMaintenance(table: Table): Promise<Maintenance> {
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key: maintenanceKey }));
  if (Item === undefined) return off;
  const { on, retryAfterSeconds, until } = Item;
  return { on: on === true, retryAfterSeconds: Number(retryAfterSeconds), ...(typeof until === "string" && { until }) };
}

/** Turns maintenance on or off, for all containers within ten seconds. */
export async function writeMaintenance(table: Table, maintenance: Maintenance, change: OperatorChange): Promise<void> {
  await transact(table, () => [
    { label: "setting", write: { Put: { TableName: table.name, Item: { ...maintenanceKey, ...maintenance } } } },
    operatorAudit(table, SERVICE_TENANT, change),
  ]);
}
