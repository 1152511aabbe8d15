import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Commission } from "@intents/domain/commissions/commission.ts";
import { commissionPrivacy } from "@intents/domain/commissions/privacy.ts";
import type { CommissionRequest } from "@intents/domain/commissions/request.ts";
import { eraseFrom } from "@intents/domain/privacy/erasure.ts";
import { type FailedItem, settleInTurns } from "../table/in-turns.ts";
import { type Key, keysOf } from "../table/keys.ts";
import { scanPages } from "../table/pages.ts";
import { fromDoc, type Table, toDoc } from "../table/table.ts";
import { commissionKey, commissionName } from "./commissions.ts";

/** A commission without its student. */
export const withoutStudent = (commission: Commission): Commission =>
  eraseFrom(commission, commissionPrivacy, ["anybody"]);

/** Erases the student from a commission; throws when it was changed since it was read as `commission`. */
export const eraseStudent = (table: Table, tenantId: string, commission: Commission): Promise<void> =>
  replaceDoc(table, commissionKey(tenantId, commissionName(commission)), toDoc(commission), withoutStudent(commission));

/**
 * Erases the students of these payments from all requests of a tenant, those that are being made or given up included.
 * Reads all of the table. Records that cannot be changed are added to `failed`.
 */
export async function eraseRequested(
  table: Table,
  tenantId: string,
  paymentIds: ReadonlySet<number>,
  failed: FailedItem[],
): Promise<void> {
  const { PK: requests, SK: request } = keysOf(tenantId).commissionRequest("");
  const pages = scanPages(table, ["PK", "SK", "doc"], {
    FilterExpression: "begins_with(PK, :requests) AND SK = :request",
    ExpressionAttributeValues: { ":requests": requests, ":request": request },
  });
  for await (const { Items = [] } of pages) {
    const eraseIn = ({ PK, SK, doc }: Readonly<Record<string, unknown>>) => {
      const stored = fromDoc<CommissionRequest>({ doc });
      const payments = stored.payments.map((one) =>
        paymentIds.has(one.paymentId) ? eraseFrom(one, commissionPrivacy, ["anybody"]) : one,
      );
      return replaceDoc(table, { PK: String(PK), SK: String(SK) }, String(doc), { ...stored, payments });
    };
    await settleInTurns(Items, 1, eraseIn, { failed, nameOf: ({ PK, SK }) => `${PK} ${SK}` });
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
