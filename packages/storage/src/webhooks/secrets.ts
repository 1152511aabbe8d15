import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { keysOf } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import type { Action } from "../table/transact.ts";

/** Which endpoint of which tenant. */
export type EndpointKey = Readonly<{ tenantId: string; id: string }>;

/** The secrets that sign a delivery now, the newest first; none of an endpoint that is deleted. */
export async function readSigningSecrets(
  table: Table,
  { tenantId, id }: EndpointKey,
  nowMs: number,
): Promise<string[]> {
  const Key = keysOf(tenantId).webhookSecret(id);
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  if (Item === undefined) return [];
  const { secret, former, formerUntilMs } = Item as { secret: string; former?: string; formerUntilMs?: number };
  return former !== undefined && formerUntilMs !== undefined && nowMs < formerUntilMs ? [secret, former] : [secret];
}

/** The write of a new endpoint's secret. */
export const addedSecret = (table: Table, { tenantId, id }: EndpointKey, secret: string): Action => ({
  label: "secret",
  write: { Put: { TableName: table.name, Item: { ...keysOf(tenantId).webhookSecret(id), secret } } },
});

export const deletedSecret = (table: Table, { tenantId, id }: EndpointKey): Action => ({
  label: "secret",
  write: { Delete: { TableName: table.name, Key: keysOf(tenantId).webhookSecret(id) } },
});

/**
 * The write that puts a new secret in the place of the present one, which stays good until `formerUntilMs`. The store
 * moves it, so that no function reads it that only writes secrets.
 */
export const rotatedSecret = (
  table: Table,
  { tenantId, id }: EndpointKey,
  { secret, formerUntilMs }: Readonly<{ secret: string; formerUntilMs: number }>,
): Action => ({
  label: "secret",
  write: {
    Update: {
      TableName: table.name,
      Key: keysOf(tenantId).webhookSecret(id),
      UpdateExpression: "SET former = secret, secret = :secret, formerUntilMs = :until",
      ConditionExpression: "attribute_exists(PK)",
      ExpressionAttributeValues: { ":secret": secret, ":until": formerUntilMs },
    },
  },
});
