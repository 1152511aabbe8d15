import { askTimes, nearForMs, type PointSettings, type Span } from "@intents/domain/polling/points.ts";
import { lookedIntoFrom } from "@intents/domain/polling/watch.ts";
import { findRailState } from "@intents/storage/polling/rail-state.ts";
import { findSweepCursor, moveSweepCursor } from "@intents/storage/polling/sweeps.ts";
import { findWatches, type Watched } from "@intents/storage/polling/watches.ts";
import type { AskedExecution, Posted, Sweep } from "@intents/storage/queue/queue.ts";
import type { FailedItem } from "@intents/storage/table/in-turns.ts";
import { chunksOf } from "@intents/storage/table/records.ts";
import { questionMaxOf } from "../rails/ask.ts";
import type { Run } from "../run.ts";

/** Clocks of the queue and of workers differ by less than this. */
const CLOCKS_DIFFER_MS = 5_000;

/** Sends messages, each after its delay. */
export type Post = (messages: readonly Posted[]) => Promise<void>;

/** The outcome of a sweep: the number of executions to ask about and the unreadable watches, or why it did nothing. */
export type Swept =
  | Readonly<{ asked: number; failed: readonly FailedItem[] }>
  | "done before"
  | "left alone"
  | "rail_missing";

/**
 * Hands on as questions all points of a part of the watches since its cursor, and then moves the cursor. A sweep that is
 * lost, late or dead is made good by the next, because the cursor moves only once everything is sent, and not at all if
 * a question was handed back meanwhile; one that comes twice finds nothing left. A late one hands on all that has passed,
 * so that the others behind it find nothing left either: a rail that is too slow for its lane is asked once for several
 * points. No clock that is wrong moves the cursor far beyond `receivedMs`, when the queue handed over the sweep. A rail that fails is left alone, and its points stay until it is asked again.
 */
export async function sweep(
  run: Run,
  { kind: _sweep, untilMs: wantedMs, ...part }: Sweep,
  post: Post,
  receivedMs = Number.POSITIVE_INFINITY,
): Promise<Swept> {
  const questionMax = questionMaxOf(run, part.rail);
  if (questionMax === undefined) return "rail_missing";
  const [cursor, { retryAtMs, aloneAtMs = Number.POSITIVE_INFINITY }] = await Promise.all([
    findSweepCursor(run.table, part),
    findRailState(run.table, part.rail),
  ]);
  const nowMs = run.now();
  const latestMs = receivedMs + CLOCKS_DIFFER_MS;
  const dueMs = Math.min(wantedMs, latestMs + sweptAheadMs(part, run.settings));
  const untilMs = Math.max(dueMs, Math.min(nowMs, latestMs));
  if (cursor.atMs >= dueMs) return "done before";
  if (retryAtMs > nowMs) return "left alone";
  const span: Span = { age: part.age, afterMs: cursor.atMs, untilMs };
  const failed: FailedItem[] = [];
  const due = await dueAsks(run, part, span, { nowMs, failed });
  const messages = [...due]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([atMs, asked]): Posted[] => {
      const delaySeconds = (atMs - nowMs) / 1000;
      return chunksOf(asked, questionMax).map((about) => ({
        message: { kind: "question", ...part, fromMs: cursor.atMs, about },
        delaySeconds,
      }));
    });
  if (aloneAtMs <= nowMs) messages.push({ message: { kind: "alone", rail: part.rail } });
  await post(messages);
  await moveSweepCursor(run.table, part, cursor, untilMs);
  return { asked: [...due.values()].reduce((sum, { length }) => sum + length, 0), failed };
}

/** The executions to ask about, by time in milliseconds since 1970. */
async function dueAsks(
  run: Run,
  part: Omit<Sweep, "kind" | "untilMs">,
  span: Span,
  { nowMs, failed }: Readonly<{ nowMs: number; failed: FailedItem[] }>,
) {
  const due = new Map<number, AskedExecution[]>();
  const nearMs = nearForMs(run.settings);
  const started =
    span.age === "near"
      ? { fromMs: span.afterMs - nearMs, untilMs: span.untilMs }
      : { fromMs: 0, untilMs: span.untilMs - nearMs };
  for await (const watches of findWatches(run.table, part, started, failed)) {
    for (const watch of watches) {
      for (const atMs of askTimes(watch, span, nowMs, run.settings)) {
        const asked = due.get(atMs) ?? [];
        asked.push(toAsked(run, watch));
        due.set(atMs, asked);
      }
    }
  }
  return due;
}

/** Far points are swept every so many intervals, 10 minutes at one of 30 s, for as long ahead. */
export const FAR_PARTS = 20;

/** How far ahead of its time a sweep may reach: a far one until the end of its window, a little after the next tick. */
export const sweptAheadMs = (
  { age }: Pick<Sweep, "age">,
  { pollIntervalMs }: Pick<PointSettings, "pollIntervalMs">,
): number => (age === "near" ? 1 : FAR_PARTS + 4) * pollIntervalMs;

/** The watch as a question names it. */
export function toAsked({ settings }: Run, watch: Watched): AskedExecution {
  const { tenantId, id, executionId, order } = watch;
  const holdMs = Math.min(settings.checkoutHoldMs, settings.transferHoldMs);
  const lookMs = lookedIntoFrom(watch, { recoveryAfterMs: settings.recoveryAfterMs, holdMs });
  return {
    tenantId,
    id,
    executionId,
    ...(order !== undefined && { order }),
    ...(Number.isFinite(lookMs) && { lookMs }),
  };
}
