import { compileFilter } from "@intents/domain/lists/filter.ts";
import { project } from "@intents/domain/lists/projection.ts";
import type { ListQuery } from "@intents/domain/lists/query.ts";
import { type ListKind, listResources } from "@intents/domain/lists/resources.ts";
import { compareItems } from "@intents/domain/lists/sort.ts";
import { fromDoc, type Table } from "../table/table.ts";
import type { Place } from "./bookmarks.ts";
import type { Plan } from "./plan.ts";
import { type Entry, fetchEntries, readEntries } from "./read.ts";
import type { Scope } from "./scope.ts";

/** A page is cut here, because Lambda answers at most 6 MB (H34). */
export const PAGE_BYTES_MAX = 4_500_000;

export type Reading = Readonly<{ table: Table; kind: ListKind; query: ListQuery; scope: Scope; plan: Plan }>;

/** The items found for a page. `next` is the sort key of the item that follows the page. */
export type Found = Readonly<{
  items: readonly object[];
  hasMore: boolean;
  /** The number of matches, where all records were looked at. */
  matched: number;
  first?: string;
  next?: string;
}>;

/** The record as callers see it in a list. */
const toItem = (kind: ListKind, entry: Entry): object =>
  (listResources[kind].toItem as (stored: object) => object)(fromDoc<object>(entry));

/**
 * A page in the order of the index. Matches before the page are counted from `place` on, or from the first one. With
 * `passed`, the number of matches before the page, reading ends one match after the page.
 */
export async function readInOrder(
  reading: Reading,
  place: Place | undefined,
  passed: number | undefined,
): Promise<Found> {
  const { query, kind, plan, scope } = reading;
  const isMatch = compileFilter(query.filter);
  const page = openPage(query);
  const skip = query.skip - (place?.skip ?? 0);
  let matched = 0;
  let position = 0;
  let first: string | undefined;
  let next: string | undefined;
  const wanted = passed === undefined ? undefined : { passed, wanted: passed + query.limit + 1 };
  for await (const read of readEntries({ ...reading, pushed: scope.pushed }, wanted)) {
    matched += read.passed;
    position += read.passed;
    for (const entry of read.items) {
      const item = toItem(kind, entry);
      if (!isMatch(item)) continue;
      matched += 1;
      if (place !== undefined && isBefore(plan, entry.listSK, place.sortKey)) continue;
      position += 1;
      first ??= entry.listSK;
      if (position > skip && next === undefined && !page.add(item, entry)) next = entry.listSK;
      if (next !== undefined && wanted !== undefined) break;
    }
    if (next !== undefined && wanted !== undefined) break;
  }
  const ends = { ...(first !== undefined && { first }), ...(next !== undefined && { next }) };
  return { items: page.items, hasMore: next !== undefined, matched, ...ends };
}

const isBefore = ({ isForward }: Plan, one: string, other: string): boolean => (isForward ? one < other : one > other);

/** A page in an order that no index has: all matches are sorted in memory, and then the page is read (H33). */
export async function readSorted(reading: Reading): Promise<Found> {
  const { table, query, kind, scope } = reading;
  const isMatch = compileFilter(query.filter);
  const sortFields = new Set(["id", ...query.sort.map(({ path }) => path.split(".", 1)[0] ?? path)]);
  const matches: { sorted: object; key: Pick<Entry, "PK" | "SK"> }[] = [];
  for await (const { items } of readEntries({ ...reading, pushed: scope.pushed }, undefined)) {
    for (const entry of items) {
      const item = toItem(kind, entry);
      if (!isMatch(item)) continue;
      const sorted = Object.fromEntries(Object.entries(item).filter(([name]) => sortFields.has(name)));
      matches.push({ sorted, key: { PK: entry.PK, SK: entry.SK } });
    }
  }
  const compare = compareItems(kind, query.sort);
  matches.sort((one, other) => compare(one.sorted, other.sorted));
  const keys = matches.slice(query.skip, query.skip + query.limit).map(({ key }) => key);
  const page = openPage(query);
  for (const entry of await fetchEntries(table, keys)) if (!page.add(toItem(kind, entry), entry)) break;
  return { items: page.items, hasMore: matches.length > query.skip + page.items.length, matched: matches.length };
}

/** Collects the projected items of a page, until the page is full or as large as it may be. */
function openPage({ limit, projection }: ListQuery) {
  const items: object[] = [];
  let bytes = 0;
  const add = (item: object, { doc }: Entry): boolean => {
    const shown = project(projection, item);
    // The stored document is about as large as the shown item; only a projected item is measured itself.
    bytes += Buffer.byteLength(projection === undefined ? String(doc) : JSON.stringify(shown));
    if (items.length === limit || bytes > PAGE_BYTES_MAX) return false;
    items.push(shown);
    return true;
  };
  return { items, add };
}

/** The first items, as many as a page may hold. */
export function cutPage(items: readonly object[]): readonly object[] {
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item));
    return bytes > PAGE_BYTES_MAX;
  });
  return end === -1 ? items : items.slice(0, end);
}
