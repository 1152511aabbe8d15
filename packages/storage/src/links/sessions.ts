import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { keysOf } from "../table/keys.ts";
import { findRecord, newRecord } from "../table/records.ts";
import { type Table, toDoc } from "../table/table.ts";
import type { Action } from "../table/transact.ts";

/** The identity of a payer's session: one quote of one link, which is paid once. */
type Session = Readonly<{ tenantId: string; linkId: string; quoteId: string }>;

/** The payment that was made by a link's quote. */
export const findSession = async (table: Table, { tenantId, linkId, quoteId }: Session): Promise<string | undefined> =>
  (await findRecord<{ intentId: string }>(table, keysOf(tenantId).linkSession(linkId, quoteId)))?.intentId;

/** Makes a payment the only one of its quote: a part of its claim (H17). */
export const takeSession = (table: Table, { tenantId, linkId, quoteId }: Session, intentId: string): Action => ({
  label: "session",
  write: { Put: newRecord(table, keysOf(tenantId).linkSession(linkId, quoteId), { intentId }) },
});

/** A payer's secret, of which only the digest is known. */
type PayerSecret = Readonly<{ tenantId: string; linkId: string; secretHash: string }>;

/** The newest payment that was begun with a payer's secret. */
export const findBySecret = async (
  table: Table,
  { tenantId, linkId, secretHash }: PayerSecret,
): Promise<string | undefined> =>
  (await findRecord<{ intentId: string }>(table, keysOf(tenantId).payerSecret(linkId, secretHash)))?.intentId;

/** Makes a payment findable by its payer's secret: a part of its claim. */
export const rememberSecret = (
  table: Table,
  { tenantId, linkId, secretHash }: PayerSecret,
  intentId: string,
): Action => ({
  label: "secret",
  write: {
    Put: {
      TableName: table.name,
      Item: { ...keysOf(tenantId).payerSecret(linkId, secretHash), doc: toDoc({ intentId }) },
    },
  },
});

/** The payers of a link who come from one source. */
type Source = Readonly<{ tenantId: string; linkId: string; source: string }>;

/** The number of unpaid payments by a link that were begun from a source. */
export async function countUnpaid(table: Table, { tenantId, linkId, source }: Source): Promise<number> {
  const Key = keysOf(tenantId).payerSource(linkId, source);
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return Number(Item?.["unpaid"] ?? 0);
}

/** Counts a payment that is begun: a part of its claim, which fails when `most` are unpaid already. */
export const addUnpaid = (table: Table, source: Source, most: number): Action =>
  unpaidAction(table, source, {
    UpdateExpression: "ADD unpaid :one",
    ConditionExpression: "attribute_not_exists(unpaid) OR unpaid < :most",
    ExpressionAttributeValues: { ":one": 1, ":most": most },
  });

/** Counts a payment no more: a part of its end. */
export const removeUnpaid = (table: Table, source: Source): Action =>
  unpaidAction(table, source, { UpdateExpression: "ADD unpaid :minus", ExpressionAttributeValues: { ":minus": -1 } });

type Change = Omit<NonNullable<Action["write"]["Update"]>, "TableName" | "Key">;

const unpaidAction = (table: Table, { tenantId, linkId, source }: Source, change: Change): Action => ({
  label: "source",
  write: { Update: { TableName: table.name, Key: keysOf(tenantId).payerSource(linkId, source), ...change } },
});
