import { createHash } from "node:crypto";
import {
  GetCommand as WindowsGetCommand,
  PutCommand as WindowsPutCommand,
  QueryCommand as WindowsQueryCommand,
} from "@aws-sdk/lib-dynamodb";
import type { ListQuery } from "@intents/domain/lists/query.ts";
import { isObject } from "@intents/domain/lists/value.ts";
import { type Key, keysOf, type Listed } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { DEEP_SKIP } from "./plan.ts";

/** A caller who walks through a list, and the disposable table that remembers how far the walk has come. */
export type Reader = Readonly<{ windows: Table; clientId: string; nowMs: number }>;

/** The sort key of the record that came after `skip` others when the walk passed it. */
export type Place = Readonly<{ skip: number; sortKey: string }>;

/** The state of a walk. Every page at skip 0 begins a new generation, to which all later places belong (H31). */
export type Standing = Readonly<{ generation: string; place?: Place }>;

/** A place may be used for so long, by the clock, in milliseconds. */
const GOOD_MS = 15 * 60_000;
/** A place is kept in the table for so long, in seconds. */
const KEPT_S = 3_600;

/** The keys of this reader's places in this query, by skip; any other query is another walk. */
export function bookmarksOf(
  tenantId: string,
  { clientId }: Reader,
  kind: Listed,
  query: ListQuery,
): (skip: number) => Key {
  const hash = createHash("sha256")
    .update(canonical([kind, query.filter, query.sort]))
    .digest("hex");
  return (skip) => keysOf(tenantId).walk(clientId, hash, skip);
}

/** The same text for the same value, in whatever order its fields were written. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, node: unknown) =>
    isObject(node)
      ? Object.fromEntries(Object.entries(node).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : node,
  );

/** The nearest place at or before `skip` that may still be used. */
export async function findStanding(reader: Reader, toKey: (skip: number) => Key, skip: number): Promise<Standing> {
  const [start, nearest] = await Promise.all([
    findStart(reader, toKey(0)),
    skip < DEEP_SKIP ? undefined : findNearest(reader, toKey(DEEP_SKIP), toKey(skip)),
  ]);
  const generation = start?.generation ?? "";
  const place = [nearest, start].find(
    (stored) => stored !== undefined && stored.generation === generation && stored.atMs + GOOD_MS > reader.nowMs,
  );
  return { generation, ...(place !== undefined && { place: { skip: place.skip, sortKey: place.sortKey } }) };
}

type StoredPlace = Place & Readonly<{ generation: string; atMs: number }>;

async function findStart({ windows }: Reader, key: Key): Promise<StoredPlace | undefined> {
  const { Item } = await windows.db.send(
    new WindowsGetCommand({ TableName: windows.name, Key: key, ConsistentRead: true }),
  );
  return Item as StoredPlace | undefined;
}

async function findNearest({ windows }: Reader, from: Key, to: Key): Promise<StoredPlace | undefined> {
  const { Items = [] } = await windows.db.send(
    new WindowsQueryCommand({
      TableName: windows.name,
      KeyConditionExpression: "PK = :pk AND SK BETWEEN :from AND :to",
      ExpressionAttributeValues: { ":pk": to.PK, ":from": from.SK, ":to": to.SK },
      ScanIndexForward: false,
      Limit: 1,
      ConsistentRead: true,
    }),
  );
  return Items[0] as StoredPlace | undefined;
}

/** Remembers places of a walk. */
export async function keepPlaces(
  { windows, nowMs }: Reader,
  toKey: (skip: number) => Key,
  generation: string,
  places: readonly Place[],
): Promise<void> {
  const ttl = Math.floor((nowMs + GOOD_MS) / 1000) + KEPT_S;
  await Promise.all(
    places.map(({ skip, sortKey }) => {
      const Item = { ...toKey(skip), skip, sortKey, generation, atMs: nowMs, ttl };
      return windows.db.send(new WindowsPutCommand({ TableName: windows.name, Item }));
    }),
  );
}
