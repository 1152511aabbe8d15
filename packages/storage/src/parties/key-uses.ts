import { UpdateCommand as WindowsUpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Key } from "../table/keys.ts";
import { findItems } from "../table/records.ts";
import type { Table } from "../table/table.ts";

/** How long the day of a key's last use is known, in seconds. */
const KEPT_S = 400 * 86_400;

const useKey = (clientId: string): Key => ({ PK: `USE#${clientId}`, SK: "USE" });

/** Writes the day of a key's use, such as `2026-11-22` in UTC, into the disposable table. */
export async function writeKeyUse(table: Table, clientId: string, day: string): Promise<void> {
  await table.db.send(
    new WindowsUpdateCommand({
      TableName: table.name,
      Key: useKey(clientId),
      UpdateExpression: "SET #day = :day, #ttl = :ttl",
      ExpressionAttributeNames: { "#day": "day", "#ttl": "ttl" },
      ExpressionAttributeValues: { ":day": day, ":ttl": Date.parse(day) / 1000 + KEPT_S },
    }),
  );
}

/** The days on which keys were last used, by their client ids; unused keys are left out. */
export async function findKeyUses(table: Table, clientIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const days = new Map((await findItems(table, clientIds.map(useKey))).map(({ PK, day }) => [PK, String(day)]));
  return new Map(
    clientIds.flatMap((clientId) => {
      const day = days.get(useKey(clientId).PK);
      return day === undefined ? [] : [[clientId, day] as const];
    }),
  );
}
