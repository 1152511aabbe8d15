import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { fetchItems } from "../table/records.ts";
import { cursorKey, railKey } from "../table/shared-keys.ts";
import type { Table } from "../table/table.ts";

/** A part of the watches, and which of their points: each has a cursor of its own. */
export type Swept = Readonly<{ rail: string; shard: number; age: "near" | "far" }>;

const keyOf = ({ rail, shard, age }: Swept) => cursorKey(`WATCH#${rail}#${shard}#${age}`);

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
  update(table, keyOf(swept), {
    UpdateExpression: "SET atMs = :to",
    ConditionExpression: `${isStill("atMs", from)} AND ${isStill("rewinds", from)}`,
    ExpressionAttributeValues: { ":to": toMs, ":atMs": from.atMs, ":rewinds": from.rewinds },
  });

/** What a cursor does not have yet reads as 0. */
const isStill = (name: keyof Cursor, from: Cursor): string =>
  from[name] === 0 ? `(attribute_not_exists(${name}) OR ${name} = :${name})` : `${name} = :${name}`;

/**
 * Hands points back: moves the cursor to before them, so that they are handed on once more. It is marked even where it
 * has not passed them yet, because the sweep that handed them on may be about to move it.
 */
export const rewindSweepCursor = (table: Table, swept: Swept, toMs: number): Promise<boolean> =>
  update(table, keyOf(swept), {
    UpdateExpression: "SET atMs = :to ADD rewinds :one",
    ConditionExpression: "attribute_not_exists(atMs) OR atMs >= :to",
    ExpressionAttributeValues: { ":to": toMs, ":one": 1 },
  });

/**
 * How a rail answers: the questions in a row that it failed, until when it is left alone, and the execution that the last
 * of them was about, if only one.
 */
export type RailState = Readonly<{ failures: number; retryAtMs: number; about?: string }>;

export async function findRailState(table: Table, rail: string): Promise<RailState> {
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key: railKey(rail) }));
  const about: unknown = Item?.["about"];
  return {
    failures: Number(Item?.["failures"] ?? 0),
    retryAtMs: Number(Item?.["retryAtMs"] ?? 0),
    ...(typeof about === "string" && about !== "" && { about }),
  };
}

/** Counts a failed question, unless another one was counted since the state was read as having `failures`. */
export const noteRailFailure = (
  table: Table,
  rail: string,
  failures: number,
  { retryAtMs, about = "" }: Omit<RailState, "failures">,
): Promise<boolean> =>
  update(table, railKey(rail), {
    UpdateExpression: "SET failures = :next, retryAtMs = :retry, about = :about",
    ConditionExpression: failures === 0 ? "attribute_not_exists(PK)" : "failures = :failures",
    ExpressionAttributeValues: {
      ...{ ":next": failures + 1, ":retry": retryAtMs, ":about": about },
      ...(failures !== 0 && { ":failures": failures }),
    },
  });

/** Forgets the failures of a rail that answers again. */
export async function clearRailFailures(table: Table, rail: string): Promise<void> {
  await table.db.send(new DeleteCommand({ TableName: table.name, Key: railKey(rail) }));
}

type Change = Readonly<{
  UpdateExpression: string;
  ConditionExpression: string;
  ExpressionAttributeValues: Record<string, number | string>;
}>;

/** Makes a conditional change; false when the condition does not hold. */
async function update(table: Table, Key: ReturnType<typeof railKey>, change: Change): Promise<boolean> {
  try {
    await table.db.send(new UpdateCommand({ TableName: table.name, Key, ...change }));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
