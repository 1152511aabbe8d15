import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Commission } from "@intents/domain/commissions/commission.ts";
import { type FailedItem, settleInTurns } from "../table/in-turns.ts";
import { type Key, keysOf } from "../table/keys.ts";
import { scanPages } from "../table/pages.ts";
import { type Table, toDoc } from "../table/table.ts";
import { commissionKey, commissionName } from "./commissions.ts";

/** Gives a commission another student's name; throws when it was changed since it was read as `commission`. */
export const renameStudent = (
  table: Table,
  tenantId: string,
  commission: Commission,
  studentName: string,
): Promise<void> =>
  replaceDoc(table, commissionKey(tenantId, commissionName(commission)), toDoc(commission), {
    ...commission,
    studentName,
  });

/**
 * Gives the commissions of these payments another student's name in all requests of a tenant, those that are being made
 * or given up included. Reads all of the table. Records that cannot be changed are added to `failed`.
 */
export async function renameRequested(
  table: Table,
  tenantId: string,
  paymentIds: ReadonlySet<number>,
  studentName: string,
  failed: FailedItem[],
): Promise<void> {
  const rename = (_name: string, value: unknown) => {
    const isTheirs = Object(value).studentName !== undefined && paymentIds.has(Object(value).paymentId);
    return isTheirs ? { ...Object(value), studentName } : value;
  };
  const pages = scanPages(table, ["PK", "SK", "doc"], {
    FilterExpression: "begins_with(PK, :requests) AND attribute_exists(doc)",
    ExpressionAttributeValues: { ":requests": keysOf(tenantId).commissionRequest("").PK },
  });
  for await (const { Items = [] } of pages) {
    const renameIn = ({ PK, SK, doc }: Readonly<Record<string, unknown>>) =>
      replaceDoc(table, { PK: String(PK), SK: String(SK) }, String(doc), JSON.parse(String(doc), rename));
    await settleInTurns(Items, 1, renameIn, { failed, nameOf: ({ PK, SK }) => `${PK} ${SK}` });
  }
}

/** Replaces a record's document; throws when somebody else has changed it, so that repeating the whole finishes it. */
async function replaceDoc({ db, name }: Table, Key: Key, before: string, record: unknown): Promise<void> {
  const after = toDoc(record);
  if (after === before) return;
  await db.send(
    new UpdateCommand({
      TableName: name,
      Key,
      UpdateExpression: "SET doc = :after",
      ConditionExpression: "doc = :before",
      ExpressionAttributeValues: { ":before": before, ":after": after },
    }),
  );
}
