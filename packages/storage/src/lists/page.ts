import type { IntentExtras } from "@intents/domain/answers/intent-answer.ts";
import { compileFilter } from "@intents/domain/lists/filter.ts";
import { project } from "@intents/domain/lists/projection.ts";
import type { ListQuery } from "@intents/domain/lists/query.ts";
import { type ListKind, listResources } from "@intents/domain/lists/resources.ts";
import { orderBy, type PlaceInOrder } from "@intents/domain/lists/sort.ts";
import { fromDoc, type Table } from "../table/table.ts";
import type { Plan } from "./plan.ts";
import { changedAt, isWithin, type Range } from "./range.ts";
import { type Entry, fetchEntries, readEntries, sortedBy } from "./read.ts";

/** A page is cut here, because Lambda answers at most 6 MB (H34). */
export const PAGE_BYTES_MAX = 4_500_000;

export type Reading = Readonly<{
  table: Table;
  kind: ListKind;
  query: ListQuery;
  plan: Plan;
  /** They are read beside the page. */
  reviews: Promise<Reviews>;
  /** The matches that lie before the page and are still to be counted off. */
  skip: number;
}>;

/** The items found for a page, with the place of each in the order of the list. */
export type Found = Readonly<{
  items: readonly object[];
  places: readonly PlaceInOrder[];
  hasMore: boolean;
  /** The number of matches, where all records were looked at. */
  matched: number;
}>;

/** The reviews and corrections of a tenant's intents, which stand beside them. */
export type Reviews = ReadonlyMap<string, IntentExtras>;

/** The record as callers see it in a list. */
function toItem(kind: ListKind, reviews: Reviews, entry: Entry): object {
  const stored = fromDoc<object>(entry);
  const { metadata } = entry;
  const review = kind === "INTENT" && "id" in stored ? reviews.get(String(stored.id)) : undefined;
  const extras = metadata === undefined ? review : { ...review, metadata };
  const toAnswer = listResources[kind].toItem as (stored: object, beside?: IntentExtras) => object;
  return toAnswer(stored, extras);
}

/**
 * A page in the order of the index, of the items in `rest`. Where all matches are needed for the total, reading goes on
 * to the end; else it ends one match behind the page.
 */
export async function readInOrder(reading: Reading, rest: Range, needsAll: boolean): Promise<Found> {
  const { query, kind, plan, skip } = reading;
  const isMatch = compileFilter(query.filter);
  const page = openPage(kind, query);
  const sortKey = sortedBy(plan);
  // A record that has changed since the index was read is shown as it is now; the next page begins where it was.
  const placed = (item: object, entry: Entry): object =>
    sortKey === "changeSK" ? { ...item, updatedAt: changedAt(entry.changeSK) } : item;
  let matched = 0;
  let position = 0;
  let hasMore = false;
  const wanted = needsAll ? undefined : skip + query.limit + 1;
  for await (const entries of readEntries(reading, wanted)) {
    const reviews = await reading.reviews;
    for (const entry of entries) {
      const item = toItem(kind, reviews, entry);
      if (!isMatch(item)) continue;
      matched += 1;
      if (!isWithin(entry[sortKey], rest)) continue;
      position += 1;
      if (position > skip && !hasMore) hasMore = !page.add(item, entry, placed(item, entry));
      if (hasMore && !needsAll) return { ...page, hasMore, matched };
    }
  }
  return { ...page, hasMore, matched };
}

/** A page in an order that no index has: all matches are sorted in memory, and then the page is read (H33). */
export async function readSorted(reading: Reading, behind: PlaceInOrder | undefined): Promise<Found> {
  const { table, query, kind, skip } = reading;
  const isMatch = compileFilter(query.filter);
  const { placeOf, compare } = orderBy(kind, query.sort);
  const matches: { place: PlaceInOrder; key: Pick<Entry, "PK" | "SK"> }[] = [];
  for await (const entries of readEntries(reading, undefined)) {
    const reviews = await reading.reviews;
    for (const entry of entries) {
      const item = toItem(kind, reviews, entry);
      if (isMatch(item)) matches.push({ place: placeOf(item), key: { PK: entry.PK, SK: entry.SK } });
    }
  }
  matches.sort((one, other) => compare(one.place, other.place));
  const first = behind === undefined ? 0 : matches.findIndex(({ place }) => compare(place, behind) > 0);
  const start = first === -1 ? matches.length : first + skip;
  const keys = matches.slice(start, start + query.limit).map(({ key }) => key);
  const page = openPage(kind, query);
  const reviews = await reading.reviews;
  for (const entry of await fetchEntries(table, kind, keys)) if (!page.add(toItem(kind, reviews, entry), entry)) break;
  return { ...page, hasMore: matches.length > start + page.items.length, matched: matches.length };
}

/** Collects the projected items of a page, until the page is full or as large as it may be. */
function openPage(kind: ListKind, { sort, limit, projection }: ListQuery) {
  const { placeOf } = orderBy(kind, sort);
  const items: object[] = [];
  const places: PlaceInOrder[] = [];
  let bytes = 0;
  const add = (item: object, { doc, metadata = {} }: Entry, placed = item): boolean => {
    const shown = project(projection, item);
    // The stored document is about as large as the shown item; only a projected item is measured itself.
    bytes += Buffer.byteLength(projection === undefined ? `${doc}${JSON.stringify(metadata)}` : JSON.stringify(shown));
    if (items.length === limit || bytes > PAGE_BYTES_MAX) return false;
    items.push(shown);
    places.push(placeOf(placed));
    return true;
  };
  return { items, places, add };
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
