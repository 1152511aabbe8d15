import { randomBytes } from "node:crypto";
import { newRecordId } from "@intents/domain/ids.ts";
import { keysOf, OPERATOR } from "../table/keys.ts";
import { listNewest, newRecord } from "../table/records.ts";
import type { Table } from "../table/table.ts";
import type { Action } from "../table/transact.ts";

/** A change that an operator made. */
export type OperatorChange = Readonly<{
  operator: string;
  /** A name that the operator gave beside a proven identity. */
  note?: string;
  atMs: number;
  /** The name of the change, such as `keys.revoke`. */
  action: string;
  reason: string;
  data?: Readonly<Record<string, unknown>>;
}>;

/** The same as it is kept. */
export type OperatorEntry = Omit<OperatorChange, "atMs"> & Readonly<{ at: string }>;

/** The audit entry of an operator's change, in the transaction that makes it. Put if absent, never updated (H56). */
export function operatorAudit(table: Table, tenantId: string, { atMs, ...change }: OperatorChange): Action {
  const { PK } = keysOf(tenantId).audit(OPERATOR, 0);
  const key = { PK, SK: newRecordId(atMs, randomBytes) };
  return { label: "audit", write: { Put: newRecord(table, key, { ...change, at: new Date(atMs).toISOString() }) } };
}

/** The operators' changes to a tenant, or to the whole service: the newest `limit` of them, newest first. */
export function listOperatorAudit(table: Table, tenantId: string, limit: number): Promise<OperatorEntry[]> {
  return listNewest(table, keysOf(tenantId).audit(OPERATOR, 0).PK, limit);
}

/** Stands for a tenant in the audit of changes that concern the whole service. */
export const SERVICE_TENANT = "SERVICE";
