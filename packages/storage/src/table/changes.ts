import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { findCursor, replaceCursor } from "./cursors.ts";
import { type FailedItem, refuseFailed, settleInTurns } from "./in-turns.ts";
import { scanPages } from "./pages.ts";
import { allChangesKey, changeKey, listedKey, notedChangesKey } from "./shared-keys.ts";
import { fromDoc, type Table } from "./table.ts";

/** The time for which a container relies on that item, in milliseconds. */
const KNOWN_MS = 60_000;

const knownUntil = new WeakMap<Table["client"], number>();

/** Whether every record that changes is in the index of changes; else a list by it would leave out some. */
export async function hasAllChanges(table: Table): Promise<boolean> {
  const nowMs = performance.now();
  if ((knownUntil.get(table.client) ?? 0) > nowMs) return true;
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key: allChangesKey }));
  if (Item !== undefined) knownUntil.set(table.client, nowMs + KNOWN_MS);
  return Item !== undefined;
}

/** The name under which the pass through the table remembers its place. */
const JOB = "index-changes";
const SIDE_BY_SIDE = 8;

/** The number of records that lacked their place among the changes, and whether all records now have one. */
export type Indexed = Readonly<{ indexed: number; complete: boolean }>;
type Pass = Readonly<{ start?: Record<string, unknown>; indexed: number }>;

/**
 * Gives their place among the changes to records that an earlier version has written, page by page until `isOver`, and
 * goes on from there the next time. Only a whole pass that found none makes the index complete: during an earlier one
 * the earlier version may still have written. One that fails keeps no other, and is named at last.
 */
export async function indexChanges(table: Table, isOver: () => boolean = () => false): Promise<Indexed> {
  if (await hasAllChanges(table)) return { indexed: 0, complete: true };
  const place = await findCursor(table, JOB);
  const begun: Pass = place === undefined ? { indexed: 0 } : (JSON.parse(place) as Pass);
  let { indexed } = begun;
  const pages = scanPages(table, ["PK", "SK", "listSK", "version", "doc"], {
    // Of the kinds of records that lists are made of, these have a version, because they change.
    FilterExpression: "SK IN (:intent, :student, :payer) AND attribute_not_exists(changeSK)",
    ExpressionAttributeValues: { ":intent": "INTENT", ":student": "STUDENT", ":payer": "PAYER" },
    ExclusiveStartKey: begun.start,
  });
  const failed: FailedItem[] = [];
  for await (const { Items = [], LastEvaluatedKey: start } of pages) {
    await settleInTurns(Items, SIDE_BY_SIDE, (item) => indexChange(table, item), { failed, nameOf });
    indexed += Items.length;
    if (start === undefined || !isOver()) continue;
    await replaceCursor(table, JOB, JSON.stringify({ start, indexed } satisfies Pass));
    refuseFailed(failed, `${indexed} were found`);
    return { indexed, complete: false };
  }
  await replaceCursor(table, JOB, undefined);
  refuseFailed(failed, `${indexed} were found`);
  if (indexed > 0) return { indexed, complete: false };
  await table.db.send(new PutCommand({ TableName: table.name, Item: notedChangesKey }));
  return { indexed, complete: true };
}

const nameOf = ({ PK, SK }: Readonly<Record<string, unknown>>): string => `${PK} ${SK}`;

/** A record that was changed since it was read is left to the next pass, if it needs one. */
async function indexChange({ db, name }: Table, item: Readonly<Record<string, unknown>>): Promise<void> {
  const { updatedAt } = fromDoc<{ updatedAt: string }>(item);
  try {
    await db.send(
      new UpdateCommand({
        TableName: name,
        Key: listedKey(item),
        UpdateExpression: "SET changeSK = :place",
        ConditionExpression: "version = :version AND attribute_not_exists(changeSK)",
        ExpressionAttributeValues: {
          ":place": changeKey(updatedAt, String(item["listSK"])),
          ":version": item["version"],
        },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
