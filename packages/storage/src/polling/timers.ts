import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Timer } from "@intents/domain/intents/timer.ts";
import { parseTimerKey } from "../table/key-owners.ts";
import { type IntentKey, keysOf, type TimerOwner } from "../table/keys.ts";
import { queryPages } from "../table/pages.ts";
import { dueShard, shardOf } from "../table/shared-keys.ts";
import type { Table } from "../table/table.ts";

/** A lease on a timer: the message that a worker is sent. */
export type DueTimer = TimerKey & Readonly<{ leaseMs: number }>;

/** The owner of a timer: an intent, or a request for commissions where `owner` says so. */
type TimerKey = Readonly<{ tenantId: string; id: string; owner?: TimerOwner }>;

/** A message may be late by so long, before its timer is sent again. */
const SENDING_MS = 60_000;
/** Leases end between two milliseconds, so that a timer tells by its time alone whether a message is on its way. */
const LEASED_MS = 0.5;
/** The worker that receives a timer has at least so long: longer than a function may run. */
const WORKING_MS = 30_000;

/** The attributes by which a record has a timer. */
export const timerAttributes = (
  shards: number,
  id: string,
  { kind, dueAtMs }: Timer,
): Readonly<Record<string, string | number>> => ({
  timer: kind,
  dueAt: dueAtMs,
  dueShard: dueShard(shardOf(id, shards)),
});

/**
 * The intent's timer, read from the table itself, not from its index; a watch in its place is none. While a worker holds
 * a timer, `dueAtMs` lies ahead and is the token of that lease (H21).
 */
export async function findTimer(
  table: Table,
  tenantId: string,
  intentId: string,
  owner?: TimerOwner,
): Promise<Timer | undefined> {
  const Key = keysOf(tenantId).timer(intentId, owner);
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  if (Item?.["dueAt"] === undefined) return undefined;
  return { kind: Item["timer"] as Timer["kind"], dueAtMs: Number(Item["dueAt"]) };
}

/** The timers of a shard that are due by `untilMs`, oldest first, in pages of at most `limit`. */
export async function* findDue(
  table: Table,
  shard: number,
  untilMs: number,
  limit: number,
): AsyncGenerator<(TimerKey & { dueAtMs: number })[]> {
  const pages = queryPages(table, {
    IndexName: "byDue",
    KeyConditionExpression: "dueShard = :shard AND dueAt <= :until",
    ExpressionAttributeValues: { ":shard": dueShard(shard), ":until": untilMs },
    Limit: limit,
  });
  for await (const { Items = [] } of pages) {
    yield Items.flatMap((item) => {
      const owner = parseTimerKey(String(item["PK"]));
      return owner === undefined ? [] : [{ ...owner, dueAtMs: Number(item["dueAt"]) }];
    });
  }
}

/** A timer that was due so long ago is overdue: ticks come every minute, and send timers before they are due. */
export const OVERDUE_MS = 2 * 60_000;
/** Of a shard at most so many timers are counted. */
const COUNTED_MAX = 10_000;

/**
 * The number of timers of a shard that are due by `nowMs`, the number that were due by `overdueMs`, and the time of the
 * oldest. Counts no more than 10,000.
 */
export async function countDue(
  table: Table,
  shard: number,
  nowMs: number,
  overdueMs: number,
): Promise<{ due: number; overdue: number; oldestMs: number | undefined }> {
  const pages = queryPages(table, {
    IndexName: "byDue",
    KeyConditionExpression: "dueShard = :shard AND dueAt <= :until",
    ExpressionAttributeValues: { ":shard": dueShard(shard), ":until": nowMs },
    ProjectionExpression: "dueAt",
    Limit: COUNTED_MAX,
  });
  const read: number[] = [];
  for await (const { Items = [] } of pages) {
    read.push(...Items.map(({ dueAt }) => Number(dueAt)));
    if (read.length >= COUNTED_MAX) break;
  }
  const times = read.slice(0, COUNTED_MAX);
  return { due: times.length, overdue: times.filter((dueMs) => dueMs <= overdueMs).length, oldestMs: times[0] };
}

/**
 * Leases a due timer, so that no other worker sends it; undefined when another worker already did. Its message arrives
 * when it is due.
 */
