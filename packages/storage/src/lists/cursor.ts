import { createHash } from "node:crypto";
import type { ListQuery } from "@intents/domain/lists/query.ts";
import type { PlaceInOrder } from "@intents/domain/lists/sort.ts";
import { isEmbedded } from "@intents/domain/lists/value.ts";
import type { Listed } from "../table/keys.ts";
import { sortKeyOf } from "./range.ts";

/** A list as one tenant asks for it; pages of any size and with any fields belong to the same list. */
type TenantsList = Readonly<{ tenantId: string; kind: Listed; query: Pick<ListQuery, "filter" | "sort"> }>;

/** Characters of the hash: enough to find a mistyped cursor almost certainly. */
const HASH_LENGTH = 16;

/**
 * The place behind an item as a text for callers: a hash, and then what the item is sorted by. The hash covers the list
 * too, so that a cursor of another query, or a mistyped one, is found. It keeps no secret: a caller who makes up a
 * cursor only reads on from another place of the same list.
 */
export const writeCursor = (list: TenantsList, place: PlaceInOrder): string => seal(list, JSON.stringify(place));

/** The place that a cursor names; undefined when the cursor is mistyped or belongs to another list. */
export function readCursor(list: TenantsList, cursor: string): PlaceInOrder | undefined {
  const text = Buffer.from(cursor.slice(HASH_LENGTH), "base64url").toString();
  if (seal(list, text) !== cursor) return undefined;
  const place = parse(text);
  const isPlace = Array.isArray(place) && place.length === list.query.sort.length + 1;
  return isPlace && sortKeyOf(list.kind, place.at(-1)) !== undefined ? place : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const seal = ({ tenantId, kind, query: { filter, sort } }: TenantsList, text: string): string => {
  const list = canonical([tenantId, kind, filter, sort, text]);
  const hash = createHash("sha256").update(list).digest("base64url").slice(0, HASH_LENGTH);
  return `${hash}${Buffer.from(text).toString("base64url")}`;
};

/** The same text for the same value, in whatever order its fields were written. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, node: unknown) =>
    isEmbedded(node)
      ? Object.fromEntries(Object.entries(node).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : node,
  );
