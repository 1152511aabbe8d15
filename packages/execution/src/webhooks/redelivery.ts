import { fail, ok, type Result } from "@intents/domain/result.ts";
import { dateOf } from "@intents/storage/events/events.ts";
import { oldestAt, placeAt } from "@intents/storage/events/feed.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { type Delivery, findDelivery, replaceDelivery, requeued } from "@intents/storage/webhooks/deliveries.ts";
import { findProgress, type Progress, type Replay, replaceProgress } from "@intents/storage/webhooks/endpoints.ts";
import type { EndpointKey } from "@intents/storage/webhooks/secrets.ts";

/** A worker may change the same records at the same moment. */
const TRIES_MAX = 5;
const AHEAD_MS_MAX = 60_000;

const busy = fail({ kind: "busy", retryAfterSeconds: 1 } as const);
const gone = (resource: string) => fail({ kind: "not_found", resource } as const);

/**
 * Has one event sent again now, whatever became of it. At an endpoint that is failing, the oldest one is tried now, since
 * whoever asks may have mended the receiver.
 */
export async function redeliver(table: Table, key: EndpointKey, deliveryId: string, nowMs: number) {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const before = await findDelivery(table, key, deliveryId);
    if (before === undefined) return gone("delivery");
    const nextAttemptAt = new Date(nowMs).toISOString();
    const after: Delivery = { ...requeued(before), status: "waiting", nextAttemptAt };
    if (!(await replaceDelivery(table, key, [before, after]))) continue;
    await changeProgress(table, key, nowMs, ({ standing: health, ...progress }) => {
      const { probe } = health;
      return probe && { ...progress, standing: { ...health, probe: { ...probe, atMs: nowMs } } };
    });
    return ok(after);
  }
  return busy;
}

/** Has all events of an endpoint from a time up to now sent again. */
export async function replay(
  table: Table,
  key: EndpointKey,
  from: string,
  nowMs: number,
): Promise<Result<Readonly<{ from: string; until: string }>, ReplayFailure>> {
  const fromMs = Date.parse(from);
  const wrong = (is: string) => fail({ kind: "shape", problems: [`from must ${is}`] } as const);
  if (fromMs > nowMs + AHEAD_MS_MAX) return wrong("not lie in the future");
  if (placeAt(fromMs).place < oldestAt(nowMs).place) return wrong("lie within the last 30 days");
  const replayed = { from: new Date(fromMs).toISOString(), until: placeAt(nowMs).place, after: placeAt(fromMs) };
  let isRunning = false;
  const changed = await changeProgress(table, key, nowMs, (progress) => {
    isRunning = progress.replay !== undefined;
    return isRunning ? undefined : { ...progress, replay: replayed };
  });
  if (isRunning) return fail({ kind: "replay_running" } as const);
  if (changed === undefined) return gone("webhook endpoint");
  return changed ? ok(toReplayAnswer(replayed)) : busy;
}

/** A replay as its tenant sees it. */
export const toReplayAnswer = ({ from, until }: Replay) => ({ from, until: dateOf(until) });

type ReplayFailure =
  | Readonly<{ kind: "shape"; problems: readonly string[] }>
  | Readonly<{ kind: "replay_running" }>
  | Readonly<{ kind: "not_found"; resource: string }>
  | Readonly<{ kind: "busy"; retryAfterSeconds: number }>;

/** Changes how an endpoint goes on, with nobody holding it; undefined where there is none, or nothing to change. */
async function changeProgress(
  table: Table,
  key: EndpointKey,
  nowMs: number,
  change: (progress: Progress) => Progress | undefined,
): Promise<boolean | undefined> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const before = await findProgress(table, key);
    const after = before && change(before);
    if (before === undefined || after === undefined) return undefined;
    const { leasedUntilMs: _, ...free } = after;
    if (await replaceProgress(table, key, [before, { ...free, atMs: nowMs }], { isLast: false })) return true;
  }
  return false;
}
