import { createHash } from "node:crypto";

/** A place behind an event: the place of its change, and the number of its events up to this one. */
export type After = Readonly<{ place: string; count: number }>;

/** Characters of the hash: enough to find a mistyped cursor almost certainly. */
const HASH_LENGTH = 12;
const PLACE = /^(\d{15}(?:#[\w#-]+)?) (\d{1,9})$/;

/**
 * The place as a text for callers. Its hash covers the tenant too, so that the cursor of another one is found; it keeps
 * no secret.
 */
export function writeCursor(tenantId: string, { place, count }: After): string {
  const text = `${place} ${count}`;
  return `${hashOf(tenantId, text)}${Buffer.from(text).toString("base64url")}`;
}

/** The place that a cursor names; undefined when it is mistyped, or another tenant's. */
export function readCursor(tenantId: string, cursor: string): After | undefined {
  const text = Buffer.from(cursor.slice(HASH_LENGTH), "base64url").toString();
  const [, place, count] = PLACE.exec(text) ?? [];
  if (place === undefined) return undefined;
  const after = { place, count: Number(count) };
  return writeCursor(tenantId, after) === cursor ? after : undefined;
}

const hashOf = (tenantId: string, text: string): string =>
  createHash("sha256")
    .update(JSON.stringify([tenantId, text]))
    .digest("base64url")
    .slice(0, HASH_LENGTH);
