import type { PointSettings } from "@intents/domain/intents/points.ts";
import { listSweepCursors, type Swept } from "@intents/storage/intents/sweeps.ts";
import { findWatchedRails } from "@intents/storage/intents/watches.ts";
import type { Posted } from "@intents/storage/queue/queue.ts";
import type { Table } from "@intents/storage/table/table.ts";

/** How the schedule is kept: how far ahead of time messages are sent, and what the watches are spread over. */
export type TickSettings = Pick<PointSettings, "pollIntervalMs"> & Readonly<{ aheadMs: number; watchShards: number }>;

/** Near points are swept twice in an interval, 15 s at one of 30 s, and far ones every 10 minutes, for as long ahead. */
const NEAR_PART = 2;
const FAR_PARTS = 20;
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

/** How far ahead of its time a sweep may reach: a far one until the end of its window, a little after the next tick. */
export const sweptAheadMs = (age: Swept["age"], { pollIntervalMs }: Pick<PointSettings, "pollIntervalMs">): number =>
  (age === "near" ? 1 : FAR_PARTS + 4) * pollIntervalMs;

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
  const parts = keys.flatMap((rail) =>
    shards.flatMap((shard) => (["near", "far"] as const).map((age): Swept => ({ rail, shard, age }))),
  );
  const [cursors, watched] = await Promise.all([
    listSweepCursors(table, parts),
    Promise.all(shards.map((shard) => findWatchedRails(table, shard))),
  ]);
  const missing = [...new Set(watched.flat())].filter((rail) => !keys.includes(rail));
  return { behindMs: Math.max(0, nowMs - Math.min(nowMs, ...cursors)), missing };
}
