import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { cursorKey, railKey } from "../table/keys.ts";
import { findItems } from "../table/records.ts";
import type { Table } from "../table/table.ts";

/** A part of the watches, and which of their points: each has a cursor of its own. */
export type Swept = Readonly<{ rail: string; shard: number; age: "near" | "far" }>;

const keyOf = ({ rail, shard, age }: Swept) => cursorKey(`WATCH#${rail}#${shard}#${age}`);

/** The time until which all points were handed on, milliseconds since 1970; 0 before the first time. */
export async function findSweepCursor(table: Table, swept: Swept): Promise<number> {
  const { Item } = await table.db.send(
    new GetCommand({ TableName: table.name, Key: keyOf(swept), ConsistentRead: true }),
  );
  return Number(Item?.["atMs"] ?? 0);
}

/** The cursors of several parts, those that exist. */
export async function listSweepCursors(table: Table, parts: readonly Swept[]): Promise<number[]> {
  const items = await findItems(table, parts.map(keyOf), { isStrong: false });
  return items.map(({ atMs }) => Number(atMs));
}

/** Moves a cursor that still stands where it was read, else leaves it: somebody has moved it on, or back. */
export const moveSweepCursor = (table: Table, swept: Swept, fromMs: number, toMs: number): Promise<boolean> =>
  update(table, keyOf(swept), {
    UpdateExpression: "SET atMs = :to",
    // A cursor that does not exist yet reads as 0, and one may have been moved back to there.
    ConditionExpression: fromMs === 0 ? "attribute_not_exists(PK) OR atMs = :from" : "atMs = :from",
    ExpressionAttributeValues: { ":to": toMs, ":from": fromMs },
  });

/** Moves a cursor back, so that the points since then are handed on once more. */
export const rewindSweepCursor = (table: Table, swept: Swept, toMs: number): Promise<boolean> =>
  update(table, keyOf(swept), {
    UpdateExpression: "SET atMs = :to",
    ConditionExpression: "atMs > :to",
    ExpressionAttributeValues: { ":to": toMs },
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
