import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { spreadKey } from "../table/shared-keys.ts";
import type { Table } from "../table/table.ts";

/** The numbers of partitions that timers and watches are spread over. */
export type Spread = Readonly<Record<(typeof kinds)[number], number>>;

const kinds = ["timers", "watches"] as const;
const nowhere: Spread = { timers: 0, watches: 0 };

/**
 * The partitions that may hold something: the most that any version of the service has written to, by whatever settings.
 * The numbers only grow, so that a number that was read a moment ago is never too large.
 */
export async function readSpread({ db, name }: Table): Promise<Spread> {
  const { Item } = await db.send(new GetCommand({ TableName: name, Key: spreadKey }));
  return { timers: Number(Item?.["timers"] ?? 0), watches: Number(Item?.["watches"] ?? 0) };
}

/** Raises the stored numbers to these, and gives the larger ones. Writes nothing where they are as large already. */
export async function widenSpread(table: Table, own: Partial<Spread>): Promise<Spread> {
  const stored = await readSpread(table);
  const wider = widerSpread(stored, own);
  for (const kind of kinds) if (wider[kind] > stored[kind]) await raise(table, kind, wider[kind]);
  return wider;
}

/** The stored numbers known to this container. */
const covered = new WeakMap<Table["client"], Spread>();

/**
 * Makes sure, before a timer or a watch is written, that the stored numbers cover its partition. A container reads them
 * once: what it has seen can only have grown since.
 */
export async function coverSpread(table: Table, own: Partial<Spread>): Promise<void> {
  const known = covered.get(table.client) ?? nowhere;
  if (kinds.every((kind) => known[kind] >= (own[kind] ?? 0))) return;
  covered.set(table.client, widerSpread(known, await widenSpread(table, own)));
}

/** The larger number of each kind. */
export const widerSpread = (one: Spread, other: Partial<Spread>): Spread => ({
  timers: Math.max(one.timers, other.timers ?? 0),
  watches: Math.max(one.watches, other.watches ?? 0),
});

/** Raises a stored number; a larger one stays. */
async function raise({ db, name }: Table, kind: keyof Spread, to: number): Promise<void> {
  try {
    await db.send(
      new UpdateCommand({
        TableName: name,
        Key: spreadKey,
        UpdateExpression: "SET #kind = :to",
        ConditionExpression: "attribute_not_exists(#kind) OR #kind < :to",
        ExpressionAttributeNames: { "#kind": kind },
        ExpressionAttributeValues: { ":to": to },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
