import { SHARDS_MAX } from "@intents/deployment/settings.ts";
import { type Spread, widenSpread } from "@intents/storage/polling/spread.ts";
import { listSweepCursors, rewindSweepCursor, type Swept } from "@intents/storage/polling/sweeps.ts";
import { findDue } from "@intents/storage/polling/timers.ts";
import { findWatchedRails } from "@intents/storage/polling/watches.ts";
import { type FailedItem, mapInTurns, refuseFailed, settleInTurns } from "@intents/storage/table/in-turns.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { sweptAheadMs } from "../polling/sweep.ts";
import { partsOf, type TickSettings } from "../polling/tick.ts";

/** Work that nobody looks after, as far as indexes and cursors tell: since or until when, milliseconds since 1970. */
export type Unattended = Readonly<{ atMs: number }> &
  (
    | Readonly<{ what: "timers" | "watches"; shard: number }>
    | Readonly<{ what: "cursor stands still" | "cursor lies ahead"; swept: Swept }>
    | Readonly<{ what: "rail is not configured"; rail: string }>
  );

/** The reach of ticks: the keys of the configured rails, the covered shards, and how far ahead they work. */
type Covered = Pick<TickSettings, "aheadMs" | "pollIntervalMs"> & Readonly<{ keys: readonly string[]; spread: Spread }>;

/** A cursor that is further behind than this stands still; far points are swept every few minutes. */
const STILL_MS = 3_600_000;
/** Clocks differ by less than this. */
const CLOCKS_MS = 60_000;
const AT_ONCE = 16;

/**
 * Finds timers and watches in shards that no tick covers, cursors that stand still beside watches or lie ahead of the
 * clock, and watches of rails that are not configured. Reads each shard that there may be once, and writes nothing.
 */
export async function findUnattended(
  table: Table,
  { keys, spread, ...settings }: Covered,
  nowMs: number,
): Promise<Unattended[]> {
  const shards = await mapInTurns(upTo(SHARDS_MAX.watches), AT_ONCE, async (shard) =>
    (await findWatchedRails(table, shard)).map((watched) => ({ ...watched, shard })),
  );
  const watched = shards.slice(0, spread.watches).flat();
  const parts = partsOf(keys, spread.watches);
  const cursors = await listSweepCursors(table, parts);
  const swept = parts.flatMap((part, index): Unattended[] => {
    const { oldestMs = nowMs } = watched.find(({ rail, shard }) => rail === part.rail && shard === part.shard) ?? {};
    const atMs = cursors[index] ?? 0;
    const stillMs = Math.max(atMs, oldestMs);
    if (stillMs < nowMs - STILL_MS) return [{ what: "cursor stands still", swept: part, atMs: stillMs }];
    const isAhead = atMs > nowMs + sweptAheadMs(part, settings) + CLOCKS_MS;
    return isAhead ? [{ what: "cursor lies ahead", swept: part, atMs }] : [];
  });
  const gone = watched
    .filter(({ rail }) => !keys.includes(rail))
    .toSorted((one, other) => one.oldestMs - other.oldestMs);
  return [
    ...(await findTimersBeyond(table, spread.timers)),
    ...shards.flatMap(([oldest], shard): Unattended[] =>
      oldest === undefined || shard < spread.watches ? [] : [{ what: "watches", shard, atMs: oldest.oldestMs }],
    ),
    ...swept,
    ...[...Map.groupBy(gone, ({ rail }) => rail)].map(
      ([rail, [oldest]]): Unattended => ({ what: "rail is not configured", rail, atMs: oldest?.oldestMs ?? nowMs }),
    ),
  ];
}

async function findTimersBeyond(table: Table, covered: number): Promise<Unattended[]> {
  const beyond = upTo(SHARDS_MAX.timers).slice(covered);
  const oldest = await mapInTurns(beyond, AT_ONCE, async (shard) => ({
    shard,
    timer: (await findDue(table, shard, Number.MAX_SAFE_INTEGER, 1).next()).value?.[0],
  }));
  return oldest.flatMap(({ shard, timer }) =>
    timer === undefined ? [] : [{ what: "timers" as const, shard, atMs: timer.dueAtMs }],
  );
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/**
 * Mends faults that need no person: from now on ticks cover the shards, and a cursor that lies ahead moves to the
 * present, so that rails get the next questions. A cursor that cannot be moved delays no other, and is named at last.
 */
export async function lookAfter(table: Table, found: readonly Unattended[], nowMs: number): Promise<void> {
  const beyond = (kind: "timers" | "watches") =>
    Math.max(0, ...found.flatMap((each) => (each.what === kind ? each.shard + 1 : [])));
  await widenSpread(table, { timers: beyond("timers"), watches: beyond("watches") });
  const ahead = found.flatMap((each) => (each.what === "cursor lies ahead" ? each.swept : []));
  const failed: FailedItem[] = [];
  const nameOf = ({ rail, shard, age }: Swept) => `${rail} ${shard} ${age}`;
  await settleInTurns(ahead, 1, (swept) => rewindSweepCursor(table, swept, nowMs), { failed, nameOf });
  refuseFailed(failed, `${ahead.length} cursors lay ahead`);
}

/** One finding as logs and operators are told it. */
export function describeUnattended(found: Unattended): Readonly<{ what: string; about: string; at: string }> {
  const at = new Date(found.atMs).toISOString();
  switch (found.what) {
    case "timers":
    case "watches":
      return { what: `${found.what} in a shard that no tick covers`, about: `shard ${found.shard}`, at };
    case "rail is not configured":
      return { what: "payments wait for a rail that is not configured", about: found.rail, at };
    default: {
      const { rail, shard, age } = found.swept;
      return { what: `the ${age} ${found.what}: payments are not asked about`, about: `${rail} ${shard}`, at };
    }
  }
}
