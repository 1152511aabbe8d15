import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { changeItem } from "../table/change-item.ts";
import { fetchItems } from "../table/records.ts";
import { cursorKey } from "../table/shared-keys.ts";
import type { Table } from "../table/table.ts";

/** A part of the watches, and which of their points: each has a cursor of its own. */
export type Swept = Readonly<{ rail: string; shard: number; age: "near" | "far" }>;

const keyOf = (swept: Swept) => cursorKey(nameOf(swept));
const movedKeyOf = (swept: Swept) => cursorKey(nameOf(swept));
const nameOf = ({ rail, shard, age }: Swept) => `WATCH#${rail}#${shard}#${age}`;

/**
 * The time until which all points were handed on, milliseconds since 1970, 0 before the first time; and how often points
 * were handed back, so that a sweep sees that some were meanwhile, wherever the cursor stands.
 */
export type Cursor = Readonly<{ atMs: number; rewinds: number }>;

export async function findSweepCursor(table: Table, swept: Swept): Promise<Cursor> {
  const { Item } = await table.db.send(
    new GetCommand({ TableName: table.name, Key: keyOf(swept), ConsistentRead: true }),
  );
  return { atMs: Number(Item?.["atMs"] ?? 0), rewinds: Number(Item?.["rewinds"] ?? 0) };
}

/** Where the cursors of several parts stand, in the order of the parts; undefined for one that was never swept. */
export async function listSweepCursors(table: Table, parts: readonly Swept[]): Promise<(number | undefined)[]> {
  const items = await fetchItems(table, parts.map(keyOf), { isStrong: false });
  return items.map((item) => item && Number(item["atMs"]));
}

/** Moves a cursor that is still as it was read, else leaves it: somebody has moved it on, or handed points back. */
export const moveSweepCursor = (table: Table, swept: Swept, from: Cursor, toMs: number): Promise<boolean> =>
  changeItem(table, movedKeyOf(swept), {
    UpdateExpression: "SET atMs = :to",
    ConditionExpression: `${isStill("atMs", from)} AND ${isStill("rewinds", from)}`,
    ExpressionAttributeValues: { ":to": toMs, ":atMs": from.atMs, ":rewinds": from.rewinds },
  });

/** A missing attribute of a cursor reads as 0. */
const isStill = (name: keyof Cursor, from: Cursor): string =>
  from[name] === 0 ? `(attribute_not_exists(${name}) OR ${name} = :${name})` : `${name} = :${name}`;

/**
 * Hands points back: moves the cursor to before them, so that they are handed on once more. It is marked even where it
 * has not passed them yet, because the sweep that handed them on may be about to move it.
 */
export const rewindSweepCursor = (table: Table, swept: Swept, toMs: number): Promise<boolean> =>
  changeItem(table, movedKeyOf(swept), {
    UpdateExpression: "SET atMs = :to ADD rewinds :one",
    ConditionExpression: "attribute_not_exists(atMs) OR atMs >= :to",
    ExpressionAttributeValues: { ":to": toMs, ":one": 1 },
  });
