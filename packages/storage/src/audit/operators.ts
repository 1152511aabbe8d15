import { randomBytes } from "node:crypto";
import { newRecordId } from "@intents/domain/ids.ts";
import { keysOf, OPERATOR } from "../table/keys.ts";
import { queryPages } from "../table/pages.ts";
import { newRecord } from "../table/records.ts";
import { fromDoc, type Table } from "../table/table.ts";
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
  return {
    label: "audit",
    write: { Put: newRecord(table, key, { ...change, at: new Date(atMs).toISOString() }) },
  };
}

/** So many entries are read at once. */
const PAGE = 1_000;

/** The operators' changes to a tenant, or to the whole service: the newest `limit` of them, newest first. */
export async function listOperatorAudit(table: Table, tenantId: string, limit: number): Promise<OperatorEntry[]> {
  const entries: OperatorEntry[] = [];
  const pages = queryPages(table, {
    KeyConditionExpression: "PK = :audit",
    ExpressionAttributeValues: { ":audit": keysOf(tenantId).audit(OPERATOR, 0).PK },
    ScanIndexForward: false,
    ConsistentRead: true,
    Limit: Math.min(limit, PAGE),
  });
  for await (const { Items = [] } of pages) {
    entries.push(...Items.map((item) => fromDoc<OperatorEntry>(item)));
    if (entries.length >= limit) break;
  }
  return entries.slice(0, limit);
}

/** Stands for a tenant in the audit of changes that concern the whole service. */
export const SERVICE_TENANT = "SERVICE";
