import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { changeItem } from "../table/change-item.ts";
import { railKey } from "../table/shared-keys.ts";
import type { Table } from "../table/table.ts";

/**
 * How a rail answers. `failures`: the questions in a row that told whether it answers, and that it failed. Until
 * `retryAtMs` it is left alone. `probed`: the executions that it was asked about alone since it answered, the last one last.
 * `aloneAtMs`: when the next payment that failed alone is due, absent where there is none; until `aloneLeaseMs` a worker
 * asks about one.
 */
export type RailState = Readonly<{
  failures: number;
  retryAtMs: number;
  probed: readonly string[];
  aloneAtMs?: number;
  aloneLeaseMs?: number;
}>;

/** As many as the longest question has payments. */
const PROBED_MAX = 100;

export async function findRailState(table: Table, rail: string): Promise<RailState> {
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key: railKey(rail) }));
  const { probed, aloneAtMs, aloneLeaseMs } = Item ?? {};
  return {
    failures: Number(Item?.["failures"] ?? 0),
    retryAtMs: Number(Item?.["retryAtMs"] ?? 0),
    probed: (probed as readonly string[] | undefined) ?? [],
    ...(aloneAtMs !== undefined && { aloneAtMs: Number(aloneAtMs) }),
    ...(aloneLeaseMs !== undefined && { aloneLeaseMs: Number(aloneLeaseMs) }),
  };
}

/** Counts a failure after those of a state, and leaves the rail alone; false where another one was counted since. */
export const noteRailFailure = (
  table: Table,
  rail: string,
  { failures, probed }: Pick<RailState, "failures" | "probed">,
  { retryAtMs, about }: Readonly<{ retryAtMs: number; about?: string | undefined }>,
): Promise<boolean> =>
  changeItem(table, railKey(rail), {
    UpdateExpression: "SET failures = :next, retryAtMs = :retry, probed = :probed",
    ConditionExpression: failures === 0 ? "attribute_not_exists(failures)" : "failures = :failures",
    ExpressionAttributeValues: {
      ":next": failures + 1,
      ":retry": retryAtMs,
      ":probed": withLast(probed, about),
      ...(failures !== 0 && { ":failures": failures }),
    },
  });

const withLast = (probed: readonly string[], about: string | undefined): readonly string[] =>
  about === undefined ? probed : [...probed.filter((each) => each !== about), about].slice(-PROBED_MAX);

/** Forgets the failures of a rail that answers again. */
export async function clearRailFailures(table: Table, rail: string): Promise<void> {
  const UpdateExpression = "REMOVE failures, retryAtMs, probed";
  await table.db.send(new UpdateCommand({ TableName: table.name, Key: railKey(rail), UpdateExpression }));
}
