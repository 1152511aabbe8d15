import type { EndpointHealth } from "@intents/domain/webhooks/endpoint-health.ts";
import { refuseFailed } from "@intents/storage/table/in-turns.ts";
import {
  findEndpoint,
  findProgress,
  nudgeWorker,
  type Progress,
  replaceProgress,
} from "@intents/storage/webhooks/endpoints.ts";
import { type EndpointKey, readSigningSecrets } from "@intents/storage/webhooks/secrets.ts";
import { carryOut, type Deliverer, type Outcome, sendSigned } from "./round.ts";
import { ANSWER_MS_MAX } from "./send.ts";
import { findWork, type Work } from "./work.ts";

/** Longer than a function may run, so that a worker which is taken for dead is. */
const LEASE_MS = 60_000;

/** Whether there is more to do at once, and when to look again, if anything is due. */
export type Delivered = Readonly<{ hasMore: boolean; wakeAtMs?: number }>;

/**
 * Delivers what an endpoint is due, until nothing is left or the time is up. One worker at a time does so; another one
 * asks it to look once more. Cursor, records and feed together tell what was sent, so that a message which is lost,
 * doubled or late changes nothing.
 */
export async function deliverTo(run: Deliverer, key: EndpointKey, deadlineMs: number): Promise<Delivered> {
  const [endpoint, stored] = await Promise.all([findEndpoint(run.table, key), findProgress(run.table, key)]);
  if (endpoint === undefined || stored === undefined || endpoint.status === "disabled") return { hasMore: false };
  if ((stored.leasedUntilMs ?? 0) > run.now()) {
    await nudgeWorker(run.table, key);
    return { hasMore: false };
  }
  let work = await findWork(run, key, endpoint, stored);
  if (work.isNothing) return wakeAt(...aheadOf(run.now(), stored.standing));
  let held: Progress = { ...stored, atMs: run.now(), leasedUntilMs: run.now() + LEASE_MS };
  // A faster worker has read the same, and delivers it.
  if (!(await replaceProgress(run.table, key, [stored, held], { isLast: false }))) return { hasMore: false };
  const wakes: number[] = [];
  for (;;) {
    const round = await carryOut(run, key, work, held.standing, deadlineMs);
    const health = caughtUp(round.standing, work);
    const free = afterRound(held, work, round, health, run.now());
    wakes.push(...round.wakes);
    const done = wakeAt(...wakes, ...aheadOf(0, health));
    const isLate = run.now() + ANSWER_MS_MAX >= deadlineMs;
    const isCut = round.isStopped || isLate;
    const hasMore = work.hasMore || health.wellSinceMs !== undefined || free.replay !== undefined;
    const isLast = { isLast: !isCut };
    const isFree = (isCut || !hasMore) && (await replaceProgress(run.table, key, [held, free], isLast));
    refuseFailed(round.failed, "all else was sent");
    if (isFree) return { ...done, hasMore: isLate && hasMore };
    // There is more, or a nudge came meanwhile, or the tenant has changed the endpoint.
    const next: Progress = { ...free, leasedUntilMs: held.leasedUntilMs ?? 0 };
    if (isCut || !(await replaceProgress(run.table, key, [held, next], { isLast: false }))) return done;
    held = next;
    const current = await findEndpoint(run.table, key);
    if (current === undefined || current.status === "disabled") return { hasMore: false };
    work = await findWork(run, key, current, held);
  }
}

/** The time of the next probe. One that is due and has nothing to try waits for an event, or for the tick. */
const aheadOf = (nowMs: number, { probe }: EndpointHealth): number[] =>
  probe !== undefined && probe.atMs > nowMs ? [probe.atMs] : [];

const wakeAt = (...wakes: readonly number[]): Delivered => {
  return { hasMore: false, ...(wakes.length > 0 && { wakeAtMs: Math.min(...wakes) }) };
};

/** An endpoint that has nothing left of the time before it was well again has caught up. */
const caughtUp = ({ wellSinceMs, ...health }: EndpointHealth, { items, unwanted }: Work): EndpointHealth =>
  wellSinceMs === undefined || items.length + unwanted.length === 0 ? health : { ...health, wellSinceMs };

/** The progress after a round, which nobody holds. */
function afterRound(
  { cursor, skipped, replay: before }: Progress,
  work: Work,
  round: Outcome,
  health: EndpointHealth,
  atMs: number,
): Progress {
  const replay = round.isWhole && work.replay !== undefined ? work.replay : before;
  return {
    cursor: round.end ?? cursor,
    standing: health,
    atMs,
    ...(skipped !== undefined && { skipped }),
    ...(replay && { replay }),
  };
}

/** Sends one `webhook.test`, of which nothing is kept. */
export async function sendTest(run: Deliverer, key: EndpointKey, testId: string): Promise<void> {
  const nowMs = run.now();
  const [endpoint, secrets] = await Promise.all([
    findEndpoint(run.table, key),
    readSigningSecrets(run.table, key, nowMs),
  ]);
  if (endpoint === undefined || secrets.length === 0) return;
  const content = { type: "webhook.test", timestamp: new Date(nowMs).toISOString(), data: { id: testId } };
  await run.pace(new URL(endpoint.url).hostname, () => sendSigned(run, endpoint.url, { id: testId, content }, secrets));
}