export async function leaseTimer(
  table: Table,
  { dueAtMs, ...owner }: TimerKey & { dueAtMs: number },
  nowMs: number,
): Promise<DueTimer | undefined> {
  const leaseMs = Math.floor(Math.max(nowMs, dueAtMs)) + SENDING_MS + LEASED_MS;
  return (await moveTimer(table, { ...owner, dueAtMs }, { dueAtMs: leaseMs })) ? { ...owner, leaseMs } : undefined;
}

/**
 * How a dispatcher treats a timer that is due within the time that it looks ahead. One whose message is on its way is
 * sent once more for the end of its lease, under the same token and without a write: if the message was lost, that one
 * is obeyed, else it comes to nothing. What another dispatcher has only just sent is left alone.
 */
export function stepOfDue(dueAtMs: number, nowMs: number): "lease" | "remind" | "leave" {
  const isLeased = dueAtMs % 1 === LEASED_MS;
  if (!isLeased || dueAtMs <= nowMs) return "lease";
  return dueAtMs <= nowMs + SENDING_MS ? "remind" : "leave";
}

/**
 * The timer that a message was sent for, held for as long as its worker may take, so that a late message is not sent
 * again while its worker is busy. Undefined when the timer has changed since the message was sent (H21).
 */
export async function receiveTimer(
  table: Table,
  { leaseMs, ...owner }: DueTimer,
  nowMs: number,
): Promise<Timer | undefined> {
  const timer = await findTimer(table, owner.tenantId, owner.id, owner.owner);
  if (timer === undefined || timer.dueAtMs !== leaseMs) return undefined;
  const dueAtMs = Math.floor(nowMs) + WORKING_MS + LEASED_MS;
  if (leaseMs >= dueAtMs) return timer;
  return (await moveTimer(table, { ...owner, dueAtMs: leaseMs }, { dueAtMs })) ? { ...timer, dueAtMs } : undefined;
}

/**
 * Leases the timer of a batch about whose legs the rail has news, as if it had been due. Undefined when a worker holds it
 * already or will soon, or when the batch has ended, and its timer with it.
 */
export const wakeBatch = (table: Table, key: IntentKey, nowMs: number): Promise<DueTimer | undefined> =>
  wake(table, key, nowMs, "dueAt > :to");

/** The same for a draft that is to expire before its time; undefined also when it is none any more. */
export const wakeDraft = (table: Table, key: IntentKey, nowMs: number): Promise<DueTimer | undefined> =>
  wake(table, key, nowMs, "dueAt > :to AND timer = :kind", { ":kind": "expire_draft" satisfies Timer["kind"] });

async function wake(
  table: Table,
  { tenantId, id }: IntentKey,
  nowMs: number,
  condition: string,
  values: Readonly<Record<string, string>> = {},
): Promise<DueTimer | undefined> {
  const leaseMs = Math.floor(nowMs) + SENDING_MS + LEASED_MS;
  const isLater = { ConditionExpression: condition, ExpressionAttributeValues: { ":to": leaseMs, ...values } };
  return (await setDue(table, { tenantId, id }, isLater)) ? { tenantId, id, leaseMs } : undefined;
}

/** Moves a timer that is still as in `from`, else gives false. */
export const moveTimer = (
  table: Table,
  { dueAtMs, ...owner }: TimerKey & { dueAtMs: number },
  to: { dueAtMs: number },
): Promise<boolean> =>
  setDue(table, owner, {
    ConditionExpression: "dueAt = :from",
    ExpressionAttributeValues: { ":from": dueAtMs, ":to": to.dueAtMs },
  });

type Condition = Readonly<{ ConditionExpression: string; ExpressionAttributeValues: Record<string, number | string> }>;

/** Sets the due time of a timer to `:to` under a condition, else gives false. */
async function setDue(table: Table, { tenantId, id, owner }: TimerKey, condition: Condition): Promise<boolean> {
  try {
    const Key = keysOf(tenantId).timer(id, owner);
    await table.db.send(
      new UpdateCommand({ TableName: table.name, Key, UpdateExpression: "SET dueAt = :to", ...condition }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
