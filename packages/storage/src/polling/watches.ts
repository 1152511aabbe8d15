import type { Watch } from "@intents/domain/polling/watch.ts";
import type { FailedItem } from "../table/in-turns.ts";
import { parseTimerKey } from "../table/key-owners.ts";
import { type IntentKey, keysOf } from "../table/keys.ts";
import { queryAll, queryPages } from "../table/pages.ts";
import { shardOf, watchShard } from "../table/shared-keys.ts";
import type { Table } from "../table/table.ts";

/** A watch as the index has it, of an intent or, with an order, of one recipient of a batch. */
export type Watched = Watch & IntentKey & Readonly<{ order?: number }>;

/** The place of watches: the number of partitions that they are spread over, and the rail that is asked. */
export type WatchPlace = Readonly<{ shards: number; rail: string }>;

/** The times of the first and the last watch to be read, by when they started: milliseconds since 1970. */
type Started = Readonly<{ fromMs: number; untilMs: number }>;

const TIME_DIGITS = 15;
const timeKey = (ms: number): string => String(Math.max(0, Math.ceil(ms))).padStart(TIME_DIGITS, "0");

/** The attributes by which an item is in the index of watches. Its sort key holds the whole watch. */
export function watchAttributes({ shards, rail }: WatchPlace, watch: Watch | undefined): Record<string, string> {
  if (watch === undefined) return {};
  const { executionId, seed, startedMs, expectedMs, isCheckout, isHolding } = watch;
  const marks = `${isCheckout ? "c" : ""}${isHolding ? "h" : ""}`;
  return {
    watchPK: watchShard(shardOf(seed, shards)),
    watchSK: [rail, timeKey(startedMs), expectedMs ?? "", marks, executionId].join("#"),
  };
}

/** The watch in an item or an entry of the index, if there is one. */
export function parseWatch({ PK, SK, watchSK }: Readonly<Record<string, unknown>>): Watched[] {
  if (watchSK === undefined) return [];
  const owner = parseTimerKey(String(PK));
  const [, started, expected, marks = "", executionId] = String(watchSK).split("#");
  if (owner === undefined || !executionId || Number.isNaN(Number(started) + Number(expected))) return [];
  const [, order] = /^LEG#(\d+)$/.exec(String(SK)) ?? [];
  return [
    {
      tenantId: owner.tenantId,
      id: owner.id,
      seed: owner.id,
      executionId,
      startedMs: Number(started),
      ...(expected !== "" && { expectedMs: Number(expected) }),
      isCheckout: marks.includes("c"),
      isHolding: marks.includes("h"),
      ...(order !== undefined && { order: Number(order) }),
    },
  ];
}

/**
 * The watches of a rail in one partition, page by page. The index may be a moment behind the table. Those that cannot be
 * read are added to `failed`.
 */
export async function* findWatches(
  table: Table,
  { shard, rail }: Readonly<{ shard: number; rail: string }>,
  { fromMs, untilMs }: Started,
  failed: FailedItem[] = [],
): AsyncGenerator<Watched[]> {
  const pages = queryPages(table, {
    IndexName: "byWatch",
    KeyConditionExpression: "watchPK = :shard AND watchSK BETWEEN :from AND :until",
    ExpressionAttributeValues: {
      ":shard": watchShard(shard),
      ":from": `${rail}#${timeKey(fromMs)}`,
      ":until": `${rail}#${timeKey(untilMs)}\uffff`,
    },
  });
  for await (const { Items = [] } of pages) {
    yield Items.flatMap((item) => {
      const watched = parseWatch(item);
      if (watched.length === 0) failed.push({ about: `${item["PK"]} ${item["SK"]}`, reason: new Error("No watch") });
      return watched;
    });
  }
}

/** At most `limit` watches of a rail in one partition, those that started last. */
export async function findNewestWatches(
  table: Table,
  { shard, rail }: Readonly<{ shard: number; rail: string }>,
  limit: number,
): Promise<Watched[]> {
  const pages = queryPages(table, {
    IndexName: "byWatch",
    Limit: limit,
    ScanIndexForward: false,
    KeyConditionExpression: "watchPK = :shard AND begins_with(watchSK, :rail)",
    ExpressionAttributeValues: { ":shard": watchShard(shard), ":rail": `${rail}#` },
  });
  for await (const { Items = [] } of pages) return Items.flatMap(parseWatch);
  return [];
}

/** Rails beyond this number are not looked for. */
const RAILS_MAX = 100;

/** The rails that have watches in a partition, configured or not, with the start of the oldest: ms since 1970. */
export async function findWatchedRails(table: Table, shard: number): Promise<{ rail: string; oldestMs: number }[]> {
  const rails: { rail: string; oldestMs: number }[] = [];
  while (rails.length < RAILS_MAX) {
    const [next] = await firstPage(table, shard, `${rails.at(-1)?.rail ?? ""}#\uffff`, rails.length === 0);
    if (next === undefined) break;
    const [rail = "", started] = String(next["watchSK"]).split("#");
    rails.push({ rail, oldestMs: Number(started) });
  }
  return rails;
}

async function firstPage(table: Table, shard: number, after: string, isFirst: boolean) {
  const query = isFirst
    ? { KeyConditionExpression: "watchPK = :shard", ExpressionAttributeValues: { ":shard": watchShard(shard) } }
    : {
        KeyConditionExpression: "watchPK = :shard AND watchSK > :after",
        ExpressionAttributeValues: { ":shard": watchShard(shard), ":after": after },
      };
  for await (const { Items = [] } of queryPages(table, { IndexName: "byWatch", Limit: 1, ...query })) return Items;
  return [];
}

/** The watches of one intent, or of the recipients of a batch, read strongly. */
export async function listWatches(table: Table, { tenantId, id }: IntentKey): Promise<Watched[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: "PK = :pk",
    FilterExpression: "attribute_exists(watchSK)",
    ExpressionAttributeValues: { ":pk": keysOf(tenantId).intent(id).PK },
    ConsistentRead: true,
  });
  return items.flatMap(parseWatch);
}
