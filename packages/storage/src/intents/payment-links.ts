import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { keysOf, linkKey } from "../table/keys.ts";
import { findRecord, newRecord } from "../table/records.ts";
import { fromDoc, type Table } from "../table/table.ts";
import type { Action } from "../table/transact.ts";

/** The link that a token stands for. It is looked up before any tenant is known. */
export type StoredLink = Readonly<{
  token: string;
  tenantId: string;
  intentId: string;
  /** The last payment begun on a single-use link. Its own state says whether it still keeps other payers away. */
  holder?: string;
  /** The payment that closed it. */
  closedBy?: string;
}>;

export async function findLink(table: Table, token: string): Promise<StoredLink | undefined> {
  const { Item } = await table.db.send(
    new GetCommand({ TableName: table.name, Key: linkKey(token), ConsistentRead: true }),
  );
  if (Item === undefined) return undefined;
  const { holder, closedBy } = Item;
  return {
    ...fromDoc<{ tenantId: string; intentId: string }>(Item),
    token,
    ...(typeof holder === "string" && { holder }),
    ...(typeof closedBy === "string" && { closedBy }),
  };
}

/** Makes the token of a link known: a part of its publishing, so that a draft's token leads nowhere. */
export const addLink = (table: Table, token: string, owner: { tenantId: string; intentId: string }): Action => ({
  label: "link",
  write: { Put: newRecord(table, linkKey(token), owner) },
});

/**
 * Makes a payment the holder of a single-use link: a part of its claim. Fails when the link was closed, or has another
 * holder than it was read with.
 */
export const holdLink = (table: Table, { token, holder }: StoredLink, childId: string): Action =>
  linkAction(table, token, {
    UpdateExpression: "SET holder = :child",
    ConditionExpression:
      holder === undefined
        ? "attribute_exists(PK) AND attribute_not_exists(closedBy) AND attribute_not_exists(holder)"
        : "attribute_not_exists(closedBy) AND holder = :before",
    ExpressionAttributeValues: { ":child": childId, ...(holder !== undefined && { ":before": holder }) },
  });

/** Closes a single-use link with the payment that succeeded; fails when another one has closed it. */
export const closeLink = (table: Table, token: string, childId: string): Action =>
  linkAction(table, token, {
    UpdateExpression: "SET closedBy = :child",
    ConditionExpression: "attribute_exists(PK) AND attribute_not_exists(closedBy)",
    ExpressionAttributeValues: { ":child": childId },
  });

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

type Change = Omit<NonNullable<Action["write"]["Update"]>, "TableName" | "Key">;

const linkAction = (table: Table, token: string, change: Change): Action => ({
  label: "link",
  write: { Update: { TableName: table.name, Key: linkKey(token), ...change } },
});
