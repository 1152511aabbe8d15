import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { erasedIn } from "@intents/domain/privacy/erasure.ts";
import { type IntentKey, type Key, keysOf } from "../table/keys.ts";
import { queryPages } from "../table/pages.ts";
import { fetchItems } from "../table/records.ts";
import { shardOf } from "../table/shared-keys.ts";
import type { Table } from "../table/table.ts";
import { EVENT_SHARDS, timeOf } from "./events.ts";
import { eventPrivacy } from "./privacy.ts";

/** The tenant's own ids of the payments that these changes are about, by their places; read strongly. */
export async function findOwnIds(
  table: Table,
  tenantId: string,
  places: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const keys = [...new Set(places)].map((place) =>
    keysOf(tenantId).event(shardOf(aboutOf(place), EVENT_SHARDS), place),
  );
  const items = await fetchItems(table, keys);
  return new Map(
    items.flatMap((item) =>
      item?.["externalId"] === undefined ? [] : [[String(item["SK"]), String(item["externalId"])] as const],
    ),
  );
}

const erased = erasedIn(eventPrivacy);

/** Removes personal fields from all events about a payment since a moment. Reads the tenant's events since then. */
export async function forgetOwnId(table: Table, { tenantId, id }: IntentKey, sinceMs: number): Promise<void> {
  for (let shard = 0; shard < EVENT_SHARDS; shard++) {
    const pages = queryPages(table, {
      KeyConditionExpression: "PK = :pk AND SK >= :since",
      FilterExpression: erased.map((name) => `attribute_exists(${name})`).join(" OR "),
      ExpressionAttributeValues: { ":pk": keysOf(tenantId).event(shard, "").PK, ":since": timeOf(sinceMs) },
      ProjectionExpression: "SK",
      ConsistentRead: true,
    });
    for await (const { Items = [] } of pages) {
      const places = Items.map((item) => String(item["SK"])).filter((place) => aboutOf(place).split(/[_#]/)[0] === id);
      for (const place of places) await removeFrom(table, keysOf(tenantId).event(shard, place));
    }
  }
}

async function removeFrom(table: Table, { PK, SK }: Key): Promise<void> {
  const isThere = { ConditionExpression: "attribute_exists(PK)" };
  const remove = {
    TableName: table.name,
    Key: { PK, SK },
    UpdateExpression: `REMOVE ${erased.join(", ")}`,
    ...isThere,
  };
  try {
    await table.db.send(new UpdateCommand(remove));
  } catch (error) {
    // The store has deleted the event, which was old.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** The thing that a place is about: between its time and its step. */
const aboutOf = (place: string): string => place.split("#").slice(1, -1).join("#");
