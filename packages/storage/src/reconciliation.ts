import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { keysOf } from "./keys.ts";
import { addRecord } from "./records.ts";
import { fromDoc, type Table } from "./table.ts";

/** Something that the rail said too late, or that contradicts what stands: for an operator to settle by hand. */
export type Reconciliation = Readonly<{
  tenantId: string;
  intentId: string;
  executionId: string;
  kind: "accepted_after_release" | "contradicts_outcome";
  /** What the rail said, and what stands on the intent. */
  said: string;
  stands: string;
  openedAt: string;
}>;

/** Opens a record once, however often the rail repeats itself. */
export async function openReconciliation(table: Table, record: Reconciliation): Promise<void> {
  const { tenantId, intentId, executionId, kind } = record;
  await addRecord(table, keysOf(tenantId).reconciliation(`${intentId}#${executionId}#${kind}`), record);
}

/** A tenant's open records, at most one page of 1 MB. */
export async function listReconciliations(table: Table, tenantId: string): Promise<Reconciliation[]> {
  const { Items = [] } = await table.db.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: "PK = :pk",
      ExpressionAttributeValues: { ":pk": keysOf(tenantId).reconciliation("").PK },
      ConsistentRead: true,
    }),
  );
  return Items.map((item) => fromDoc<Reconciliation>(item));
}
