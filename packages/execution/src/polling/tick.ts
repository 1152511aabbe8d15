import type { PointSettings } from "@intents/domain/polling/points.ts";
import { type Spread, widenSpread } from "@intents/storage/polling/spread.ts";
import { listSweepCursors, type Swept } from "@intents/storage/polling/sweeps.ts";
import { findWatchedRails } from "@intents/storage/polling/watches.ts";
import { type Posted, type Queue, sendMessages } from "@intents/storage/queue/queue.ts";
import { type FailedItem, settleInTurns } from "@intents/storage/table/in-turns.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { dispatchShards } from "./dispatch.ts";
import { laneOf } from "./lanes.ts";
import { FAR_PARTS } from "./sweep.ts";

/** How the schedule is kept: how far ahead of time messages are sent, and what the watches are spread over. */
export type TickSettings = Pick<PointSettings, "pollIntervalMs"> & Readonly<{ aheadMs: number; watchShards: number }>;

/** The queue of timers, the lanes of questions, and the keys of all rails in the order of their lanes. */
type Queues = Readonly<{ queue: Queue; lanes: readonly Queue[]; keys: readonly string[] }>;

/**
 * A tick of the schedule: sends a message for every shard of timers, and sweeps of what waits for each rail, on the rail's
 * own lane. It covers every shard that was ever written to: other settings, of before or of a version that still runs,
 * may have spread work further than its own. Gives what it has covered, and what could not be sent beside all else.
 */
export async function tick(
  table: Table,
  { queue, lanes, keys }: Queues,
  { timerShards: timers, watchShards: watches, ...settings }: TickSettings & Readonly<{ timerShards: number }>,
  nowMs: number,
): Promise<Readonly<{ spread: Spread; failed: FailedItem[] }>> {
  const spread = await widenSpread(table, { timers, watches });
  const failed: FailedItem[] = [];
  const sends = [
    { about: "timers", send: () => dispatchShards(queue, spread.timers) },
    ...keys.map((rail, index) => ({
      about: rail,
      send: () =>
        sendMessages(laneOf(lanes, index), sweepsOf(rail, nowMs, { ...settings, watchShards: spread.watches })),
    })),
  ];
  await settleInTurns(sends, sends.length, ({ send }) => send(), { failed, nameOf: ({ about }) => about });
  return { spread, failed };
}

/** Near points are swept twice in an interval, 15 s at one of 30 s. */
const NEAR_PART = 2;
/** A sweep is made so much of an interval before its points, 20 s at one of 30 s: new payments have none before. */
const LEAD_PART = 2 / 3;

/**
 * The sweeps that a tick of the schedule sends for one rail. Those of near points come one after another until the next
 * tick, and a little longer in case that one is late; the cursor keeps those that overlap from asking twice.
 */
export function sweepsOf(rail: string, nowMs: number, settings: TickSettings): Posted[] {
  const { pollIntervalMs, aheadMs, watchShards } = settings;
  const nearMs = pollIntervalMs / NEAR_PART;
  const leadMs = Math.min(aheadMs, pollIntervalMs * LEAD_PART);
  const farMs = pollIntervalMs * FAR_PARTS;
  const farUntilMs = Math.ceil((nowMs + aheadMs) / farMs) * farMs;
  const starts = Array.from({ length: Math.floor(aheadMs / nearMs) + 1 }, (_, index) => index * nearMs);
  return Array.from({ length: watchShards }, (_, shard) => shard).flatMap((shard): Posted[] => [
    { message: { kind: "sweep", rail, shard, age: "far", untilMs: farUntilMs } },
    ...starts.map(
      (afterMs): Posted => ({
        message: { kind: "sweep", rail, shard, age: "near", untilMs: Math.round(nowMs + afterMs + leadMs) },
        delaySeconds: afterMs / 1000,
      }),
    ),
  ]);
}

/** How far the sweeps have come: the oldest cursor, and rails with watches that nobody sweeps. */
export type SweepState = Readonly<{ behindMs: number; missing: readonly string[] }>;

/** Reads how far the sweeps of the rails with these keys have come. A rail that is not configured any more is never guessed at. */
export async function readSweepState(
  table: Table,
  keys: readonly string[],
  watchShards: number,
  nowMs: number,
): Promise<SweepState> {
  const shards = Array.from({ length: watchShards }, (_, shard) => shard);
  const [cursors, watched] = await Promise.all([
    listSweepCursors(table, partsOf(keys, watchShards)),
    Promise.all(shards.map((shard) => findWatchedRails(table, shard))),
  ]);
  const missing = [...new Set(watched.flat().map(({ rail }) => rail))].filter((rail) => !keys.includes(rail));
  return { behindMs: Math.max(0, nowMs - Math.min(nowMs, ...cursors.map((atMs = nowMs) => atMs))), missing };
}

const ages = ["near", "far"] as const;

/** The parts of the watches of these rails, each of which has a cursor. */
export const partsOf = (keys: readonly string[], watchShards: number): Swept[] =>
  keys.flatMap((rail) =>
    Array.from({ length: watchShards }, (_, shard) => shard).flatMap((shard) =>
      ages.map((age): Swept => ({ rail, shard, age })),
    ),
  );
