import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Commission } from "@intents/domain/commissions/commission.ts";
import { keysOf } from "../table/keys.ts";
import { listPartition } from "../table/records.ts";
import { fromDoc, type Table, toDoc } from "../table/table.ts";
import type { Action } from "../table/transact.ts";
import { readRequests } from "./commission-requests.ts";
import { commissionLabel } from "./commissions.ts";

/** Gives a commission another student's name; fails when it was changed since it was read as `commission`. */
export const renameStudent = (table: Table, tenantId: string, commission: Commission, studentName: string): Action => ({
  label: commissionLabel(commission),
  write: {
    Update: {
      TableName: table.name,
      Key: keysOf(tenantId).commission(commission.paymentId),
      ...replaceDoc(toDoc(commission), toDoc({ ...commission, studentName })),
    },
  },
});

/** Gives the commissions of these payments another student's name in all requests of a tenant, whatever became of them. */
export async function renameRequested(
  table: Table,
  tenantId: string,
  paymentIds: ReadonlySet<number>,
  studentName: string,
): Promise<void> {
  const rename = (_name: string, value: unknown) => {
    const isTheirs = typeof value === "object" && value !== null && paymentIds.has(Number(Object(value).paymentId));
    return isTheirs ? { ...value, studentName } : value;
  };
  for await (const requests of readRequests(table, tenantId)) {
    for (const { requestId } of requests) {
      const { PK } = keysOf(tenantId).commissionRequest(requestId);
      for (const { SK, doc: before } of await listPartition(table, PK)) {
        if (typeof before !== "string") continue;
        const after = JSON.stringify(fromDoc<unknown>({ doc: before }), rename);
        if (after === before) continue;
        // Whoever changes the request at the same moment makes this fail, and repeating it finishes it.
        const update = { TableName: table.name, Key: { PK, SK }, ...replaceDoc(before, after) };
        await table.db.send(new UpdateCommand(update));
      }
    }
  }
}

const replaceDoc = (before: string, after: string) => ({
  UpdateExpression: "SET doc = :after",
  ConditionExpression: "doc = :before",
  ExpressionAttributeValues: { ":before": before, ":after": after },
});
